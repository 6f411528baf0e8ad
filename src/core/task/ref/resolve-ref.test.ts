import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { command } from '../../sentence.ts'
import { UserError } from '../../user-error.ts'
import { formerNames } from './ref-errors.ts'
import { type Candidate, parseRef, type RefLookup, resolveRef } from './resolve-ref.ts'

interface Stored extends Candidate {
  claimed: number[]
}

function aTask(hex: string, more: Partial<Stored> = {}): Stored {
  const number = more.number ?? 1
  return {
    ...{ uid: hex.padEnd(40, '0'), id: `task-${hex.slice(0, 4)}`, title: `Title ${hex}`, deleted: false },
    ...{ number, claimed: [number], ...more },
  }
}

/** The lookup in the slow and obvious way. */
function lookupIn(tasks: readonly Stored[]): RefLookup {
  return {
    byNumber: (n) => tasks.filter((task) => task.claimed.includes(n)),
    byUidPrefix: (hex) => tasks.filter((task) => task.uid.startsWith(hex)),
    byId: (id) => tasks.find((task) => task.id === id),
    byKey: (key) => tasks.filter((task) => task.key?.toLowerCase() === key.toLowerCase()),
    near: (id) => tasks.filter((task) => task.id.slice(0, 7) === id.slice(0, 7)),
  }
}

function resolve(ref: string, tasks: readonly Stored[]): string {
  return resolveRef(ref, lookupIn(tasks), 'main').task.id
}

function refusal(ref: string, tasks: readonly Stored[]): Pick<UserError, 'code' | 'message' | 'hint' | 'exitCode'> {
  try {
    resolve(ref, tasks)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const { code, message, hint, exitCode } = error
    return { code, message, hint, exitCode }
  }
  throw new Error(`${ref} was found`)
}

describe('parseRef', () => {
  test.each([
    ['12', { kind: 'number', n: 12 }],
    ['#12', { kind: 'number', n: 12 }],
    [' 007\n', { kind: 'number', n: 7 }],
    ['1234', { kind: 'number', n: 1234 }],
    ['task-a3f8', { kind: 'id', hex: 'a3f8' }],
    ['TASK-A3F8', { kind: 'id', hex: 'a3f8' }],
    ['task-1234', { kind: 'id', hex: '1234' }],
    ['task-a', { kind: 'id', hex: 'a' }],
    ['a3f8', { kind: 'id', hex: 'a3f8' }],
    ['1'.repeat(40), { kind: 'id', hex: '1'.repeat(40) }],
    ['a3f', { kind: 'key', key: 'a3f' }],
    ['T2-a', { kind: 'key', key: 'T2-a' }],
    ['task-zzzz', { kind: 'key', key: 'task-zzzz' }],
    ['#a3f8', { kind: 'key', key: '#a3f8' }],
    ['a'.repeat(41), { kind: 'key', key: 'a'.repeat(41) }],
  ] as const)('%j', (text, ref) => {
    expect(parseRef(text)).toEqual(ref)
  })

  test('an empty reference is a usage error', () => {
    expect(refusal(' \t', [])).toEqual({
      code: 'EMPTY_REF',
      message: 'The task reference is empty',
      hint: command`list --all`,
      exitCode: 2,
    })
  })
})

