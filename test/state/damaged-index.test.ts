import { Database } from 'bun:sqlite'
import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { answersOf, dropIndex, exportedTasks, outputOf, stateFile } from '../support/ledger-answers.ts'
import { aRepo, type Repo } from '../support/repo.ts'

const PAGE = 4096
const ROOM = 180_000

let repo: Repo
let state: string
/** The sound index, all of it in one file. */
let sound: Buffer
let answers: Record<string, unknown>
let tip: string

beforeAll(() => {
  repo = aRepo()
  const lines = Array.from({ length: 150 }, (_, n) => ({
    ...{ key: `k${n}`, content: `task ${n} ${'x'.repeat(n)}`, status: n % 4 === 0 ? 'done' : 'pending' },
    ...(n % 3 === 2 && { after: `k${n - 1}` }),
  }))
  outputOf(repo.run(['gza', 'import', '-'], { stdin: lines.map((line) => JSON.stringify(line)).join('\n') }))
  outputOf(repo.run(['gza', 'add', '-'], { stdin: 'a long one\n'.repeat(4000) }))
  answers = answersOf(repo)
  tip = repo.git('rev-parse', 'refs/tasks/main')
  state = stateFile(repo)
  const db = new Database(state)
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  sound = readFileSync(state)
})

afterEach(() => {
  repo.git('update-ref', 'refs/tasks/main', tip)
})

function putIndex(bytes: Buffer): void {
  dropIndex(repo)
  rmSync(`${state}.damaged`, { force: true })
  writeFileSync(state, bytes)
}

function pageCount(): number {
  return sound.length / PAGE
}

/** The n-th page overwritten: never a valid page, whatever it was. */
function withoutPage(n: number): Buffer {
  const bytes = Buffer.from(sound)
  bytes.fill(0xa5, n * PAGE, (n + 1) * PAGE)
  return bytes
}

function expectSameAnswers(bytes: Buffer): void {
  putIndex(bytes)
  expect(answersOf(repo)).toEqual(answers)
}

describe('the same answers come, and no word about it, from an index that is', () => {
  test('missing', () => {
    dropIndex(repo)
    expect(repo.gza('ready').stderr).toBe('')
    expect(answersOf(repo)).toEqual(answers)
  })

  test('empty, or cut off anywhere', () => {
    const lengths = [
      0,
      1,
      16,
      99,
      100,
      PAGE - 1,
      PAGE,
      PAGE + 1,
      sound.length / 2,
      sound.length - PAGE,
      sound.length - 1,
    ]
    for (const length of lengths) expectSameAnswers(sound.subarray(0, Math.floor(length)))
  })

  test('random bytes, or text', () => {
    expectSameAnswers(Buffer.from(crypto.getRandomValues(new Uint8Array(3 * PAGE))))
    expectSameAnswers(Buffer.from('not a database\n'.repeat(1000)))
    expectSameAnswers(Buffer.concat([sound.subarray(0, 100), crypto.getRandomValues(new Uint8Array(3 * PAGE))]))
  })

  test(
    'broken in the middle, on whatever page',
    () => {
      for (let page = 0; page < pageCount(); page += 3) expectSameAnswers(withoutPage(page))
    },
    ROOM,
  )

  test('older or newer than this release', () => {
    for (const version of [0, 1, 999]) {
      putIndex(sound)
      const db = new Database(state)
      db.run(`PRAGMA user_version = ${version}`)
      db.run('DROP TABLE entries')
      db.run('CREATE TABLE "from another release" (x)')
      db.close()
      expect(answersOf(repo)).toEqual(answers)
    }
  })

  test('without a table that its version promises', () => {
    putIndex(sound)
    const db = new Database(state)
    db.run('DROP TABLE entries')
    db.close()
    expect(answersOf(repo)).toEqual(answers)
  })

  test('a line that is not what was written', () => {
    putIndex(sound)
    const db = new Database(state)
    db.run(`UPDATE lines SET line = replace(line, 'task 7 ', 'task X ')`)
    db.run('DELETE FROM lines WHERE row IN (SELECT row FROM lines LIMIT 1)')
    db.close()
    expect(answersOf(repo)).toEqual(answers)
  })
})

describe('a write on a damaged index is made once, and puts nothing wrong into the ledger:', () => {
  function expectOneCommit(bytes: Buffer, ...args: string[]): void {
    putIndex(bytes)
    outputOf(repo.gza(...args))
    expect(repo.git('rev-list', '--count', `${tip}..refs/tasks/main`)).toBe('1')
    const before = new Map(
      answers.export
        ?.toString()
        .split('\n')
        .map((line) => [line, true]),
    )
    const changed = outputOf(repo.gza('export'))
      .split('\n')
      .filter((line) => !before.has(line))
    expect(changed).toHaveLength(1)
    repo.git('update-ref', 'refs/tasks/main', tip)
  }

  for (const args of [
    ['add', 'new'],
    ['note', '30', 'a note'],
    ['done', '70'],
  ]) {
    test(
      args.join(' '),
      () => {
        for (let page = 0; page < pageCount(); page += 5) expectOneCommit(withoutPage(page), ...args)
      },
      ROOM,
    )
  }

  test('a task whose row was lost is still in its shard after the next write', () => {
    putIndex(sound)
    const db = new Database(state)
    db.run('DELETE FROM entries WHERE number = 31')
    db.close()
    outputOf(repo.gza('note', '30', 'a note'))
    expect(exportedTasks(repo).map(({ number }) => number)).toEqual(Array.from({ length: 151 }, (_, n) => n + 1))
    expect(repo.git('show', 'refs/tasks/main:shards/0000/00.jsonl').split('\n')).toHaveLength(64)
  })
})

test('twenty commands at once on a damaged index all succeed', async () => {
  putIndex(withoutPage(0))
  const commands = Array.from({ length: 20 }, (_, n) => (n % 2 ? ['list', '--all', '--json'] : ['add', `new ${n}`]))
  const results = await Promise.all(commands.map((args) => repo.start(['gza', ...args])))
  expect(results.filter(({ code }) => code !== 0)).toEqual([])
  expect(repo.git('rev-list', '--count', `${tip}..refs/tasks/main`)).toBe('10')
  const kept = answersOf(repo)
  dropIndex(repo)
  expect(answersOf(repo)).toEqual(kept)
})

test('a folder where the index should be costs the index, not the answers', () => {
  dropIndex(repo)
  mkdirSync(state)
  try {
    expect(answersOf(repo)).toEqual(answers)
  } finally {
    rmSync(state, { recursive: true })
  }
})
