/**
 * A fault of the machine, such as a full disk or a state folder that cannot be used, would fail every task. It stops the
 * worker with its reason, and uses up no attempt.
 */
import { machineFault } from '../core/machine-error.ts'
import { sentenceText } from '../core/sentence.ts'
import type { UserError } from '../core/user-error.ts'
import { liveRun } from '../state/live/live-runs.ts'
import { dropMatter, keepMatter } from '../state/live/matters.ts'
import { liveOf, type Workspace } from '../workspace/workspace.ts'
import type { WorkSession } from './work-session.ts'

/** `run`: the run that it happened in. Null: the error is not a fault of the machine. Otherwise the session starts nothing new, and ends with it. */
export function stopForFault({ ws, slots }: WorkSession, thrown: unknown, run: string | null): UserError | null {
  const fault = machineFault(thrown, { hasAgentWorked: run !== null && hasAgentWorked(ws, run) })
  if (fault !== null) stopWith({ ws, slots }, fault)
  return fault
}

/** Only the first fault is reported: the others follow from it. */
export function stopWith({ ws, slots }: Pick<WorkSession, 'ws' | 'slots'>, fault: UserError): void {
  if (slots.fault !== null) return
  slots.fault = fault
  recordFault(ws, fault)
  slots.wake()
}

const BEFORE_A_WORKTREE: readonly string[] = ['begun', 'started']

/** An agent that prints nothing may have worked although no later step was recorded. */
export function mayHaveWorked(ws: Workspace, run: string): boolean {
  const step = stepOf(ws, run)
  return step !== undefined && !BEFORE_A_WORKTREE.includes(step)
}

function hasAgentWorked(ws: Workspace, run: string): boolean {
  return mayHaveWorked(ws, run) && stepOf(ws, run) !== 'prepared'
}

function stepOf({ live }: Workspace, run: string): string | undefined {
  return live === null ? undefined : liveRun(live, run)?.step
}

/** For the inbox. The store may be what cannot be written; then the command's own error has to suffice. */
export function recordFault(ws: Workspace, { message, hint = '' }: UserError): void {
  attempt(() =>
    keepMatter(liveOf(ws), { ...keyIn(ws), at: ws.now(), facts: { why: message, next: sentenceText(hint) } }),
  )
}

/** Whether the machine works again is found out by working. */
export function forgetFault(ws: Workspace): void {
  attempt(() => dropMatter(liveOf(ws), keyIn(ws)))
}

function keyIn({ ledger }: Workspace) {
  return { ledger, code: 'MACHINE_FAULT', subject: 'this machine' }
}

function attempt(act: () => void): void {
  try {
    act()
  } catch {}
}
