/** After a power cut, files that were not synced to disk are empty. */
import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  answersOf,
  dropIndex,
  exportedTasks,
  linesOf,
  outputOf,
  rebuiltAnswers,
  stateFile,
} from '../../support/ledger-answers.ts'
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

describe('the index is not synced after a write:', () => {
  /** A ledger whose last writes are only in the log of the index. */
  function withLog(): { repo: Repo; index: Buffer; log: Buffer; answers: Record<string, unknown> } {
    const repo = aLedger()
    const db = new Database(stateFile(repo))
    db.run('PRAGMA wal_checkpoint(TRUNCATE)')
    db.close()
    const index = readFileSync(stateFile(repo))
    outputOf(repo.gza('add', 'after 1', '--after', '1'))
    outputOf(repo.gza('done', '1'))
    // Nothing but the log has changed, so that no part of the index can be newer than another.
    expect(readFileSync(stateFile(repo)).equals(index)).toBe(true)
    const log = readFileSync(`${stateFile(repo)}-wal`)
    const answers = answersOf(repo)
    expect(rebuiltAnswers(repo)).toEqual(answers)
    return { repo, index, log, answers }
  }

  function put(repo: Repo, index: Buffer, log: Buffer): void {
    dropIndex(repo)
    writeFileSync(stateFile(repo), index)
    writeFileSync(`${stateFile(repo)}-wal`, log)
  }

  test('whatever is left of its log, the answers are the same', () => {
    const { repo, index, log, answers } = withLog()
    const lengths = [0, 1, 31, 32, 100, 4151, 4152, 4153, ...[0.2, 0.4, 0.6, 0.8].map((part) => log.length * part)]
    for (const length of [...lengths, log.length - 1, log.length]) {
      put(repo, index, log.subarray(0, Math.floor(length)))
      expect(answersOf(repo)).toEqual(answers)
    }
  })

  test('so they are if parts of the log are empty, and it is written again', () => {
    const { repo, index, log, answers } = withLog()
    for (const part of [0, 0.3, 0.5, 0.9]) {
      const torn = Buffer.from(log)
      torn.fill(0, Math.floor(log.length * part), Math.floor(log.length * part) + 4096)
      put(repo, index, torn)
      expect(answersOf(repo)).toEqual(answers)
    }
    outputOf(repo.gza('add', 'afterwards'))
    const after = answersOf(repo)
    expect(rebuiltAnswers(repo)).toEqual(after)
  })

  test('the log stays short, however many writes there are', () => {
    const repo = aLedger()
    const sizes = Array.from({ length: 20 }, (_, n) => {
      outputOf(repo.gza('add', `task ${n}`))
      return readFileSync(`${stateFile(repo)}-wal`).length
    })
    expect(Math.max(...sizes)).toBeLessThan(512 * 1024)
    expect(sizes).toContain(0)
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