describe('resolveRef', () => {
  test('a number, an id, the start of a uid with or without task-, and a key all find the task', () => {
    const tasks = [aTask('a3f8c1', { number: 12, key: 'T2-a' }), aTask('b4c9d2', { number: 13 })]
    for (const ref of ['12', '#12', 'task-a3f8', 'task-a3f8c', 'task-a', 'a3f8c1', 'T2-a', 't2-A']) {
      expect(resolve(ref, tasks)).toBe('task-a3f8')
    }
  })

  test('an exact id wins over a longer one with the same start', () => {
    expect(resolve('task-a3f8', [aTask('a3f81', { id: 'task-a3f81' }), aTask('a3f82')])).toBe('task-a3f8')
  })

  test('an id wins over a key, and a key that looks like an id is found when no id is', () => {
    expect(resolve('beef', [aTask('beef00'), aTask('c5d0', { key: 'beef' })])).toBe('task-beef')
    expect(resolve('beef', [aTask('c5d0', { key: 'beef' })])).toBe('task-c5d0')
  })

  test('a key in the same case wins over one in another', () => {
    expect(resolve('T2-a', [aTask('a3f8', { key: 't2-a' }), aTask('b4c9', { key: 'T2-a' })])).toBe('task-b4c9')
  })

  test('an unknown task is refused, with ids that look like it', () => {
    expect(refusal('task-zzzz', [aTask('a3f8')])).toEqual({
      code: 'TASK_NOT_FOUND',
      message: 'No task task-zzzz on main',
      hint: command`list --all`,
      exitCode: 1,
    })
    expect(
      refusal('task-a3f9', [aTask('a3f8'), aTask('a3aa'), aTask('b4c9'), aTask('a300', { deleted: true })]),
    ).toEqual({
      code: 'TASK_NOT_FOUND',
      message: 'No task task-a3f9 on main; did you mean task-a3f8 Title a3f8 or task-a3aa Title a3aa?',
      hint: command`list --all`,
      exitCode: 1,
    })
  })

  test('an unknown number is refused as a number, and an id with these digits is suggested if it could be one', () => {
    expect(refusal('#99', [aTask('99aa')]).message).toBe('No task #99 on main')
    expect(refusal('2', [aTask('2469')]).message).toBe('No task #2 on main')
    expect(refusal('246', [aTask('2469')]).message).toBe('No task #246 on main')
    expect(refusal('1234', [aTask('1234')]).message).toBe('No task #1234 on main; did you mean task-1234 Title 1234?')
  })

  test('an ambiguous prefix or key names all candidates', () => {
    expect(refusal('task-a3', [aTask('a3f8'), aTask('a3aa'), aTask('a3bb', { deleted: true })])).toEqual({
      code: 'TASK_AMBIGUOUS',
      message: 'task-a3 could be task-a3f8 Title a3f8, task-a3aa Title a3aa',
      hint: 'use the id: task-a3f8 or task-a3aa',
      exitCode: 1,
    })
    expect(refusal('t2', [aTask('a3f8', { key: 'T2' }), aTask('b4c9', { key: 'T2' })]).code).toBe('TASK_AMBIGUOUS')
  })

  test('of thousands of candidates, twenty are named', () => {
    const many = Array.from({ length: 5000 }, (_, n) => aTask(`a${n.toString().padStart(4, '0')}`))
    expect(refusal('task-a', many).message).toEndWith('task-a001 Title a0019, and 4980 more')
  })

  test('a number that two tasks had names the one that has it now, and the other one is reported', () => {
    const tasks = [
      aTask('a3f8', { number: 12, title: 'Refactor auth' }),
      aTask('b1c2', { number: 301, claimed: [12, 301], title: 'Write docs' }),
    ]
    const resolved = resolveRef('#12', lookupIn(tasks), 'main')
    expect(resolved).toEqual({ task: tasks[0]!, formerly: [tasks[1]!] })
    expect(formerNames(resolved)).toBe(
      '#12 is task-a3f8 Refactor auth; before a merge it was also task-b1c2 (now #301) Write docs',
    )
    expect(resolveRef('301', lookupIn(tasks), 'main')).toEqual({ task: tasks[1]!, formerly: [] })
    expect(resolveRef('task-a3f8', lookupIn(tasks), 'main').formerly).toEqual([])
  })

  test('a number whose task is deleted does not name another one that had it before a merge', () => {
    const renumbered = aTask('b1c2', { number: 301, claimed: [12, 301], title: 'Write docs' })
    expect(resolve('12', [aTask('a3f8', { number: 12 }), { ...renumbered, deleted: true }])).toBe('task-a3f8')
    const tasks = [aTask('a3f8', { number: 12, deleted: true, title: 'Refactor auth' }), renumbered]
    expect(refusal('12', tasks)).toEqual({
      code: 'NUMBER_CLASHED',
      message:
        '#12 was given to two tasks in a merge: task-a3f8 (deleted) Refactor auth, task-b1c2 (now #301) Write docs',
      hint: 'use the id: task-b1c2',
      exitCode: 1,
    })
  })

  test('a deleted task is not found, and the text says why', () => {
    const tasks = [aTask('a3f8', { number: 7, key: 'T1', deleted: true }), aTask('a3f81', { id: 'task-a3f81' })]
    for (const ref of ['7', 'task-a3f8', 'T1']) {
      expect(refusal(ref, tasks)).toEqual({
        code: 'TASK_NOT_FOUND',
        message: `No task ${ref === '7' ? '#7' : ref} on main: task-a3f8 Title a3f8 was deleted`,
        hint: command`restore ${ref === '7' ? '7' : 'task-a3f8'}`,
        exitCode: 1,
      })
    }
  })

  test('titles in messages are one short printable line', () => {
    const title = `\x1b[31mline one\nline two ${'x'.repeat(2000)}`
    const shown = refusal('task-a3', [aTask('a3f8', { title }), aTask('a3f9', { title: '😀'.repeat(80) })]).message
    expect(shown).toBe(
      `task-a3 could be task-a3f8 \\x1b[31mline one line two ${'x'.repeat(33)}…, task-a3f9 ${'😀'.repeat(59)}…`,
    )
  })

  test('any words find a task or are refused with a code, on one printable line', () => {
    const hex = fc.stringMatching(/^[a-c0]{1,3}$/)
    const task = fc
      .tuple(hex, fc.record({ number: fc.integer({ min: 1, max: 4 }), deleted: fc.boolean(), key: fc.option(hex) }))
      .map(([digits, more]) => aTask(`aa${digits}`, more))
    const ref = fc.oneof(
      hex,
      hex.map((digits) => `task-aa${digits}`),
      fc.nat({ max: 5 }).map(String),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(fc.uniqueArray(task, { selector: ({ uid }) => uid }), ref, (tasks, words) => {
        try {
          expect(resolveRef(words, lookupIn(tasks), 'main').task.deleted).toBe(false)
        } catch (error) {
          if (!(error instanceof UserError)) throw error
          expect(['TASK_NOT_FOUND', 'TASK_AMBIGUOUS', 'NUMBER_CLASHED', 'EMPTY_REF']).toContain(error.code)
          expect(error.message).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('every live task is found by its whole uid', () => {
    const tasks = fc.uniqueArray(fc.stringMatching(/^[0-9a-f]{40}$/), { minLength: 1 })
    fc.assert(
      fc.property(tasks, (uids) => {
        const stored = uids.map((uid, at) => aTask(uid, { id: `task-${uid}`, number: at + 1 }))
        for (const { uid, id, number } of stored) {
          expect([resolve(`task-${uid}`, stored), resolve(`${number}`, stored)]).toEqual([id, id])
        }
      }),
    )
  })
})
