import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aRepo, type Repo } from '../support/repo.ts'

function aLedger(count = 3): Repo {
  const repo = aRepo()
  repo.commit('first')
  const lines = Array.from({ length: count }, (_, at) => `- [ ] Walrus ${at + 1}`)
  repo.run(['gza', 'import', '-', '--format', 'markdown'], { stdin: `${lines.join('\n')}\n` })
  return repo
}

function storeOf(repo: Repo): string {
  return join(repo.dir, '.git/gza/search.db')
}

function found(repo: Repo, words: string): number[] {
  const { code, stdout, stderr } = repo.gza('search', words, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return (JSON.parse(stdout) as { number: number }[]).map(({ number }) => number).sort((a, b) => a - b)
}

test('only search and list --text make the store', () => {
  const repo = aLedger()
  for (const args of [
    ['add', 'x'],
    ['list'],
    ['list', '--not', 'status:blocked'],
    ['ready'],
    ['show', '1'],
    ['note', '1', 'y'],
  ])
    repo.gza(...args)
  expect(existsSync(storeOf(repo))).toBe(false)
  expect(repo.gza('list', '--text', 'walrus').stdout.split('\n')).toHaveLength(4)
  expect(existsSync(storeOf(repo))).toBe(true)
})

test('what changed since the last search is found, and what is gone is not', () => {
  const repo = aLedger()
  expect(found(repo, 'walrus')).toEqual([1, 2, 3])
  repo.gza('note', '1', 'zebra')
  repo.gza('edit', '2', '--content', 'Heron')
  repo.gza('delete', '3')
  repo.gza('add', 'Another walrus')
  repo.write('plan.md', 'about lemurs')
  repo.gza('note', '1', 'attached', '--attach', 'plan.md')
  expect(found(repo, 'zebra')).toEqual([1])
  expect(found(repo, 'lemurs')).toEqual([1])
  expect(found(repo, 'heron')).toEqual([2])
  expect(found(repo, 'walrus')).toEqual([1, 4])
  expect(found(repo, 'attached')).toEqual([1])
  repo.gza('undo')
  expect(found(repo, 'attached')).toEqual([])
  repo.gza('restore', '3')
  expect(found(repo, 'walrus')).toEqual([1, 3, 4])
})

test('a store that is current is not written', () => {
  const repo = aLedger()
  found(repo, 'walrus')
  const before = statSync(storeOf(repo)).mtimeMs
  found(repo, 'walrus')
  expect(statSync(storeOf(repo)).mtimeMs).toBe(before)
})

test('a store that was removed, cut, overwritten or has lost its tables is made again', () => {
  const repo = aLedger(600)
  const whole = (): void => expect(found(repo, 'walrus')).toHaveLength(600)
  whole()
  const bytes = readFileSync(storeOf(repo))
  const damages: Record<string, () => void> = {
    removed: () => rmSync(storeOf(repo)),
    cut: () => writeFileSync(storeOf(repo), bytes.subarray(0, bytes.length / 2)),
    'not a database': () => writeFileSync(storeOf(repo), 'no database at all, but a long text\n'.repeat(500)),
    'pages of zeros': () =>
      writeFileSync(storeOf(repo), Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096)])),
    empty: () => writeFileSync(storeOf(repo), ''),
  }
  for (const [what, damage] of Object.entries(damages)) {
    for (const suffix of ['-wal', '-shm']) rmSync(storeOf(repo) + suffix, { force: true })
    damage()
    expect({ what, found: found(repo, 'walrus').length }).toEqual({ what, found: 600 })
    whole()
  }
})

test('several searches at once, while tasks are added, all answer, and the last one finds everything', async () => {
  const repo = aLedger(1500)
  const running = Array.from({ length: 4 }, () => repo.start(['gza', 'search', 'walrus', '--json']))
  for (const name of ['one', 'two', 'three']) repo.gza('add', `Walrus ${name}`)
  const ends = await Promise.all(running)
  expect(ends.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  expect(found(repo, 'walrus')).toHaveLength(1503)
})

test('a search that is killed leaves a store that the next one completes', () => {
  const repo = aLedger(3000)
  for (const seconds of ['0.05', '0.1', '0.2', '0.4'])
    repo.run(['timeout', '-s', 'KILL', seconds, 'gza', 'search', 'walrus'])
  expect(found(repo, 'walrus')).toHaveLength(3000)
})

test('a link in place of the store is refused', () => {
  const repo = aLedger()
  repo.run(['ln', '-s', '/tmp/elsewhere.db', storeOf(repo)])
  const { code, stderr } = repo.gza('search', 'walrus')
  expect(code).toBe(1)
  expect(stderr).toContain('search.db')
  expect(existsSync('/tmp/elsewhere.db')).toBe(false)
})

test('the store has the words of the texts, not the texts', () => {
  const repo = aLedger()
  repo.gza('note', '1', 'A sentence that is only in the ledger')
  expect(found(repo, '"only in the ledger"')).toEqual([1])
  for (const suffix of ['', '-wal']) expect(readFileSync(storeOf(repo) + suffix).includes('only in the')).toBe(false)
})

test('a store of an earlier gza is made again', () => {
  const repo = aLedger()
  found(repo, 'walrus')
  const db = new Database(storeOf(repo))
  db.run('DROP TABLE texts')
  db.run('CREATE VIRTUAL TABLE texts USING fts5(artifact, title, content, note, criteria, file)')
  db.run('PRAGMA user_version = 2')
  db.close()
  expect(found(repo, 'walrus')).toEqual([1, 2, 3])
})
