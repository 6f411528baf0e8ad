import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { anyHistory, type Step } from '../../../test/support/arbitrary-history.ts'
import { aTask } from '../../../test/support/arbitrary-task.ts'
import { readTaskLine } from '../../ledger/read-task-line.ts'
import {
  addNote,
  closeTask,
  deleteTask,
  editTask,
  linkCommits,
  recordRun,
  reopenTask,
  retractNote,
} from '../task/operations.ts'
import type { EditableField, Task } from '../task/task.ts'
import { whyNotForward } from './forward-steps.ts'
import { joinTasks } from './join-tasks.ts'
import { taskLine } from './task-line.ts'
import { parseTrustedLine } from './written-task.ts'

const ada = { at: '2026-01-02T10:00:00Z', by: 'ada' }
const COMMIT = 'c'.repeat(40)
const run = { run: 'r1', attempt: 1, machine: 'm', started_at: ada.at }

const born = aTask({ content: 'first', group: 'G', priority: 'low' })
const noted = addNote(addNote(born, 'bb', ada, 'aa'), 'second', ada, 'bb')
const edited = editTask(noted, { title: 'T', content: 'second' }, ada)
const rich = recordRun(closeTask(edited, 'completed', ada, { head: COMMIT, branch: 'main', commits: [COMMIT] }), {
  ...run,
  ended_at: ada.at,
  outcome: 'b',
})

/** Refused for every actor, with the reason. */
function refused(before: Task, after: Task): string | undefined {
  const [human, agent] = [whyNotForward(before, after, 'human'), whyNotForward(before, after, 'agent')]
  expect(agent).toBe(human)
  expect(human).toStartWith(`${after.id}: `)
  return human?.slice(after.id.length + 2)
}

describe('a person', () => {
  test('may take every step that an operation makes, and file a new task', () => {
    fc.assert(
      fc.property(anyHistory, ({ clones, steps }) => {
        for (const { before, after } of steps) expect(whyNotForward(before, after, 'human')).toBeNull()
        for (const task of clones.flat()) expect(whyNotForward(null, task, 'human')).toBeNull()
      }),
      { numRuns: 300 },
    )
  })

  test('may import whatever another clone has', () => {
    fc.assert(
      fc.property(anyHistory, ({ clones: [a = [], b = []] }) => {
        const after = new Map(joinTasks(a, b).map((task) => [task.uid, task]))
        for (const task of [...a, ...b]) expect(whyNotForward(task, after.get(task.uid)!, 'human')).toBeNull()
      }),
    )
  })
})

describe('an agent', () => {
  const FREE: EditableField[] = ['branch', 'assigned_agent', 'linear_issue_id']

  /** The rule in its simplest form: by the operation, not by its result. */
  function isFree({ deed, before, after }: Step): boolean {
    if (deed === 'edit') return FREE.includes(after.edits.find((edit) => !before.edits.includes(edit))!.field)
    return !['retract', 'delete', 'undelete', 'reopen', 'land'].includes(deed)
  }

  test('may note, close, link, run and set the fields that gza maintains, and nothing else', () => {
    fc.assert(
      fc.property(anyHistory, ({ steps }) => {
        const real = steps.filter(({ before, after }) => taskLine(before) !== taskLine(after))
        for (const step of real) expect(whyNotForward(step.before, step.after, 'agent') === null).toBe(isFree(step))
      }),
      { numRuns: 300 },
    )
  })

  test('gets the reason for each refusal', () => {
    const why = (before: Task | null, after: Task) => whyNotForward(before, after, 'agent')?.slice(after.id.length + 2)
    expect(why(born, editTask(born, { content: 'x' }, ada))).toBe('content edited in agent mode')
    expect(why(born, deleteTask(born, ada))).toBe('deleted in agent mode')
    expect(why(rich, reopenTask(rich))).toBe('reopened in agent mode')
    expect(why(noted, retractNote(noted, '1-aa'))).toBe('a note retracted in agent mode')
    expect(why(null, editTask(born, { title: 'T' }, ada))).toBe('filed by an agent with edits')
    const forged = { ...rich, runs: [{ ...rich.runs[0]!, outcome: 'c' }] }
    expect(why(rich, forged)).toBe('a run that had ended was changed in agent mode')
    expect(why(rich, { ...rich, closed_by: 'zoe' })).toBe('its closing was changed in agent mode')
    expect(why(rich, { ...rich, closed_at: '2026-01-01T00:00:00Z' })).toBe('its closing was changed in agent mode')
  })

  test('may change a task that a person has edited, however the line is read', () => {
    const line = taskLine(addNote(edited, 'third', ada, 'cc'))
    const read = readTaskLine(line) as { task: Task }
    expect(whyNotForward(parseTrustedLine(taskLine(edited)), read.task, 'agent')).toBeNull()
  })
})

