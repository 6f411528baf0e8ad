/**
 * Which facts of runs the pen writes. It decides each on the remote's ledger and on the facts of its group that come
 * before it. The decision is pure: the same group on the same ledger always gives the same answers.
 */
import { joinTask } from '../ledger/join-tasks.ts'
import { taskLine } from '../ledger/task-line.ts'
import { recordRun } from '../task/operations.ts'
import type { Run, Task } from '../task/task.ts'
import { compareFences, type Fence, fenceOf, highestFence, isAboveAll } from './fence.ts'

export type FactKind = 'started' | 'change' | 'ended'

export interface FleetFact extends Fence {
  kind: FactKind
  run: string
  /** The task of the run. */
  uid: string
  /** The generation that was offered. */
  generation: number
  /** The tasks as they are after the fact, on the ledger that the worker knew. */
  tasks: readonly Task[]
}

export type RefusedFact =
  | 'no-task'
  | 'not-ready'
  | 'other-generation'
  | 'older-claim'
  | 'unknown-run'
  | 'run-ended'
  | 'closed-by-others'

/**
 * `writes`: the tasks as the ledger gets them. None if it has the fact already. Of what is refused nothing is written,
 * but a run that a person has overruled is closed.
 */
export type FactAnswer = { isAccepted: true; writes: Task[] } | { isAccepted: false; why: RefusedFact; writes: Task[] }

export interface FactGround {
  /** By uid: every task of the group that is in the ledger. It is not changed. */
  tasks: ReadonlyMap<string, Task>
  /** Whether nothing but runs keeps the task from starting: no dependency, child, hold or question. */
  isFree: (uid: string) => boolean
}

/** One answer for each fact, in the same order. */
export function decideFacts(ground: FactGround, facts: readonly FleetFact[]): FactAnswer[] {
  const known = new Map(ground.tasks)
  return facts.map((fact) => {
    const answer = decideFact(known, ground.isFree, fact)
    for (const task of answer.writes) known.set(task.uid, task)
    return answer
  })
}

function decideFact(known: ReadonlyMap<string, Task>, isFree: FactGround['isFree'], fact: FleetFact): FactAnswer {
  const task = known.get(fact.uid)
  if (task === undefined || task.deleted) return refused('no-task')
  const writes = writesOf(known, fact)
  if (writes.length === 0) return { isAccepted: true, writes }
  const why = fact.kind === 'started' ? whyNotStarted(task, isFree, fact) : whyNotRecorded(task, fact)
  if (why !== null) return refused(why, fact.kind === 'ended' ? closeOverruled(task, fact, why) : [])
  return {
    isAccepted: true,
    writes: fact.kind === 'started' ? writes.map((each) => supersedeOlder(each, fact)) : writes,
  }
}

function refused(why: RefusedFact, writes: Task[] = []): FactAnswer {
  return { isAccepted: false, why, writes }
}

/** What a person has decided about the task wins. Its run has ended nevertheless, and nobody works on it any more. */
function closeOverruled(task: Task, { run, tasks }: FleetFact, why: RefusedFact): Task[] {
  const known = task.runs.find((each) => each.run === run)
  if (known === undefined || (why !== 'closed-by-others' && why !== 'other-generation')) return []
  const at = endOf(tasks, run) ?? known.started_at
  return [recordRun(task, { ...known, ...interrupted(at, 'superseded by a person’s decision') })]
}

function endOf(tasks: readonly Task[], run: string): string | undefined {
  return tasks.flatMap(({ runs }) => runs).find((each) => each.run === run)?.ended_at
}

function interrupted(at: string, detail: string) {
  return { ended_at: at, outcome: 'interrupted', reason: 'interrupted', detail }
}

/** What the fact adds to the ledger. A task that has it all is not written again. */
function writesOf(known: ReadonlyMap<string, Task>, fact: FleetFact): Task[] {
  return fact.tasks.flatMap((told) => {
    const mine = known.get(told.uid)
    const fenced = told.uid === fact.uid ? withFence(told, fact) : told
    if (mine === undefined) return [fenced]
    const joined = joinTask(mine, fenced)
    return taskLine(joined) === taskLine(mine) ? [] : [joined]
  })
}

/** The pen, and nobody else, writes the fence into the run. */
function withFence(task: Task, { run, seq, claim }: FleetFact): Task {
  return { ...task, runs: task.runs.map((each) => (each.run === run ? { ...each, seq, claim } : each)) }
}

function whyNotStarted(task: Task, isFree: FactGround['isFree'], fact: FleetFact): RefusedFact | null {
  if (task.generation !== fact.generation) return 'other-generation'
  if (!isAboveAll(task, fact)) return 'older-claim'
  if (task.status !== 'pending' || !isFree(fact.uid) || isHeldOutside(task)) return 'not-ready'
  return null
}

/** Somebody outside of the fleet works on it. */
function isHeldOutside({ runs }: Task): boolean {
  return runs.some((run) => run.ended_at === undefined && fenceOf(run) === null)
}

function whyNotRecorded(task: Task, fact: FleetFact): RefusedFact | null {
  const run = task.runs.find((each) => each.run === fact.run)
  if (run === undefined) return 'unknown-run'
  const highest = highestFence(task)
  if (highest === null || compareFences(fact, highest) < 0) return 'older-claim'
  if (run.ended_at !== undefined) return 'run-ended'
  if (task.generation !== run.generation) return 'other-generation'
  return isClosedByOthers(task, run) ? 'closed-by-others' : null
}

/** An agent may report its own task as done before its run ends. */
function isClosedByOthers({ status, closed_by }: Task, { agent }: Run): boolean {
  return status !== 'pending' && closed_by !== agent
}

/** A run of an older claim that has no end gets one, so that its holder cannot continue it. */
function supersedeOlder(task: Task, { uid, run, tasks }: FleetFact): Task {
  if (task.uid !== uid) return task
  const at = tasks.flatMap((told) => told.runs).find((each) => each.run === run)?.started_at ?? ''
  const older = task.runs.filter((each) => each.run !== run && each.ended_at === undefined)
  const end = interrupted(at, `superseded by ${run}`)
  return older.reduce((ended, each) => recordRun(ended, { ...each, ...end }), task)
}
