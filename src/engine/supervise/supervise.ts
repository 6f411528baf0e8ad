import type { Env } from '../../platform/git/git.ts'
import { type Group, type GroupSpec, spawnGroup } from '../../platform/processes/spawn-group.ts'
import { becomeSubreaper } from '../../platform/processes/subreaper.ts'
import type { Enclosed } from '../isolation/box/box-plan.ts'
import { deliverLines, type Stream } from './deliver-lines.ts'
import { endTree } from './end-tree.ts'
import { type Cause, type CauseWatch, type PhaseEnd, type PhaseLimits, watchCause } from './phase-cause.ts'
import { watchTree } from './run-tree.ts'

export interface Supervised extends PhaseLimits {
  argv: readonly string[]
  cwd: string
  /** The whole environment, including GZA_RUN with the marker. */
  env: Env
  /** The same command in a box: this is what is started. */
  enclosed?: Enclosed
  /** Text for standard input. Without it, standard input is empty. */
  stdin?: string
  /** Identifies the run's processes, even after this supervisor is gone. */
  marker: string
  /** How long it may take to end by itself after 'stop', and again after TERM. */
  graceMs?: number
  /**
   * 'stop': the work is done, and the program may end by itself. 'end': it would only wait, so it is ended immediately,
   * as it is if it is over a budget.
   */
  onLine(stream: Stream, line: string): LineAnswer
  /** Many lines at once, as in `LineTaker`. Without this, every line goes to `onLine`. */
  onFlood?(stream: Stream, lines: Uint8Array): LineAnswer
  /** About once a second: for how long nothing was printed. */
  onSilence?(silentMs: number): LineAnswer
}

// biome-ignore lint/suspicious/noConfusingVoidType: a callback that never stops anything returns nothing.
export type LineAnswer = void | 'stop' | 'end' | { overBudget: string }

export interface Supervision {
  end: PhaseEnd
  ms: number
  /** Processes that could not be ended: 0, unless one belongs to another user or is stuck in the kernel. */
  survivors: number
}

const GRACE_MS = 5000
/** A person, or a system that shuts down, is waiting: SIGTERM has to end gza and all its agents within ten seconds. */
const CANCEL_GRACE_MS = 3000
/** How long to wait for a stream that a process outside the run keeps open. */
const SILENCE_MS = 500

/**
 * Runs one program until none of its processes is left, whatever ends it: the program itself, a limit or the caller.
 * All its lines are delivered before this returns.
 */
export async function supervise(s: Supervised): Promise<Supervision> {
  const began = performance.now()
  const ended = (end: PhaseEnd, survivors = 0): Supervision => ({ end, ms: performance.now() - began, survivors })
  if (s.cancel?.aborted) return ended({ kind: 'cancelled' })
  await becomeSubreaper()
  const group = await spawnGroup(s.enclosed ? startedFor(s, s.enclosed) : s)
  if (group.kind === 'not-started') return ended(group)
  const { end, survivors } = await watchToTheEnd(s, group)
  return ended(end, survivors)
}

function startedFor(s: Supervised, enclosed: Enclosed): GroupSpec {
  return { ...s, ...enclosed, encloses: { argv: s.argv, cwd: s.cwd, env: s.env, isWaitedFor: enclosed.holders > 0 } }
}

async function watchToTheEnd(s: Supervised, group: Group): Promise<{ end: PhaseEnd; survivors: number }> {
  const graceMs = s.graceMs ?? GRACE_MS
  const failures: unknown[] = []
  // Failures of gza itself end the phase too, and are thrown when no process of it is left.
  const attempt = (act: () => void): void => {
    try {
      if (failures.length === 0) act()
    } catch (error) {
      failures.push(error)
      watch.report({ kind: 'broken' })
    }
  }
  const tree = watchTree(s.marker, group.root, s.enclosed?.holders)
  const look = (silentMs: number): void => {
    // It remembers whom an orphan descends from. A box keeps its orphans, and a look reads the whole process table.
    if (!tree.isEnclosed) attempt(tree.look)
    take(() => s.onSilence?.(silentMs))
  }
  const watch = watchCause(s, { progress: () => delivery.progress(), look })
  const take = (answer: () => LineAnswer) => attempt(() => applyAnswer(answer(), watch, graceMs))
  const { onFlood } = s
  const delivery = deliverLines(group, {
    onLine: (stream, line) => take(() => s.onLine(stream, line)),
    ...(onFlood && { onFlood: (stream, lines) => take(() => onFlood(stream, lines)) }),
  })
  group.exit.then(() => watch.report({ kind: 'left' }))
  const cause = await watch.cause
  const survivors = await endTree(tree, cause.kind === 'cancelled' ? (s.graceMs ?? CANCEL_GRACE_MS) : graceMs)
  await delivery.finish(SILENCE_MS)
  if (failures.length > 0) throw failures[0]
  return { end: await endOf(cause, group, survivors), survivors }
}

function applyAnswer(answer: LineAnswer, watch: CauseWatch, graceMs: number): void {
  if (answer === 'stop') watch.startGrace(graceMs)
  else if (answer === 'end') watch.report({ kind: 'stopped' })
  else if (answer) watch.report({ kind: 'over-budget', what: answer.overBudget })
}

async function endOf(cause: Cause, { exit }: Group, survivors: number): Promise<PhaseEnd> {
  if (cause.kind === 'left') return exit
  if (cause.kind !== 'stopped' && cause.kind !== 'broken') return cause
  // A process that cannot be ended has no exit to wait for.
  return survivors === 0 ? exit : { kind: 'signalled', signal: 'SIGKILL' }
}
