import { describe, expect, test } from 'bun:test'
import { linesOf, outputOf } from '../support/ledger-answers.ts'
import { add, aStartedRepo, ask, contents, gza } from '../support/ledger-calls.ts'
import { aRepo, type Repo } from '../support/repo.ts'
import { bytesOf, putBytes, textOf } from './ledger-bytes.ts'

const CORRUPT: [string, Buffer, string][] = [
  ['a line cut off', Buffer.from('{"id":"task-12'), 'not JSON'],
  ['words', Buffer.from('<<<<<<< HEAD'), 'not JSON'],
  ['another program’s object', Buffer.from('{"todo":1}'), 'content: Invalid input'],
  ['a list', Buffer.from('[1,2]'), 'line: Invalid input'],
  ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe, 0x00, 0x41, 0x80]), 'not UTF-8'],
  ['a task with bytes that are no UTF-8', Buffer.from('{"id":"task-1234","content":"caf\xe9"}', 'latin1'), 'not UTF-8'],
  ['terminal escapes', Buffer.from('\u001b[2J\u009b31m'), 'not JSON'],
  ['nesting without end', Buffer.from(`${'['.repeat(200_000)}`), 'not JSON'],
]

/** Two tasks with an unreadable line between them. */
function withCorruptLine(corrupt: Buffer) {
  const repo = aStartedRepo()
  const ids = [add(repo, 'one'), add(repo, 'two')]
  const [first, second] = linesOf(textOf(repo)) as [string, string]
  const parts = [Buffer.from(`${first}\n`), corrupt, Buffer.from(`\n${second}\n`)]
  const commit = putBytes(repo, 'tasks.jsonl', Buffer.concat(parts))
  return { repo, ids, commit }
}

const hasLine = (bytes: Buffer, line: Buffer): boolean => bytes.includes(Buffer.concat([line, Buffer.from('\n')]))

describe.each(CORRUPT)('%s in tasks.jsonl', (_, corrupt, why) => {
  const { repo, ids, commit } = withCorruptLine(corrupt)
  const warning = (line: number) =>
    `Warning: tasks.jsonl line ${line} of refs/tasks/main cannot be read (${why}); it is kept unchanged\n`

  test('is reported with its line, and the other tasks load', () => {
    for (const name of ['gza', 'git-tasks']) {
      const { code, stdout, stderr } = repo.run([name, 'list'])
      expect({ code, stderr }).toEqual({ code: 0, stderr: warning(2) })
      expect(linesOf(stdout).map((line) => /task-\w+/.exec(line)?.[0])).toEqual(ids)
    }
  })

  test('is named by verify and by doctor', () => {
    const verified = repo.gza('verify')
    expect(verified.code).toBe(1)
    expect(verified.stdout).toContain(`first bad commit: ${commit.slice(0, 7)} `)
    expect(repo.gza('doctor').stdout).toContain(`tasks.jsonl line 2 cannot be read: ${why}`)
  })

  test('survives the next write byte for byte, in its place', () => {
    gza(repo, 'note', ids[0] ?? '', 'a note')
    expect(hasLine(bytesOf(repo, 'tasks.jsonl'), corrupt)).toBe(true)
    expect(repo.gza('list').stderr).toBe(warning(2))
    repo.run(['rm', '-r', '.git/gza'])
    expect(repo.gza('list').stderr).toBe(warning(2))
  })
})

test('a corrupt line survives the next 70 adds, and every one of them is there', () => {
  const corrupt = Buffer.from([0x7b, 0xff, 0x22])
  const { repo } = withCorruptLine(corrupt)
  const more = Array.from({ length: 70 }, (_, n) => `task ${n}`)
  for (const content of more) gza(repo, 'add', content)
  expect(hasLine(bytesOf(repo, 'shards/0000/00.jsonl'), corrupt)).toBe(true)
  expect(contents(repo)).toEqual(['one', 'two', ...more])
  repo.run(['rm', '-r', '.git/gza'])
  const { stdout, stderr } = repo.gza('list', '--json')
  expect(JSON.parse(stdout)).toHaveLength(72)
  expect(stderr).toBe(
    'Warning: shards/0000/00.jsonl line 2 of refs/tasks/main cannot be read (not UTF-8); it is kept unchanged\n',
  )
})

