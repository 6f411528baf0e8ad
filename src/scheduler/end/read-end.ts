/** What `gza work` and `git tasks run` report when they end. */

import { isFree } from '../../core/run/run-rules.ts'
import { type Command, command } from '../../core/sentence.ts'
import type { Task } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { queueItems } from '../../landing/read-queue.ts'
import { readInbox } from '../../reports/read-inbox.ts'
import { workableTasks } from '../../runs/workable.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { loadConfiguration } from '../../workspace/config/configuration.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import { textsOf } from '../../workspace/texts/task-texts.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { CollectedEnd, Ended, EndedTask } from './collect-end.ts'

export interface WorkEnd {
  completed: EndedTask[]
  /** Of those: the ones that no command has checked. */
  unverified: EndedTask[]
  landed: (EndedTask & { base: string })[]
  /** Tasks whose last attempt failed, whether or not there will be another one. */
  failed: (EndedTask & { reason: string })[]
  /** Completed here, and landing as soon as a person asks for it. */
  to_land: EndedTask[]
  /** What plans and explorations have found. */
  texts: EndedText[]
  /** How many things need a person; null: unknown. */
  inbox: number | null
  cost: EndCost
  /** What a person would do next; null: nothing is left to do. */
  next: Command | null
}

export interface EndedText extends EndedTask {
  type: string
  path: string
  next: Command
}

export interface EndCost {
  /** What the clients have reported; null: nothing. */
  usd: number | null
  /** Agents whose client has not reported the cost of a call. */
  unknown: string[]
}

interface Finish {
  /** The command that continues with what is left. */
  again: Command
  /** What to do once every task is finished, if there is something. */
  finished?: Command
  /** The machine has a fault: only what is known already is reported. */
  isFaulty: boolean
}

export async function readEnd(ws: Workspace, collected: CollectedEnd, finish: Finish): Promise<WorkEnd> {
  const ended = [...collected.tasks.values()].sort((a, b) => a.number - b.number)
  const completed = ended.filter(({ result }) => result.end.outcome === 'completed')
  const failed = ended.filter(({ result: { end } }) => end.outcome === 'failed' && !isFree(String(end.reason)))
  const { usd, unknown } = collected.cost
  const known = {
    completed: completed.map(nameOf),
    unverified: completed.filter(({ result }) => result.end.unverified).map(nameOf),
    landed: collected.landed.toSorted((a, b) => a.number - b.number),
    failed: failed.map((task) => ({ ...nameOf(task), reason: String(task.result.end.reason) })),
    cost: { usd: usd === 0 ? null : Number(usd.toFixed(6)), unknown: [...unknown] },
  }
  if (finish.isFaulty) return { ...known, to_land: [], texts: [], inbox: null, next: null }
  const view = readLedger(ws)
  const found = {
    to_land: await waitingToLand(view, collected),
    texts: [...collected.tasks].flatMap(([uid, ended]) => textOf(view, uid, ended)),
    inbox: (await readInbox(ws)).filter(({ code }) => code !== 'AGENT_PAUSED').length,
  }
  const asking = ended.filter(({ result }) => result.end.reason === 'question')
  return { ...known, ...found, next: await nextCommand(view, { ...found, asking, ...finish }) }
}

function nameOf({ number, id }: EndedTask): EndedTask {
  return { number, id }
}

async function waitingToLand(view: LedgerView, { tasks }: CollectedEnd): Promise<EndedTask[]> {
  try {
    const items = queueItems(view, await loadConfiguration(view.ws))
    return items.filter(({ uid, code, automatic }) => tasks.has(uid) && code === 'READY' && !automatic).map(nameOf)
  } catch (error) {
    // There may be no base any more. The report must not fail for it.
    if (error instanceof UserError) return []
    throw error
  }
}

/** The text of a plan or an exploration, and the command that builds on it. */
function textOf(view: LedgerView, uid: string, { number, id, result }: Ended): EndedText[] {
  const task = result.end.outcome === 'completed' ? taskOf(view.ws.state, view.row.lid, uid) : null
  const next = task && basedOn(task, number)
  const path = next && textsOf(view, task).at(-1)?.copy
  return path ? [{ number, id, type: task.type, path, next }] : []
}

function basedOn({ type }: Task, number: number): Command | null {
  if (type === 'plan') return command`add TEXT --type implement --based-on ${number}`
  return type === 'explore' ? command`add TEXT --type plan --based-on ${number}` : null
}

interface Left extends Pick<WorkEnd, 'to_land' | 'texts' | 'inbox'>, Finish {
  asking: readonly EndedTask[]
}

/** What needs a person comes first: other tasks may wait for it. */
async function nextCommand(view: LedgerView, left: Left): Promise<Command | null> {
  const [question] = left.asking
  if (question !== undefined && left.inbox === 1) return command`answer ${question.number} TEXT`
  if (left.inbox !== 0) return command`inbox`
  const [first, ...others] = left.to_land
  if (first !== undefined) return others.length === 0 ? command`merge ${first.number}` : command`merge --all`
  const [text] = left.texts
  if (text !== undefined) return text.next
  const config = await loadConfiguration(view.ws)
  return workableTasks(view, config).next().done ? (left.finished ?? null) : left.again
}
