import { expect, test } from 'bun:test'
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { type LogRecord, runLogPath } from '../../../src/engine/log/log-record.ts'
import { readRunLog } from '../../../src/engine/log/read-run-log.ts'
import { openRunLog } from '../../../src/engine/log/run-log.ts'
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
  log.write({ ...ENTRY, line: 'x'.repeat(60_000) })
  log.write({ ...ENTRY, line: 'last' })
  isOver = true
  await reading
  expect(seen.map((line) => line.slice(0, 5))).toEqual(['one', 'zwölf', 'xxxxx', 'last'])
  expect(seen[2]?.length).toBe(60_000)
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

test('a long line keeps its head and its tail, and no half of a secret', async () => {
  const { log, path } = aLog(aRepo(), { MY_API_KEY: 'very-secret-value' })
  // Wherever the line is cut, a secret is there.
  const line = `begin ${'very-secret-value,'.repeat(200_000)} end`
  log.write({ ...ENTRY, line, event: [{ kind: 'text', text: line }] })
  log.flush()
  const [record] = (await all(path)) as (LogRecord & { event: [{ text: string }] })[]
  for (const text of [record?.line, record?.event[0].text]) {
    expect(text).toMatch(/^begin \[redacted\],.*… \([\d,]+ bytes cut\) ….*,\[redacted\], end$/)
    expect(text).not.toMatch(/secret|very|value/)
  }
  expect(readFileSync(path).length).toBeLessThan(200_000)
})

test('of more lines than a reader can take, the log keeps the last, whole ones without secrets, and what matters', async () => {
  const { log, path } = aLog(aRepo(), { MY_API_KEY: 'very-secret-value' })
  const eventOf = () => []
  const session = { ...ENTRY, line: 'the session', event: [{ kind: 'session', id: 's1' }] }
  for (let number = 0; number < 20_000; number++) {
    log.write({ ...ENTRY, line: `line ${number} very-secret-value` })
    if (number === 10_000) log.write(session)
  }
  const many = Array.from({ length: 20_000 }, (_, number) => `flood ${number} very-secret-value`)
  log.flood({ phase: 'implement', stream: 'out', lines: Buffer.from(many.join('\n')), eventOf })
  log.write({ ...ENTRY, line: 'last' })
  log.flush()
  const records = await all(path)
  const lines = records.map(({ line }) => line)
  expect(lines[0]).toBe('line 0 [redacted]')
  expect(lines.slice(-2)).toEqual(['flood 19999 [redacted]', 'last'])
  expect(lines).toContain('the session')
  expect(records.filter(({ stream }) => stream === 'gza').map(({ line }) => line)).toContainEqual(
    expect.stringMatching(/^[\d.]+ [KM]B were left out here: they were printed too fast$/),
  )
  for (const line of lines) expect(line).toMatch(/^(line|flood) \d+ \[redacted\]$|^last$|^the session$| were left out /)
  expect(readFileSync(path).length).toBeLessThan(3_000_000)
})

test('a log that grows too long keeps its beginning and its end, also for a reader that follows', async () => {
  const { log, path } = aLog()
  let isOver = false
  const followed: number[] = []
  const notes: string[] = []
  const reading = (async () => {
    for await (const { stream, line } of readRunLog(path, { isOver: () => isOver })) {
      if (stream === 'gza') notes.push(line)
      else followed.push(Number.parseInt(line, 10))
    }
  })()
  const text = 'x'.repeat(50_000)
  for (let number = 0; number < 900; number++) {
    log.write({ ...ENTRY, line: `${number} ${text}`, event: [{ kind: 'error' }] })
    // The reader sees the log in every state: short, long, and cut.
    if (number % 20 === 0) await until(() => followed.at(-1) === number)
  }
  isOver = true
  await reading
  expect(followed).toEqual(Array.from({ length: 900 }, (_, number) => number))
  const records = await all(path)
  const cut = records.findIndex(({ stream }) => stream === 'gza')
  expect(records.filter(({ stream }) => stream === 'gza').map(({ line }) => line)).toEqual([
    expect.stringMatching(/^3\d\.\d MB were cut out of the log here/),
  ])
  const numbers = records.map(({ line }) => Number.parseInt(line, 10))
  expect(numbers.slice(0, cut)).toEqual(Array.from({ length: cut }, (_, number) => number))
  expect(numbers.slice(cut + 1)).toEqual(
    Array.from({ length: records.length - cut - 1 }, (_, at) => 900 - (records.length - cut - 1) + at),
  )
  expect(notes).toEqual([])
  expect(readFileSync(path).length).toBeLessThan(17_000_000)
})
