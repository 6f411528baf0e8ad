import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { taskLine } from '../../src/core/ledger/task-line.ts'
import { answersOf, linesOf, rebuiltAnswers } from '../support/ledger-answers.ts'
import { add, aStartedRepo, gza } from '../support/ledger-calls.ts'
import type { Repo } from '../support/repo.ts'
import {
  anyForeignLedger,
  type Files,
  foreignLine,
  foreignTask,
  readFiles,
  taskLines,
  writeLedger,
} from './foreign-ledger.ts'

/** A ledger with these lines in tasks.jsonl, made by plain git. */
function ledgerOf(repo: Repo, ...lines: string[]): void {
  writeLedger(repo, 'main', new Map([['tasks.jsonl', Buffer.from(`${lines.join('\n')}\n`).toString('latin1')]]))
}

test('a line of more than 1 KB that another program wrote survives the next change of its neighbour', () => {
  const repo = aStartedRepo()
  const long = taskLine(foreignTask(1, { length: 3000 }))
  ledgerOf(repo, long, taskLine(foreignTask(2)))
  gza(repo, 'note', '2', 'beside it')
  gza(repo, 'add', 'after it')
  expect(readFiles(repo, 'main').get('tasks.jsonl')?.split('\n')[0]).toBe(Buffer.from(long).toString('latin1'))
  expect(linesOf(gza(repo, 'export'))[0]).toBe(long)
  expect(repo.gza('verify').code).toBe(0)
})

test('a long line becomes short when its own task changes, and nothing of it is lost', () => {
  const repo = aStartedRepo()
  const task = foreignTask(1, { length: 3000 })
  ledgerOf(repo, taskLine(task))
  gza(repo, 'note', '1', 'of its own')
  const files = readFiles(repo, 'main')
  expect(files.get('tasks.jsonl')?.length).toBeLessThanOrEqual(1024)
  const [exported] = linesOf(gza(repo, 'export'))
  expect(JSON.parse(exported ?? '')).toMatchObject({ content: task.content, notes: [{}, { text: 'of its own' }] })
  expect(repo.gza('verify').code).toBe(0)
})

test('a change in a tail that has more tasks than gza would leave there keeps all of them', () => {
  const repo = aStartedRepo()
  ledgerOf(repo, ...Array.from({ length: 100 }, (_, n) => taskLine(foreignTask(n + 1))))
  gza(repo, 'note', '90', 'near the end')
  expect(linesOf(gza(repo, 'export'))).toHaveLength(100)
  gza(repo, 'add', 'one more')
  expect(linesOf(gza(repo, 'export'))).toHaveLength(101)
  expect([...readFiles(repo, 'main').keys()]).toContain('shards/0000/00.jsonl')
  expect(answersOf(repo)).toEqual(rebuiltAnswers(repo))
})

test('a full shard without a tail stays where it is', () => {
  const repo = aStartedRepo()
  const shard = `${Array.from({ length: 64 }, (_, n) => taskLine(foreignTask(n + 1))).join('\n')}\n`
  writeLedger(repo, 'main', new Map([['shards/0000/00.jsonl', Buffer.from(shard).toString('latin1')]]))
  gza(repo, 'note', '7', 'in the shard')
  expect([...readFiles(repo, 'main').keys()]).toEqual(['shards/0000/00.jsonl'])
  gza(repo, 'add', 'one more')
  expect(linesOf(gza(repo, 'export'))).toHaveLength(65)
  expect(answersOf(repo)).toEqual(rebuiltAnswers(repo))
})

test('every byte of every task that a change is not about stays, whatever program wrote it', () => {
  const repo = aStartedRepo()
  let runs = 0
  fc.assert(
    fc.property(anyForeignLedger, fc.nat(200), ({ lines, files }, pick) => {
      const ledger = `ledger-${runs++}`
      writeLedger(repo, ledger, files)
      const { task } = lines[pick % lines.length] as (typeof lines)[number]
      const steps = [
        ['note', task.id, 'a change'],
        ['add', 'A new task'],
        ['done', task.id],
      ]
      for (const step of steps) {
        gza(repo, ...step, '--branch', ledger)
        expect(othersIn(readFiles(repo, ledger), task.uid)).toEqual(othersIn(files, task.uid))
      }
      const read = () => gza(repo, 'export', '--branch', ledger)
      const before = read()
      repo.run(['rm', '-f', '.git/gza/state.db', '.git/gza/state.db-wal', '.git/gza/state.db-shm'])
      expect(read()).toBe(before)
    }),
    { numRuns: 12 },
  )
})

/** Everything but the changed task, the new one, and the large file of the changed one. */
function othersIn(files: Files, uid: string): { lines: string[]; files: [string, string][] } {
  const isOther = (text: string) => !text.includes(`"${uid}"`) && !text.includes('A new task')
  const beside = [...files].filter(([path]) => !path.endsWith('.jsonl') && !path.includes(uid))
  return { lines: taskLines(files).filter(isOther), files: beside.sort() }
}

test('a join keeps the bytes of tasks that only one side has, and files that gza does not know', () => {
  const origin = aStartedRepo()
  const [ann, ben] = [origin.clone(), origin.clone()]
  const odd = foreignLine(foreignTask(1, { length: 3000, extra: { later: 1 } }), 2, false)
  const large = foreignLine(foreignTask(2, { length: 20 }), 3, true)
  const path = `large/${large.task.uid.slice(0, 2)}/${large.task.uid}.json`
  const bytes = (text: string) => Buffer.from(text).toString('latin1')
  const files: Files = new Map([
    ['tasks.jsonl', bytes(`${odd.text}\n${large.text}\n`)],
    [path, bytes(large.large ?? '')],
    ['later/of a newer version.txt', 'kept\n'],
  ])
  writeLedger(ann, 'main', files)
  add(ben, 'filed by Ben')
  gza(ben, 'sync')
  gza(ann, 'sync')
  gza(ben, 'sync')
  for (const repo of [ann, ben]) {
    const after = readFiles(repo, 'main')
    expect(taskLines(after)).toEqual(expect.arrayContaining(taskLines(files)))
    expect([after.get(path), after.get('later/of a newer version.txt')]).toEqual([files.get(path), 'kept\n'])
    expect(repo.gza('verify').code).toBe(0)
  }
  gza(ann, 'note', odd.task.id, 'here')
  add(ben, 'one more')
  gza(ann, 'sync')
  gza(ben, 'sync')
  expect(taskLines(readFiles(ben, 'main'))).toContain(bytes(large.text))
})
