import { Database } from 'bun:sqlite'
import { beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { readLedger } from '../../src/workspace/ledger/read-ledger.ts'
import { useWorkspace } from '../../src/workspace/workspace.ts'
import { dropIndex, outputOf, stateFile } from '../support/ledger-answers.ts'
import { aRepo, type Repo } from '../support/repo.ts'

/** More than two parts of the files that are read at a time. */
const TASKS = 17_000
const FILES = 266

let repo: Repo
let expected: string

beforeAll(() => {
  repo = aRepo()
  const lines = Array.from({ length: TASKS }, (_, n) =>
    JSON.stringify({ id: `t${n}`, content: `task ${n}`, status: n % 100 === 0 ? 'pending' : 'done' }),
  )
  outputOf(repo.run(['gza', 'import', '-'], { stdin: lines.join('\n') }))
  expected = outputOf(repo.gza('list', '--json'))
})

test('the first index of a large ledger reports how many of its files are read', async () => {
  dropIndex(repo)
  const calls: [number, number][] = []
  const indexing = (done: number, total: number) => void calls.push([done, total])
  await useWorkspace({ cwd: repo.dir, env: repo.env, indexing }, readLedger)
  expect(calls).toEqual([
    [128, FILES],
    [256, FILES],
    [FILES, FILES],
  ])
  expect(outputOf(repo.gza('list', '--json'))).toBe(expected)
})

test('a process that is killed while it makes the first index leaves nothing wrong', async () => {
  for (let kill = 0; kill < 5; kill++) {
    dropIndex(repo)
    const journal = `${stateFile(repo)}-journal`
    const child = Bun.spawn(repo.argvOf(['gza', 'ready']), {
      cwd: repo.dir,
      env: repo.env,
      stdout: 'ignore',
      stderr: 'ignore',
    })
    while (child.exitCode === null && !existsSync(journal)) await Bun.sleep(1)
    child.kill('SIGKILL')
    await child.exited
    expect(outputOf(repo.gza('list', '--json'))).toBe(expected)
  }
  const db = new Database(stateFile(repo), { readonly: true })
  expect(db.query('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  db.close()
  expect(existsSync(`${stateFile(repo)}-journal`)).toBe(false)
})

test('several first commands at once all get the same answer', async () => {
  dropIndex(repo)
  const all = await Promise.all(Array.from({ length: 4 }, () => repo.start(['gza', 'list', '--json'])))
  expect(all.map(outputOf)).toEqual(Array(4).fill(expected))
})

test('a large history is checked in parts, and what is wrong in one of them is found', () => {
  expect(outputOf(repo.gza('verify'))).toContain('1 commit')
  const text = repo.git('show', 'refs/tasks/main:shards/0002/50.jsonl')
  const lines = text.split('\n')
  const [first = ''] = lines
  const forged = first.replace('"content":"task ', '"content":"Task ')
  const blob = repo
    .run(['git', 'hash-object', '-w', '--stdin'], { stdin: `${[forged, ...lines.slice(1)].join('\n')}\n` })
    .stdout.trim()
  const env = { ...repo.env, GIT_INDEX_FILE: `${repo.dir}/.git/forged` }
  const git = (...args: string[]) => outputOf(repo.run(['git', ...args], { env })).trim()
  git('read-tree', 'refs/tasks/main')
  git('update-index', '--add', '--cacheinfo', `100644,${blob},shards/0002/50.jsonl`)
  const commit = git('commit-tree', git('write-tree'), '-m', 'All at once', '-m', 'Mode: human')
  repo.git('update-ref', 'refs/tasks/forged', commit)
  const { id } = JSON.parse(forged)
  const found = repo.gza('verify', '--branch', 'forged')
  expect(found.code).toBe(1)
  expect(found.stdout + found.stderr).toContain(`${id}: content does not match its id`)
})
