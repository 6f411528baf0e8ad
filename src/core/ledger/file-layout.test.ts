import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { anyHistory } from '../../../test/support/arbitrary-history.ts'
import { aTask } from '../../../test/support/arbitrary-task.ts'
import {
  compareOrder,
  fileOfShard,
  fileText,
  fullShards,
  isTaskFile,
  largeFile,
  SHARD_TASKS,
  shardOfFile,
  uidOfLargeFile,
  writeTask,
} from './file-layout.ts'
import { joinTasks } from './join-tasks.ts'
import { taskLine } from './task-line.ts'

/** The file of each task of a ledger of that size, each file once. */
function filesOf(taskCount: number): string[] {
  const shards = Array.from({ length: taskCount }, (_, place) => Math.floor(place / SHARD_TASKS))
  return [...new Set(shards.map((shard) => fileOfShard(shard, taskCount)))]
}

describe('files', () => {
  test('the first 64 tasks are in tasks.jsonl, and each 64 more fill a shard before it', () => {
    expect(filesOf(1)).toEqual(['tasks.jsonl'])
    expect(filesOf(64)).toEqual(['tasks.jsonl'])
    expect(filesOf(65)).toEqual(['shards/0000/00.jsonl', 'tasks.jsonl'])
    expect(filesOf(128)).toEqual(['shards/0000/00.jsonl', 'tasks.jsonl'])
    expect(filesOf(129)).toEqual(['shards/0000/00.jsonl', 'shards/0000/01.jsonl', 'tasks.jsonl'])
  })

  test('100 shards fill a folder', () => {
    expect(filesOf(6400).at(-2)).toBe('shards/0000/98.jsonl')
    expect(filesOf(6465).slice(-3)).toEqual(['shards/0000/99.jsonl', 'shards/0001/00.jsonl', 'tasks.jsonl'])
    expect(fileOfShard(1_000_000, 100_000_000)).toBe('shards/10000/00.jsonl')
  })

  test('a shard is recognised by its path, and nothing else is taken for one', () => {
    fc.assert(
      fc.property(fc.nat(2_000_000), (shard) => {
        const path = fileOfShard(shard, (shard + 2) * SHARD_TASKS)
        expect([isTaskFile(path), shardOfFile(path)]).toEqual([true, shard])
      }),
    )
    expect(isTaskFile('tasks.jsonl')).toBe(true)
    for (const path of ['format', 'artifacts/tasks.jsonl', 'shards/0000/00.json', 'shards/x/00.jsonl', 'x/tasks.jsonl'])
      expect([isTaskFile(path), shardOfFile(path)]).toEqual([false, null])
  })

  test('a full shard keeps its name and its tasks as the ledger grows', () => {
    fc.assert(
      fc.property(fc.nat(20_000), fc.nat(20_000), (count, more) => {
        for (let shard = Math.max(0, fullShards(count) - 2); shard < fullShards(count); shard++)
          expect(fileOfShard(shard, count + more)).toBe(fileOfShard(shard, count))
      }),
    )
  })

  test('a large file is recognised by its path', () => {
    const { uid } = aTask()
    expect(largeFile(uid)).toBe(`large/${uid.slice(0, 2)}/${uid}.json`)
    expect(uidOfLargeFile(largeFile(uid))).toBe(uid)
    expect(uidOfLargeFile(`large/zz/${uid}.json`)).toBeNull()
  })
})

describe('the order of tasks', () => {
  test('is by birth number, then time, then uid, so that it is the same everywhere', () => {
    fc.assert(
      fc.property(anyHistory, fc.infiniteStream(fc.double({ noNaN: true })), ({ clones: [a = [], b = []] }, dice) => {
        const tasks = joinTasks(a, b)
        const shuffled = tasks
          .map((task) => ({ task, at: dice.next().value as number }))
          .sort((x, y) => x.at - y.at)
          .map(({ task }) => task)
        const order = [...tasks].sort(compareOrder).map(({ uid }) => uid)
        expect(shuffled.sort(compareOrder).map(({ uid }) => uid)).toEqual(order)
      }),
    )
  })

  test('is defined even between tasks that two clones filed under one number in the same second', () => {
    const twins = ['one', 'two', 'three'].map((content) => aTask({ content }))
    const uids = twins.map(({ uid }) => uid).sort()
    for (const tasks of [twins, [...twins].reverse()])
      expect([...tasks].sort(compareOrder).map(({ uid }) => uid)).toEqual(uids)
  })

  test('never changes, whatever happens to a task', () => {
    fc.assert(
      fc.property(anyHistory, ({ steps }) => {
        for (const { before, after } of steps) expect(compareOrder(before, after)).toBe(0)
      }),
    )
  })
})

describe('a line', () => {
  test('up to 1 KB is in the shard unchanged', () => {
    const overhead = Buffer.byteLength(taskLine(aTask({ content: '' })))
    const full = taskLine(aTask({ content: 'x'.repeat(1024 - overhead) }))
    expect(writeTask(full)).toEqual({ line: full, large: null })
    const longer = taskLine(aTask({ content: 'x'.repeat(1025 - overhead) }))
    expect(writeTask(longer).large).toBe(`${longer}\n`)
  })

  test('above 1 KB becomes a short one that names the file with the full text', () => {
    const task = aTask({
      content: `${'é'.repeat(2000)}\nmore`,
      created_by: 'b'.repeat(500),
      after: [`task-${'a'.repeat(40)}`],
    })
    const { line, large } = writeTask(taskLine(task))
    expect(large).toBe(`${taskLine(task)}\n`)
    expect(JSON.parse(line)).toEqual({
      id: task.id,
      content: 'é'.repeat(60),
      status: 'pending',
      created_at: task.created_at,
      created_by: 'b'.repeat(30),
      after: null,
      closed_at: null,
      closed_commit: null,
      notes: [],
      uid: task.uid,
      number: 1,
      large: largeFile(task.uid),
    })
  })

  test('short or not, is never longer than 1 KB, so that no shard exceeds 64 KB', () => {
    const anyWord = fc.string({ unit: fc.constantFrom('x', 'é', '\u0001', '漢', '🦄', '"'), maxLength: 2000 })
    fc.assert(
      fc.property(anyWord, anyWord, (content, created_by) => {
        expect(Buffer.byteLength(writeTask(taskLine(aTask({ content, created_by }))).line)).toBeLessThanOrEqual(1024)
      }),
    )
    const closed = { status: 'completed', closed_at: '2026-01-02T10:00:00Z', closed_commit: 'c'.repeat(64) } as const
    const worst = aTask({
      content: '\u0001'.repeat(900),
      created_by: '\u0001'.repeat(90),
      number: 99_999_999,
      ...closed,
    })
    const { line } = writeTask(taskLine({ ...worst, id: `task-${worst.uid}` }))
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(1024)
  })

  test('of a file ends with a line break', () => {
    expect(fileText(['{"a":1}', '{"b":2}'])).toBe('{"a":1}\n{"b":2}\n')
    expect(fileText([])).toBe('')
  })
})
