/**
 * Runs whose supervisor is dead: a kill -9, a crash, a power cut. Their agents may still be working. Only commands that
 * show or end runs look for them, and they read the process table only if there is such a run.
 */
import { type Command, command, type Sentence, sentence } from '../../core/sentence.ts'
import { type Task, titleOf } from '../../core/task/task.ts'
import { plural } from '../../core/text/plural.ts'
import { UserError } from '../../core/user-error.ts'
import { findMarked } from '../../engine/supervise/run-processes.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { LANDING, type Lease, leasesByLife } from '../../state/live/leases.ts'
import { BEGUN, type LiveRun, liveRun } from '../../state/live/live-runs.ts'
import { readOtherLedger } from '../../workspace/ledger/read-ledger.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { lookAtRemote } from '../look-at-remote.ts'
import { endAbandoned, endUnleased, type UnleasedRun, unleasedIn } from '../recover-runs.ts'
import { isClaim } from '../retire-run.ts'

export interface DeadRun {
  run: LiveRun
  /** Its processes that still run, the oldest first. */
  pids: number[]
  /** What recovery ends it by: the lease or, if the store of leases was lost, its record in the ledger. */
  left: Lease | UnleasedRun
}

/** Those with living processes, and those whose end is not recorded yet. */
export function findDeadRuns(ws: Workspace): DeadRun[] {
  const leased = leasedRuns(ws)
  const known = new Set(leased.map(({ run }) => run.run))
  return [...leased, ...unleasedRuns(ws, known)].flatMap(({ isOpen, ...dead }) => {
    const pids = findMarked(dead.run.run).map(({ pid }) => pid)
    return pids.length > 0 || isOpen ? [{ ...dead, pids }] : []
  })
}

/** For commands that show something else: one line for each dead run, with the next command. */
export function warnOfDeadRuns(ws: Workspace, runs = findDeadRuns(ws)): void {
  for (const dead of runs) ws.warnings.push(sentence`${deadWords(ws, dead)}. ${nextStep(ws, dead)}`)
}

export function deadWords({ namedLedger }: Workspace, dead: DeadRun): string {
  const { run, pids } = dead
  const where = run.ledger === namedLedger ? '' : ` of ${run.ledger}`
  const died = `The gza that worked on ${isLanding(dead) ? run.title : `task #${run.number}${where}`} has died`
  if (pids.length === 0) return `${died}, and the end of its run is not recorded`
  return `${died}, but ${processes(pids)} of it still run${pids.length === 1 ? 's' : ''}: pid ${pids.join(', ')}`
}

export function nextStep(ws: Workspace, dead: DeadRun): Sentence {
  const kill = killCommand(ws, dead)
  if (isLanding(dead)) return sentence`${kill} ends it; the next ${command`work`} does the same.`
  return sentence`${kill} ends its run and keeps its work; the next ${command`work`} does the same.`
}

/** Ends its processes, keeps its work and records its end. */
export function killCommand({ namedLedger }: Workspace, dead: DeadRun): Command {
  const { uid, number, ledger } = dead.run
  const elsewhere = ledger === namedLedger || isLanding(dead) ? [] : ['--branch', ledger]
  return command`kill ${isLanding(dead) ? uid : number} ${elsewhere}`
}

/**
 * Ends its processes, keeps its work and records its end, as the next worker would. Returns what was done. What others
 * have pushed is joined first.
 */
export async function endDeadRun(ws: Workspace, { run, pids, left }: DeadRun): Promise<string> {
  const unseen = await lookAtRemote(ws)
  if (unseen !== null) ws.warnings.push(unseen)
  const sentence = 'token' in left ? await endAbandoned(ws, left) : await endUnleased(ws, left)
  const alive = findMarked(run.run)
  if (alive.length > 0) throw notEnded(alive.map(({ pid }) => pid))
  const ended = pids.length === 0 ? '' : `; ${processes(pids)} of it ${pids.length === 1 ? 'was' : 'were'} ended`
  const isOver = isLanding({ run }) ? `Ended ${run.title}` : `The run ${run.run} had already ended`
  return `${sentence ?? isOver}${ended}`
}

function processes({ length }: readonly number[]): string {
  return plural(length, 'process', 'processes')
}

function notEnded(pids: readonly number[]): UserError {
  return new UserError('NOT_ENDED', `These processes of it cannot be ended: pid ${pids.join(', ')}`, {
    hint: 'They may belong to another user, or wait for a device. Its work is kept and its end is recorded.',
  })
}

/** A landing has no task, and its processes are those of its checks. */
export function isLanding({ run }: Pick<DeadRun, 'run'>): boolean {
  return run.uid.startsWith(LANDING)
}

/** The holder of a base's lease that only checks the base. */
export const BASE_CHECK = 'base check'

type Found = Omit<DeadRun, 'pids'> & { isOpen: boolean }

function leasedRuns(ws: Workspace): Found[] {
  const { live } = ws
  if (live === null) return []
  const dead = leasesByLife(live, ws.now()).abandoned.filter((lease) => !isClaim(lease))
  return dead.map((lease) => {
    const task = taskOfLease(ws, lease)
    const isOpen = task?.runs.some(({ run, ended_at }) => run === lease.run && ended_at === undefined) ?? false
    return { run: liveRun(live, lease.run) ?? rowOfLease(lease, task), isOpen, left: lease }
  })
}

/** A ledger that cannot be read is not a reason to hide the processes. */
function taskOfLease(ws: Workspace, { ledger, uid }: Lease): Task | null {
  try {
    const { ws: there, row } = readOtherLedger(ws, ledger)
    return taskOf(there.state, row.lid, uid)
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}

/** It died before it was listed, or it is a landing. */
function rowOfLease({ run, uid, ledger, holder: agent, taken_at: started_at }: Lease, task: Task | null): LiveRun {
  const base = uid.startsWith(LANDING) ? uid.slice(LANDING.length) : null
  const about =
    base === null
      ? { number: task?.number ?? 0, title: task === null ? uid : titleOf(task), type: task?.type ?? 'task' }
      : { number: 0, title: agent === BASE_CHECK ? `the check of ${base}` : `the landing on ${base}`, type: 'landing' }
  return { ...BEGUN, ...about, run, uid, ledger, agent, started_at, attempt: 1 }
}

/**
 * Only of the current ledger. A run may end between our look at the ledger and our look at the leases, so the ledger is
 * read once more.
 */
function unleasedRuns(ws: Workspace, known: ReadonlySet<string>): Found[] {
  const { namedLedger } = ws
  if (namedLedger === null) return []
  const find = () => unleasedIn(ws, namedLedger).filter(({ run }) => !run.claimed && !known.has(run.run))
  const first = new Set(find().map(({ run }) => run.run))
  if (first.size === 0) return []
  return find()
    .filter(({ run }) => first.has(run.run))
    .map((unleased) => ({ run: rowOfRecord(unleased), isOpen: true, left: unleased }))
}

function rowOfRecord({ ledger, task, run: { run, attempt, agent, started_at } }: UnleasedRun): LiveRun {
  const about = { uid: task.uid, number: task.number, title: titleOf(task), type: task.type, ledger }
  return { ...BEGUN, ...about, run, attempt, started_at, agent: String(agent ?? 'agent') }
}
