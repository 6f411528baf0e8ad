/** After a power cut, files that were not synced to disk are empty. */
import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { exportedTasks, linesOf, outputOf, stateFile } from '../../support/ledger-answers.ts'
import { aRepo, type Repo } from '../../support/repo.ts'

function aLedger(): Repo {
  const repo = aRepo()
  for (const content of ['first', 'second', 'lost']) outputOf(repo.gza('add', content))
  return repo
}

type Kind = 'commit' | 'tree' | 'blob'

/** Empties the objects of these kinds that the last write made. */
function cut(repo: Repo, kinds: readonly Kind[]): void {
  for (const line of linesOf(repo.git('rev-list', '--objects', 'refs/tasks/main', '^refs/tasks/main~1'))) {
    const oid = line.split(' ')[0] as string
    const path = join(repo.dir, '.git/objects', oid.slice(0, 2), oid.slice(2))
    if (!kinds.includes(repo.git('cat-file', '-t', oid) as Kind)) continue
    chmodSync(path, 0o644)
    truncateSync(path)
  }
}

function cutIndex(repo: Repo): void {
  for (const suffix of ['', '-wal', '-shm']) {
    const path = stateFile(repo) + suffix
    if (existsSync(path)) truncateSync(path)
  }
}

const DESTRUCTIVE = /\brm\b|remove|delete|discard|--force|reset|prune/i

describe('objects of the last write are empty:', () => {
  for (const isIndexed of [true, false])
    for (const kinds of [['commit'], ['tree'], ['commit', 'tree', 'blob']] as Kind[][]) {
      test(`${kinds.join(', ')}, and the index is ${isIndexed ? 'there' : 'empty too'}`, () => {
        const repo = aLedger()
        cut(repo, kinds)
        if (!isIndexed) cutIndex(repo)

        const { code, stderr } = repo.gza('add', 'on damaged ground')
        expect(code).toBe(1)
        expect(stderr).toContain('Nothing was changed.')
        expect(stderr).toContain('git fsck')
        expect(stderr).not.toMatch(DESTRUCTIVE)
        expect(repo.run(['git', 'fsck', '--full']).code).not.toBe(0)

        // What the hint and git say: the reflog has the commit before.
        const [, before] =
          linesOf(readFileSync(join(repo.dir, '.git/logs/refs/tasks/main'), 'utf8'))
            .at(-1)
            ?.match(/^(\S+)/) ?? []
        repo.git('update-ref', 'refs/tasks/main', before as string)
        expect(exportedTasks(repo).map(({ content }) => content)).toEqual(['first', 'second'])
        outputOf(repo.gza('add', 'third'))
        // A commit that is whole is remembered, although its tree is lost.
        const verified = repo.gza('verify').stdout
        expect(verified).toStartWith(kinds.includes('commit') ? 'main: ok' : 'main: NOT OK')
      })
    }

  test('a write that makes the same object again mends it', () => {
    const repo = aLedger()
    const blob = repo.git('rev-parse', 'refs/tasks/main:format')
    const path = join(repo.dir, '.git/objects', blob.slice(0, 2), blob.slice(2))
    chmodSync(path, 0o644)
    truncateSync(path)
    repo.git('symbolic-ref', 'HEAD', 'refs/heads/other')
    outputOf(repo.gza('add', 'in another ledger'))
    expect(repo.git('cat-file', 'blob', blob)).toBe('1')
    expect(outputOf(repo.gza('verify'))).toStartWith('other: ok')
  })
})

test('with core.fsync=all git syncs every object and the ref before a write is reported', () => {
  const repo = aLedger()
  repo.git('config', 'core.fsync', 'all')
  const trace = join(repo.dir, '../trace')
  outputOf(repo.withEnv({ GIT_TRACE2_EVENT: trace }).gza('add', 'synced'))
  const events = linesOf(readFileSync(trace, 'utf8')).map((line) => JSON.parse(line))
  const commands = new Map(events.flatMap(({ event, sid, name }) => (event === 'cmd_name' ? [[sid, name]] : [])))
  const synced = (command: string) =>
    events
      .filter(({ key, sid }) => key === 'fsync/hardware-flush' && commands.get(sid) === command)
      .reduce((sum, { value }) => sum + Number(value), 0)
  // The file, its folder and the commit; then the ref.
  expect(synced('unpack-objects')).toBeGreaterThanOrEqual(3)
  expect(synced('update-ref')).toBeGreaterThanOrEqual(1)

  cutIndex(repo)
  expect(exportedTasks(repo).map(({ content }) => content)).toEqual(['first', 'second', 'lost', 'synced'])
  expect(outputOf(repo.gza('verify'))).toStartWith('main: ok')
})
