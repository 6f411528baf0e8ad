import { z } from 'zod'
import { assignTask } from '../../runs/claims/assign-task.ts'
import { resolveInboxEntry } from '../../scheduler/resolve-inbox-entry.ts'
import { editTask } from '../../tasks/edit-task.ts'
import { assertUnchanged, versionOf } from '../../workspace/expected-version.ts'
import { findTask } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import type { Expected, Workspace } from '../../workspace/workspace.ts'
import { failureOf } from '../respond.ts'
import { defineAction, type RunCommand, ref, version } from './action.ts'
import start from './start.ts'

const agent = z.string().min(1).max(100)

/** What can be done to several tasks at once. Each is the use case of one task. */
const change = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('priority'), priority: z.string().max(40) }),
  /** An empty name takes them out of their group. */
  z.strictObject({ kind: z.literal('group'), group: z.string().max(200) }),
  z.strictObject({ kind: z.literal('assign'), agent: agent.nullable() }),
  z.strictObject({ kind: z.literal('resolve'), resolution: z.enum(['skip', 'reset', 'resume']) }),
  z.strictObject({ kind: z.literal('retry') }),
  z.strictObject({ kind: z.literal('work'), agent: agent.optional(), workers: z.int().min(1).max(64).optional() }),
])
type Change = z.infer<typeof change>

/** What became of each task. */
export interface SeveralResult {
  done: string[]
  /** Of those that are done, by their names: a person who continues means these, also before the page has read them. */
  versions: Record<string, string>
  refused: { ref: string; code: string; message: string; hint: string | null }[]
}

export default defineAction({
  name: 'several',
  input: {
    tasks: z.array(z.strictObject({ ref, version })).min(1).max(500),
    change,
  },
  act: async (ws, { tasks, change: wanted }, run) =>
    wanted.kind === 'work' ? startWork(ws, tasks, wanted, run) : changeEach(ws, tasks, wanted, run),
})

/** One after the other: what is refused of one task does not stop the others. */
async function changeEach(
  ws: Workspace,
  tasks: readonly Expected[],
  wanted: Exclude<Change, { kind: 'work' }>,
  run: RunCommand,
): Promise<SeveralResult> {
  const result: SeveralResult = { done: [], versions: {}, refused: [] }
  /** To resume a task is to resume all of its group. */
  const alreadyDone = new Set<string>()
  for (const task of tasks) {
    try {
      if (!alreadyDone.has(task.ref)) {
        expect(ws, task)
        for (const id of await changeOne(ws, task.ref, wanted, run)) alreadyDone.add(id)
      }
      result.done.push(task.ref)
    } catch (error) {
      result.refused.push(refusalOf(ws, task, error))
    }
  }
  return { ...result, versions: versionsNow(ws, result.done) }
}

function versionsNow(ws: Workspace, refs: readonly string[]): Record<string, string> {
  const view = readLedger(ws)
  return Object.fromEntries(refs.map((each) => [each, versionOf(view, findTask(view, each).uid)]))
}

/** The ids of other tasks for which it is done as well. */
async function changeOne(
  ws: Workspace,
  task: string,
  wanted: Exclude<Change, { kind: 'work' }>,
  run: RunCommand,
): Promise<string[]> {
  switch (wanted.kind) {
    case 'priority':
      editTask(ws, task, { priority: wanted.priority })
      return []
    case 'group':
      editTask(ws, task, { group: wanted.group })
      return []
    case 'assign':
      await assignTask(ws, task, wanted.agent)
      return []
    case 'resolve': {
      const changed = resolveInboxEntry(ws, task, { resolution: wanted.resolution }) ?? []
      return wanted.resolution === 'resume' ? changed.map(({ id }) => id) : []
    }
    case 'retry':
      await start.act(ws, { command: 'retry', refs: [task] }, run)
      return []
  }
}

/** All that are unchanged, in one process of their own. */
async function startWork(
  ws: Workspace,
  tasks: readonly Expected[],
  { agent: name, workers }: Extract<Change, { kind: 'work' }>,
  run: RunCommand,
): Promise<SeveralResult> {
  const result: SeveralResult = { done: [], versions: {}, refused: [] }
  for (const task of tasks) {
    try {
      expect(ws, task)
      result.done.push(task.ref)
    } catch (error) {
      result.refused.push(refusalOf(ws, task, error))
    }
  }
  if (result.done.length === 0) return result
  await start.act(ws, { command: 'work', refs: result.done, agent: name, workers }, run)
  return result
}

/** Throws if the task has changed since. The change of a ledger compares it once more. */
function expect(ws: Workspace, task: Expected): void {
  assertUnchanged(readLedger(ws), task)
  ws.expected = task
}

function refusalOf({ env }: Workspace, { ref: task }: Expected, error: unknown): SeveralResult['refused'][number] {
  const { code, message, hint } = failureOf(error, env)
  return { ref: task, code, message, hint }
}
