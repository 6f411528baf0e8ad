/** What an agent learns about the tasks around its own: in `gza context`, and in the prompt of every run. */

import { type ContextLine, type ContextOptions, contextText } from '../../../core/documents/context-text.ts'
import {
  BY_NUMBER,
  type NamedTask,
  nextSteps,
  type Standing,
  type TaskNames,
} from '../../../core/documents/next-steps.ts'
import { type OutlineRow, pathTo } from '../../../core/graph/outline.ts'
import { type Sentence, sentenceText } from '../../../core/sentence.ts'
import { isOnHold } from '../../../core/task/status-predicates.ts'
import type { Task } from '../../../core/task/task.ts'
import { countChildren, siblingsAfter, siblingsBefore } from '../../../state/index/family-entries.ts'
import type { Entry } from '../../../state/index/index-tables.ts'
import { openRuns } from '../../../state/live/live-runs.ts'
import { entry, findTask, type LedgerView } from '../../ledger/ledger-view.ts'
import { readLedger } from '../../ledger/read-ledger.ts'
import type { Workspace } from '../../workspace.ts'
import { openAgentStatus } from '../list-agents.ts'
import { type OutlineEntry, treeOf } from '../read-outline.ts'
import { derivedStatus } from '../task-status.ts'
import { ownTask, standingOf } from './agent-standing.ts'

export interface ContextInput {
  plan?: string
  /** The task that counts as the current one. */
  ref?: string
  maxTokens?: number
  cwd?: string
  /** How the face that asks words commands. */
  say?: (sentence: Sentence) => string
  /** How it names tasks. */
  names?: TaskNames
}

/** The shape is public. */
export interface ContextView {
  markdown: string
  tasks: ContextLine[]
  omitted: number
  next: { state: Standing['state']; task: NamedTask | null; commands: string[] }
}

export const MOST_CONTEXT_TOKENS = 400

export function readContext(
  ws: Workspace,
  { plan, ref, maxTokens = MOST_CONTEXT_TOKENS, ...input }: ContextInput,
): ContextView {
  const { cwd, say = sentenceText, names = BY_NUMBER } = input
  const view = readLedger(ws)
  const asked = ref === undefined ? null : findTask(view, ref).uid
  const own = plan === undefined ? (asked ?? ownTask(view)?.row.uid ?? null) : null
  const focus =
    own === null
      ? focusIn(view, treeOf(view, { ...(plan !== undefined && { plan }), ...(cwd !== undefined && { cwd }) }))
      : focusOn(view, own)
  const standing = standingOf(view, asked ?? (plan === undefined ? null : (focus?.position ?? null)))
  const next = nextSteps(standing, names)
  const text = contextAround(view, focus, { maxTokens, guide: { next, names, say } })
  const commands = next.steps.map((step) => say(step.command))
  return { ...text, next: { state: standing.state, task: standing.task, commands } }
}

/** Nothing for a task without related tasks. */
export function promptTasks(view: LedgerView, { uid }: Task): string {
  const focus = focusOn(view, uid)
  if (focus === null) return ''
  const { markdown, tasks } = contextAround(view, { ...focus, isRunning: true }, { maxTokens: MOST_CONTEXT_TOKENS })
  return tasks.length > 1 || focus.path.length > 0 ? markdown : ''
}

interface Focus {
  row: Entry
  /** The current position: the task itself, or one of its parts. */
  position: string
  step: string | null
  path: string[]
  isRunning: boolean
}

/**
 * A task that an agent has is shown as one line with its current step; otherwise the step itself is the current task.
 */
function focusIn(view: LedgerView, rows: readonly OutlineRow<OutlineEntry>[]): Focus | null {
  const position = rows.findIndex(({ current }) => current)
  const path = pathTo(rows, position).map(({ task }) => task)
  const last = path.length - 1
  const assigned = path.findLastIndex(({ assigned_agent }) => assigned_agent !== null)
  const at = assigned === -1 ? last : assigned
  const row = path[at] && entry(view, path[at].uid)
  if (row === undefined) return null
  const step = at < last ? (path[at + 1]?.title ?? null) : null
  return {
    row,
    position: path[last]?.uid ?? row.uid,
    step,
    path: path.slice(0, at).map(({ title }) => title),
    isRunning: false,
  }
}

function focusOn(view: LedgerView, uid: string): Focus | null {
  const row = entry(view, uid)
  if (row === undefined) return null
  const path: string[] = []
  const seen = new Set([uid])
  for (let up = row.parent; up !== null && !seen.has(up); ) {
    seen.add(up)
    const parent = entry(view, up)
    if (parent === undefined) break
    path.unshift(parent.title)
    up = parent.parent
  }
  return { row, position: uid, step: null, path, isRunning: false }
}

function contextAround(
  view: LedgerView,
  focus: Focus | null,
  options: Pick<ContextOptions, 'maxTokens' | 'guide'>,
): Omit<ContextView, 'next'> {
  const { rows, isCut } = focus === null ? { rows: [], isCut: false } : rowsAround(view, focus.row)
  const around = { focus, phases: phasesOf(view), agentStatus: openAgentStatus(view, rows) }
  const lines = rows.map((row) => lineOf(view, row, around))
  const { row, path = [] } = focus ?? {}
  const text = contextText(lines, { ...options, path, plan: row?.plan_file ?? null, isCut })
  return { markdown: text.markdown, tasks: text.shown, omitted: text.omitted }
}

/** More would be read than shown: one of 100,000 tasks must not cost more than one of ten. */
const BEFORE = 15
const AFTER = 40

/** The tasks next to it, in their order: parts of the same whole, or whole tasks of the same plan. */
function rowsAround({ ws, row: { lid } }: LedgerView, row: Entry): { rows: Entry[]; isCut: boolean } {
  const before = siblingsBefore(ws.state, lid, row, BEFORE + 1)
  const after = siblingsAfter(ws.state, lid, row, AFTER + 1)
  const rows = [...before.slice(0, BEFORE).reverse(), row, ...after.slice(0, AFTER)]
  return { rows, isCut: before.length > BEFORE || after.length > AFTER }
}

interface Around {
  focus: Focus | null
  phases: ReadonlyMap<string, string>
  agentStatus: ReturnType<typeof openAgentStatus>
}

function lineOf(view: LedgerView, row: Entry, { focus, phases, agentStatus }: Around): ContextLine {
  const current = row.uid === focus?.row.uid
  const isRunning = current && focus?.isRunning === true
  const status = derivedStatus(view, row)
  const { number, id, title, assigned_agent, plan_file } = row
  return {
    ...{ number, id, parent: row.parent === null ? null : (entry(view, row.parent)?.id ?? null), title, plan_file },
    ...{
      assigned_agent,
      agent_status: isRunning ? 'busy' : agentStatus(row),
      current,
      status: isRunning ? 'in_progress' : status,
    },
    step: current && focus?.step ? focus.step : (phases.get(row.uid) ?? null),
    parts: partsOf(view, row.uid),
    on_hold: isOnHold(row),
  }
}

function partsOf({ ws, row: { lid } }: LedgerView, uid: string): ContextLine['parts'] {
  const parts = countChildren(ws.state, lid, uid)
  return parts.total === 0 ? null : parts
}

/** Phases that show more than that it is being worked on. */
function phasesOf({ ws }: LedgerView): Map<string, string> {
  const runs = ws.live === null ? [] : openRuns(ws.live)
  return new Map(runs.filter(({ phase }) => /^(?:review|improve)/.test(phase)).map(({ uid, phase }) => [uid, phase]))
}