describe('nobody', () => {
  test('may undo a step', () => {
    fc.assert(
      fc.property(anyHistory, ({ steps }) => {
        const real = steps.filter(({ before, after }) => taskLine(before) !== taskLine(after))
        for (const { before, after } of real) expect(whyNotForward(after, before, 'human')).not.toBeNull()
      }),
      { numRuns: 300 },
    )
  })

  test('may change the content that an id was made from', () => {
    expect(refused(born, { ...born, content: 'forged' })).toBe('content does not match its id')
    expect(refused(edited, { ...edited, original: 'forged' })).toBe('content does not match its id')
    expect(whyNotForward(null, { ...born, content: 'forged' }, 'human')).toBe(
      `${born.id}: content does not match its id`,
    )
  })

  test('may change a field without an edit, to a greater value or a smaller', () => {
    expect(refused(born, { ...born, group: 'Z' })).toBe('group changed without an edit')
    expect(refused(born, { ...born, priority: 'medium' })).toBe('priority changed without an edit')
    expect(refused(born, { ...born, title: 'T' })).toBe('title changed without an edit')
    expect(refused(born, { ...born, deleted: true })).toBe('deleted changed without an edit')
    expect(refused(born, { ...born, after: [`task-${'f'.repeat(40)}`] })).toBe('after changed without an edit')
    expect(refused(born, { ...born, group: 'A' })).toBe('group changed without an edit')
    expect(refused(born, { ...born, group: undefined } as Task)).toBe('group changed without an edit')
    expect(refused(edited, { ...edited, content: 'third' })).toBe('content changed without an edit')
  })

  test('may give a task another number or another beginning', () => {
    expect(refused(born, { ...born, number: 9 })).toBe('its number changed')
    expect(refused(rich, { ...rich, number: 9 })).toBe('its number changed')
    expect(refused(born, { ...born, created_head: COMMIT })).toBe('the commit it was filed at changed')
  })

  test('may lose or change a note, an edit, a commit or a run', () => {
    const [first, second] = rich.notes as [Task['notes'][0], Task['notes'][0]]
    expect(refused(rich, { ...rich, notes: [second] })).toBe('a note vanished or was changed')
    for (const text of ['aa', 'cc'])
      expect(refused(rich, { ...rich, notes: [{ ...first, text }, second] })).toBe('a note vanished or was changed')
    expect(refused(rich, { ...rich, edits: rich.edits.slice(1) })).toBe('an edit vanished')
    expect(refused(rich, { ...rich, commits: [] })).toBe('a fact vanished or was changed')
    expect(refused(rich, { ...rich, runs: [] })).toBe('a fact vanished or was changed')
  })

  test('may turn the status or the generation back', () => {
    expect(refused(rich, { ...rich, status: 'failed' })).toBe('status went back from completed to failed')
    expect(refused(rich, { ...rich, status: 'pending' })).toBe('status went back from completed to pending')
    const again = reopenTask(rich)
    expect(refused(again, { ...rich, generation: 0 })).toBe('status went back from pending to completed')
    expect(refused(linkCommits(rich, [COMMIT]), rich)).toBe('a fact vanished or was changed')
  })
})