describe('in a ledger of several files', () => {
  /** The person of all clones knows about it: otherwise sync would refuse the ledger. */
  const accept = (repo: Repo, commit: string) => repo.gza('verify', '--accept', commit)

  /** 140 tasks: two full shards and a tail. */
  function aLargeLedger(repo: Repo): string[] {
    const titles = Array.from({ length: 140 }, (_, n) => `task ${n + 1}`)
    const stdin = titles.map((title) => `- [ ] ${title}`).join('\n')
    outputOf(repo.run(['gza', 'import', '-', '--format', 'markdown'], { stdin }))
    return titles
  }

  test('a corrupt line in a full shard costs its own task and no other, whatever is written and joined after it', () => {
    const origin = aRepo({ bare: true })
    const [here, there] = [origin.clone(), origin.clone()]
    const titles = aLargeLedger(here)
    for (const clone of [here, there]) gza(clone, 'sync')
    const spoilt = textOf(here, 'shards/0000/00.jsonl').split('\n')
    spoilt[4] = '{"cut":'
    accept(here, putBytes(here, 'shards/0000/00.jsonl', spoilt.join('\n')))
    const left = titles.filter((title) => title !== 'task 5')
    expect(contents(here)).toEqual(left)
    gza(there, 'add', 'from there')
    gza(here, 'add', 'from here')
    for (const clone of [there, here, there]) gza(clone, 'sync')
    // The other clone has the task still, so that a join mends the loss.
    for (const clone of [here, there]) {
      expect(contents(clone).toSorted()).toEqual([...titles, 'from here', 'from there'].toSorted())
      clone.run(['rm', '-r', '.git/gza'])
      expect(contents(clone).toSorted()).toEqual([...titles, 'from here', 'from there'].toSorted())
      expect(clone.gza('list', '--limit', '1').stderr).toContain('cannot be read (not JSON); it is kept unchanged')
    }
    expect(gza(here, 'export')).toBe(gza(there, 'export'))
  })

  test('a join that lays the ledger out anew loses no task that moves from one file to the next', () => {
    const origin = aRepo({ bare: true })
    const [here, there] = [origin.clone(), origin.clone()]
    const titles = aLargeLedger(here)
    const spoilt = textOf(here, 'shards/0000/00.jsonl').split('\n')
    spoilt[4] = '{"cut":'
    accept(here, putBytes(here, 'shards/0000/00.jsonl', spoilt.join('\n')))
    for (const clone of [here, there]) gza(clone, 'sync')
    // Both get the number 141; the one that joins has the later task, so that the other does not simply follow it.
    const born = (year: number) => `{"content":"born ${year}","created_at":"${year}-01-01T00:00:00Z"}\n`
    outputOf(there.run(['gza', 'import', '-'], { stdin: born(2030) }))
    outputOf(here.run(['gza', 'import', '-'], { stdin: born(2031) }))
    for (const clone of [there, here, there]) gza(clone, 'sync')
    const expected = [...titles.filter((title) => title !== 'task 5'), 'born 2030', 'born 2031']
    for (const clone of [here, there]) {
      clone.run(['rm', '-r', '.git/gza'])
      expect(contents(clone)).toEqual(expected)
    }
  })

  test.each([
    ['more lines than a shard may hold', 'shards/0000/00.jsonl'],
    ['a second spelling of a shard', 'shards/0/0.jsonl'],
    ['a shard beyond all numbers', 'shards/99999999999999999999/00.jsonl'],
  ])('%s stops nothing', (_, path) => {
    const repo = aRepo()
    const titles = aLargeLedger(repo)
    const other = aRepo()
    gza(other, 'add', 'one too many')
    const old = path === 'shards/0000/00.jsonl' ? textOf(repo, path) : ''
    putBytes(repo, path, old + textOf(other))
    for (const round of ['before', 'after']) {
      expect({ round, contents: contents(repo) }).toEqual({ round, contents: titles })
      gza(repo, 'note', '1', 'a note')
      gza(repo, 'edit', '65', '--group', 'g')
      repo.run(['rm', '-r', '.git/gza'])
    }
    expect(textOf(repo, path)).toContain('one too many')
    expect(ask<unknown[]>(repo, 'list')).toHaveLength(140)
  })
})
