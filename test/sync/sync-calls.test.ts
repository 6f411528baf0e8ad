import { expect, test } from 'bun:test'
import { gitCallsOf } from '../support/git-calls.ts'
import { add, ask, contents, gza, treeOf } from '../support/ledger-calls.ts'
import { aRepo, type Repo } from '../support/repo.ts'

/** The programs of git that answer at the other end. */
const ANSWERING = ['upload-pack', 'receive-pack']

test('a sync with nothing new asks the remote once, and starts no other git process', () => {
  const clone = aRepo({ bare: true }).clone()
  for (const branch of ['main', 'a', 'b', 'c/d']) gza(clone, 'add', `on ${branch}`, '--branch', branch, '--create')
  gza(clone, 'sync')
  gza(clone, 'sync')
  const calls = gitCallsOf(clone, 'sync')
  expect(calls.filter((call) => ANSWERING.includes(call))).toEqual(['upload-pack'])
  expect(ownCalls(calls)).toEqual([])
})

test('a sync that has only local changes to exchange asks the remote twice', () => {
  const clone = aRepo({ bare: true }).clone()
  add(clone, 'one')
  gza(clone, 'sync')
  add(clone, 'two')
  const calls = gitCallsOf(clone, 'sync')
  expect(calls.filter((call) => ANSWERING.includes(call))).toEqual(['upload-pack', 'receive-pack'])
})

test('a first sync checks a history of thirty commits in the same processes as one of three', () => {
  const [short, long] = [3, 30].map((commits) => {
    const origin = aRepo({ bare: true })
    const [ann, ben] = [origin.clone(), origin.clone()]
    for (let task = 0; task < commits; task++) add(ann, `Task ${task}`)
    gza(ann, 'sync')
    return ownCalls(gitCallsOf(ben, 'sync'))
  })
  expect(long).toEqual(short as string[])
})

/** Without the processes that the exchange itself consists of. */
function ownCalls(calls: readonly string[]): string[] {
  const exchange = [
    ...ANSWERING,
    'fetch',
    'ls-remote',
    'push',
    'rev-list',
    'index-pack',
    'unpack-objects',
    'send-pack',
    'pack-objects',
  ]
  return calls.filter((call) => !exchange.includes(call))
}

test('a join of two ledgers reads and writes only the files that differ', () => {
  const [ann, ben] = twoLargeClones(400)
  for (const [clone, name] of [
    [ann, 'ann'],
    [ben, 'ben'],
  ] as const) {
    add(clone, `of ${name}`)
    gza(clone, 'note', name === 'ann' ? '3' : '200', `a remark of ${name}`)
  }
  gza(ann, 'sync')
  gza(ben, 'sync')
  gza(ann, 'sync')
  expect(treeOf(ann)).toBe(treeOf(ben))
  expect(contents(ben)).toHaveLength(402)
  expect(ben.gza('verify').code).toBe(0)
  const changed = ben.git('diff-tree', '-r', '--name-only', 'refs/tasks/main^1', 'refs/tasks/main')
  expect(changed.split('\n').filter(Boolean).sort()).toEqual(['shards/0000/00.jsonl', 'tasks.jsonl'])
  // The index is what a new one would be.
  const kept = ask(ben, 'list', '--all')
  ben.run(['rm', '-rf', '.git/gza'])
  expect(ask(ben, 'list', '--all')).toEqual(kept)
})

/** Each has all the tasks, from one import. */
function twoLargeClones(tasks: number): [Repo, Repo] {
  const origin = aRepo({ bare: true })
  const [ann, ben] = [origin.clone(), origin.clone()]
  const lines = Array.from({ length: tasks }, (_, at) => JSON.stringify({ id: `t${at}`, content: `Task ${at}` }))
  ann.write('tasks.jsonl', `${lines.join('\n')}\n`)
  gza(ann, 'import', 'tasks.jsonl')
  gza(ann, 'sync')
  gza(ben, 'sync')
  return [ann, ben]
}
