import { expect, test } from 'bun:test'
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { type LogRecord, openRunLog, readRunLog, runLogPath } from '../../../src/engine/phase/run-log.ts'
import { findRepo } from '../../../src/platform/git/find-repo.ts'
import { aRepo, type Repo } from '../../support/repo.ts'
import { until } from '../../support/until.ts'

const ENTRY = { phase: 'implement', stream: 'out' as const, line: 'hello', event: [] }

function aLog(repo: Repo = aRepo(), env = {}) {
  const found = findRepo(repo.dir, repo.env)
  return {
    log: openRunLog({ repo: found, run: 'run-1', envs: [env], clock: Date.now }),
    path: runLogPath(found, 'run-1'),
    repo,
  }
}

async function all(path: string): Promise<LogRecord[]> {
  return Array.fromAsync(readRunLog(path))
}

test('lines are in the log as they came and as they were understood, with their time', async () => {
  const { log, path, repo } = aLog()
  const line = '{"type":"text","text":"é \\u0000"}'
  log.write({ phase: 'implement', stream: 'out', line, event: [{ kind: 'text', text: 'é' }] })
  log.write({ phase: 'review', stream: 'err', line: 'oh', event: [] })
  expect(path).toBe(join(repo.dir, '.gza/logs/run-1.jsonl'))
  const [first, second] = await all(path)
  expect(first).toMatchObject({ phase: 'implement', stream: 'out', line, event: [{ kind: 'text', text: 'é' }] })
  expect(second).toMatchObject({ phase: 'review', stream: 'err', line: 'oh', event: [] })
  expect(Math.abs(Date.parse(first?.at ?? '') - Date.now())).toBeLessThan(10_000)
})

test('secrets are in neither the line nor the event', () => {
  const { log, path } = aLog(aRepo(), { MY_API_KEY: 'very-secret-value' })
  log.write({ ...ENTRY, line: 'key=very-secret-value', event: [{ kind: 'text', text: 'very-secret-value' }] })
  const text = readFileSync(path, 'utf8')
  expect(text).not.toContain('very-secret-value')
  expect(JSON.parse(text)).toMatchObject({ line: 'key=[redacted]', event: [{ kind: 'text', text: '[redacted]' }] })
})

test('the log is hidden from git status, once, and is in the main working tree', () => {
  const repo = aRepo()
  repo.commit('first')
  const linked = repo.worktree('other')
  const { path, log } = aLog(linked)
  aLog(repo)
  log.write(ENTRY)
  expect(path).toBe(join(repo.dir, '.gza/logs/run-1.jsonl'))
  expect(repo.git('status', '--porcelain')).toBe('')
  expect(linked.git('status', '--porcelain')).toBe('')
  expect(readFileSync(join(repo.dir, '.git/info/exclude'), 'utf8').match(/^\/\.gza\/$/gm)).toEqual(['/.gza/'])
})

test('a bare repository and one with its git folder elsewhere have their logs too', () => {
  const bare = aLog(aRepo({ bare: true }))
  bare.log.write(ENTRY)
  expect(bare.path).toBe(join(bare.repo.dir, 'gza/logs/run-1.jsonl'))
  expect(existsSync(bare.path)).toBe(true)
  const repo = aRepo()
  const elsewhere = join(repo.dir, '../elsewhere')
  repo.git('init', '--quiet', `--separate-git-dir=${elsewhere}`)
  expect(aLog(repo).path).toBe(join(repo.dir, '.gza/logs/run-1.jsonl'))
  expect(repo.git('status', '--porcelain')).toBe('')
})

test('a log is appended to, and half a line of a killed run spoils no other', async () => {
  const { log, path, repo } = aLog()
  log.write(ENTRY)
  appendFileSync(path, '{"at":"2026-01-01","phase":"impl')
  aLog(repo).log.write({ ...ENTRY, line: 'again' })
  expect((await all(path)).map(({ line }) => line)).toEqual(['hello', 'again'])
})

test('a reader that follows gets every record as it comes, whole, until the run is over', async () => {
  const repo = aRepo()
  const found = findRepo(repo.dir, repo.env)
  const path = runLogPath(found, 'run-1')
  let isOver = false
  let looks = 0
  const isRunOver = (): boolean => {
    looks += 1
    return isOver
  }
  const seen: string[] = []
  const reading = (async () => {
    for await (const { line } of readRunLog(path, { isOver: isRunOver })) seen.push(line)
  })()
  await until(() => looks > 0)
  const { log } = aLog(repo)
  log.write({ ...ENTRY, line: 'one' })
  await until(() => seen.length > 0)
  expect(seen).toEqual(['one'])
  const record = readFileSync(path, 'utf8').replace('one', 'zwölf')
  const half = Buffer.from(record).subarray(0, record.indexOf('ö') + 1)
  appendFileSync(path, half)
  const before = looks
  await until(() => looks > before + 1)
  expect(seen).toEqual(['one'])
  appendFileSync(path, Buffer.from(record).subarray(half.length))
  log.write({ ...ENTRY, line: 'x'.repeat(3_000_000) })
  log.write({ ...ENTRY, line: 'last' })
  isOver = true
  await reading
  expect(seen.map((line) => line.slice(0, 5))).toEqual(['one', 'zwölf', 'xxxxx', 'last'])
  expect(seen[2]?.length).toBe(3_000_000)
})

test('a reader stops when it is cancelled', async () => {
  const { path } = aLog()
  const cancel = new AbortController()
  let looks = 0
  const isOver = (): boolean => {
    looks += 1
    return false
  }
  const reading = Array.fromAsync(readRunLog(path, { isOver, cancel: cancel.signal }))
  await until(() => looks > 0)
  cancel.abort()
  expect(await reading).toEqual([])
})

test('lines that could not be written are counted where the log continues', async () => {
  const { log, path } = aLog()
  log.write(ENTRY)
  // A folder in its place is what even root can't write to.
  renameSync(path, `${path}.aside`)
  mkdirSync(path)
  log.write(ENTRY)
  log.write(ENTRY)
  rmdirSync(path)
  renameSync(`${path}.aside`, path)
  log.write({ ...ENTRY, line: 'after' })
  expect((await all(path)).map(({ stream, line }) => `${stream}: ${line}`)).toEqual([
    'out: hello',
    'gza: 2 lines could not be written here',
    'out: after',
  ])
})

test('a log that can’t be written is reported before anything runs', () => {
  const repo = aRepo()
  repo.write('.gza', 'a file in the way')
  expect(() => aLog(repo)).toThrow(`The log ${repo.dir}/.gza/logs/run-1.jsonl cannot be written`)
})
