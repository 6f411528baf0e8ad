/** `undo` and `redo`: both revert a commit of this clone by a step forward, and the history keeps all of them. */
import type { GivenCommand } from '../../core/ledger/undo-order.ts'
import { command, type Sentence, sentence } from '../../core/sentence.ts'
import { assertAllowed } from '../../core/task/agent-mode.ts'
import { isAway } from '../../core/task/move.ts'
import { describeStep, revertTask } from '../../core/task/revert-task.ts'
import { type Task, titleOf } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { isAncestor } from '../../ledger/links.ts'
import { readChanges } from '../../ledger/read-history.ts'
import type { StepLines } from '../../ledger/verify/step-lines.ts'
import { readRef } from '../../platform/git/refs.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { changeLedger, type Decision } from '../../workspace/ledger/change-ledger.ts'
import { entry, type LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import { refuseTakenKey } from '../../workspace/ledger/taken-keys.ts'
import { viewChanged } from '../../workspace/views/view-changed.ts'
import type { TaskView } from '../../workspace/views/views.ts'
import { alsoFor, ledgerRef, type Workspace } from '../../workspace/workspace.ts'
import { busyTasks } from '../checks/busy-tasks.ts'
import { refuseCycles } from '../checks/refuse-cycles.ts'
import { type OwnHistory, readOwnHistory } from './own-history.ts'
import { cannotBe, findBuiltOn, type Verb } from './refuse-built-on.ts'
import { type Direction, directionBack, type MoveBack, moveBack } from './revert-move.ts'

export interface RevertedTask {
  number: number
  id: string
  title: string
  /** What is different now: `completed → pending`. */
  changes: string[]
}

interface Reverted {
  ledger: string
  /** The commit that was reverted. */
  commit: string
  changed: RevertedTask[]
  tasks: TaskView[]
}

export interface Undone extends Reverted {
  undone: string
}

export interface Redone extends Reverted {
  redone: string
}

/** `shown`: the ledger commit that a person agreed to revert. If another one comes first by now, nothing is done. */
export interface RevertOptions {
  shown?: string | undefined
}

/** Takes back the last command given in this clone that is still in effect. */
export function undoChange(ws: Workspace, options: RevertOptions = {}): Undone {
  const { command: undone, ...reverted } = revertLast(ws, 'undo', options)
  return { undone, ...reverted }
}

/** Brings back the last command that was undone, unless another command was given since. */
export function redoChange(ws: Workspace, options: RevertOptions = {}): Redone {
  const { command: redone, ...reverted } = revertLast(ws, 'redo', options)
  return { redone, ...reverted }
}

const CANDIDATES: Record<Verb, (own: OwnHistory) => readonly GivenCommand[]> = {
  undo: ({ order }) => order.done,
  redo: ({ order }) => order.undone,
}

export interface RevertPreview {
  /** Null: there is nothing, or it is refused. `why` says it. */
  reverts: { command: string; commit: string; changed: RevertedTask[] } | null
  why: { code: string; message: Sentence; hint: Sentence | null } | null
}

/** What `undo` or `redo` would do now. Nothing is changed. */
export function previewRevert(ws: Workspace, verb: Verb): RevertPreview {
  try {
    const { given, changed } = findReversal(readLedger(ws), verb)
    return { reverts: { command: given.command, commit: given.commit.commit, changed }, why: null }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { reverts: null, why: { code: error.code, message: error.fact, hint: error.hint ?? null } }
  }
}

function findReversal(view: LedgerView, verb: Verb): Reversal {
  const own = readOwnHistory(view.ws)
  return firstReversal(view, { own, verb, candidates: CANDIDATES[verb](own) })
}

interface Reversal extends Pick<Decision<unknown>, 'tasks' | 'artifacts' | 'moves' | 'movesBefore'> {
  given: GivenCommand
  changed: RevertedTask[]
  /** The tasks as people see them now, and the ledger where they see them. */
  shown: { ledger: string; tasks: readonly Task[] }
}

function revertLast(ws: Workspace, verb: Verb, options: RevertOptions): Reverted & { command: string } {
  assertAllowed(verb, ws.actor)
  const { given, changed, shown } = changeLedger(ws, (view): Decision<Reversal> => {
    const reversal = findReversal(view, verb)
    if (options.shown !== undefined && options.shown !== reversal.given.commit.commit)
      throw anotherSince(verb, reversal)
    const { given, tasks, artifacts, moves, movesBefore } = reversal
    return {
      tasks,
      ...(artifacts && { artifacts }),
      ...(moves && { moves }),
      ...(movesBefore && { movesBefore }),
      subject: `${verb} ${given.command}`,
      undoes: given.commit.commit,
      result: reversal,
    }
  })
  const tasks = viewChanged(alsoFor(ws, { ledger: shown.ledger }), shown.tasks)
  return { command: given.command, ledger: ws.ledger, commit: given.commit.commit, changed, tasks }
}

function anotherSince(verb: Verb, { given }: Reversal): UserError {
  return new UserError('CHANGED_SINCE', `Another command was given since you looked: ${given.command}`, {
    hint: `Nothing was done. Look again at what ${verb} does now.`,
  })
}

interface Asked {
  own: OwnHistory
  verb: Verb
  candidates: readonly GivenCommand[]
}

/**
 * A command that left nothing to revert, such as one that only added a file, is passed over. So is one that only runs of
 * this clone have built on: what they did stays, and is named.
 */
function firstReversal(view: LedgerView, { own, verb, candidates }: Asked): Reversal {
  const { ws } = view
  const tipOf = (ledger: string) => readRef(ws.repo, ledgerRef(ledger))
  const kept = new Map<string, UserError>()
  for (const given of candidates) {
    const { ledger = ws.ledger } = given.commit
    const tips = [...new Set([ledger, ws.ledger])].flatMap((name) => tipOf(name) ?? [])
    // A ledger that was replaced from outside may have lost a command that its reflog still has.
    const madeIn = tipOf(ledger)
    if (madeIn === null || !isAncestor(ws.repo, given.commit.commit, madeIn)) continue
    const [step] = readChanges(view.ws.repo, [{ ...given.commit, parents: [...given.commit.parents] }]) as [StepLines]
    const direction = directionBack(given, verb)
    if (direction !== null) {
      if (ledger !== ws.ledger) throw renamedSince(ws, { given, verb, direction, old: ledger })
      const back = moveBack(view, { given, verb, direction, step })
      if (back === null) continue
      warnOfKept(ws, kept)
      return movedBack(view, given, back)
    }
    const pairs = revertedTasks(view, step)
    if (pairs.length === 0) continue
    refuseRunning(view, pairs, { verb, given })
    const built = findBuiltOn(view, { own, verb, given, step, tips, kept: new Set(kept.keys()) })
    if (built !== null && !built.isOwn) throw built.error
    if (built !== null) {
      kept.set(given.commit.commit, built.error)
      continue
    }
    warnOfKept(ws, kept)
    refuseBroken(view, pairs)
    const tasks = pairs.map(({ next }) => next)
    const changed = pairs.map((pair) => describePair(view, pair))
    return { given, tasks, changed, shown: { ledger: view.ws.ledger, tasks } }
  }
  throw kept.values().next().value ?? nothingLeft(ws, verb)
}

function warnOfKept({ warnings }: Workspace, kept: ReadonlyMap<string, UserError>): void {
  for (const { message } of kept.values()) warnings.push(`${message}. It stays`)
}

interface RenamedMove {
  given: GivenCommand
  verb: Verb
  direction: Direction
  /** The earlier name of this ledger's branch. */
  old: string
}

/** Both lines of each task name the branch by its old name, so they cannot be set back. A move of today does the same. */
function renamedSince(ws: Workspace, { given, verb, direction, old }: RenamedMove): UserError {
  const now = (ledger: string) => (ledger === old ? ws.ledger : ledger)
  const ids = given.command.match(/\btask-[0-9a-f]+/g)?.join(' ') ?? 'ID'
  const [from, to] = [now(direction.from), now(direction.to)]
  const why = `it names the branch ${old}, which was renamed to ${ws.ledger} since`
  return new UserError('BRANCH_RENAMED', `${cannotBe(verb, given)}: ${why}`, {
    hint: sentence`Nothing was changed. ${command`move ${ids} --from ${from} --to ${to}`} has the same effect.`,
  })
}

interface Pair {
  now: Task
  next: Task
}

/** A task that has moved away since is left alone: people see another line of it. */
function revertedTasks({ ws, row }: LedgerView, step: StepLines): Pair[] {
  const authorship = { at: ws.now(), by: ws.actor.name }
  return [...step.after.values()].flatMap((after) => {
    const now = taskOf(ws.state, row.lid, after.uid)
    if (now === null || isAway(now, ws.ledger)) return []
    const before = step.before.get(after.uid) ?? null
    const next = revertTask(now, { before, after }, authorship, () => ws.random(8))
    return describeStep(now, next).length === 0 && now.generation === next.generation ? [] : [{ now, next }]
  })
}

function movedBack(view: LedgerView, given: GivenCommand, { to, arrived, ...change }: MoveBack): Reversal {
  const changed = change.tasks.map((task) => ({
    number: entry(view, task.uid)?.number ?? task.number,
    id: task.id,
    title: titleOf(task),
    changes: [`moved to ${to}`],
  }))
  return { given, ...change, changed, shown: { ledger: to, tasks: arrived } }
}

function describePair(view: LedgerView, { now, next }: Pair): RevertedTask {
  const number = entry(view, now.uid)?.number ?? now.number
  return { number, id: now.id, title: titleOf(next), changes: describeStep(now, next) }
}

function refuseRunning(view: LedgerView, pairs: Pair[], { verb, given }: { verb: Verb; given: GivenCommand }): void {
  const rows = pairs.flatMap(({ now }) => entry(view, now.uid) ?? [])
  const [busy] = busyTasks(view, rows)
  if (busy === undefined) return
  const { row, host } = busy
  const why = `somebody is working on #${row.number} ${row.id}${host === null ? '' : ` (${host})`}`
  throw new UserError('TASK_RUNNING', `${cannotBe(verb, given)}: ${why}`, {
    hint: sentence`Nothing was changed. ${command`ps`} shows who works on what.`,
  })
}

/** The old values must fit to what the ledger has become meanwhile. */
function refuseBroken(view: LedgerView, pairs: Pair[]): void {
  for (const { now, next } of pairs)
    if (!next.deleted && (now.deleted || now.key !== next.key)) refuseTakenKey(view, next)
  const changed = pairs.map(({ next }) => next).filter(({ deleted }) => !deleted)
  refuseCycles(view, changed, {
    waits: 'These tasks would wait for each other',
    parents: 'These tasks would be each other’s parents',
    hint: 'Nothing was changed. Change one of these links first.',
  })
}

function nothingLeft(ws: Workspace, verb: Verb): UserError {
  const hint = sentence`${command`log`} shows every change.`
  if (verb === 'undo') return new UserError('NOTHING_TO_UNDO', `Nothing to undo on ${ws.ledger}`, { hint })
  return new UserError('NOTHING_TO_REDO', `Nothing to redo on ${ws.ledger}`, {
    hint: sentence`Only what ${command`undo`} took back last can be brought back, until another command changes a task.`,
  })
}
