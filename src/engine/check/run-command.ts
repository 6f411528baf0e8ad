import { countTests } from '../../core/run/count-tests.ts'
import type { TestCounts } from '../../core/run/test-counts.ts'
import { printable } from '../../core/text/printable.ts'
import { shorten } from '../../core/text/shorten.ts'
import type { Env } from '../../platform/git/git.ts'
import { hidingOwn } from '../../platform/git/own-excludes.ts'
import { staying } from '../../platform/git/own-git.ts'
import { makeRedact } from '../guard/redact.ts'
import type { PhaseEnd } from '../supervise/phase-cause.ts'
import { supervise } from '../supervise/supervise.ts'
import type { CheckFailure } from './check-plan.ts'
import { keepTail } from './tail.ts'

export interface CommandResult {
  failure: CheckFailure | null
  counts: TestCounts | null
}

/** Where a command line of the project runs, and for how long. */
export interface CommandPlace {
  /** The worktree. */
  path: string
  env: Env
  marker: string
  timeoutMs: number
  cancel?: AbortSignal
  /** Takes each line of its output; in a flood, many whole lines at once, as bytes without the last newline. */
  log?: (lines: string | Uint8Array) => void
}

/** Runs a command line in the worktree. Only the counts and the last lines of its output are kept. */
export async function runCommand(
  plan: CommandPlace,
  command: string,
  what: CheckFailure['what'],
): Promise<CommandResult> {
  const counter = countTests()
  const tail = keepTail(makeRedact(plan.env))
  const { end } = await supervise({
    argv: ['sh', '-c', command],
    cwd: plan.path,
    env: { ...staying(plan.env), ...hidingOwn(plan.env, plan.path), GZA_RUN: plan.marker },
    marker: plan.marker,
    timeoutMs: plan.timeoutMs,
    // A long build can print nothing for minutes.
    stallMs: plan.timeoutMs,
    ...(plan.cancel && { cancel: plan.cancel }),
    onLine: (_, line) => {
      counter.read(line)
      tail.add(line)
      plan.log?.(line)
    },
    onFlood: (_, lines) => {
      counter.readMany(lines)
      tail.addMany(lines)
      plan.log?.(lines)
    },
  })
  const failure = describeEnd(end, plan.timeoutMs, what)
  if (failure === null) return { failure, counts: counter.counts() }
  return {
    failure: { ...failure, detail: tail.under(`${nameCommand(command)} ${failure.detail}`) },
    counts: counter.counts(),
  }
}

/** A command line as messages show it. */
export function nameCommand(command: string): string {
  const name = printable(command)
  return shorten(name, LONGEST_NAME)
}

const LONGEST_NAME = 200

/** Null for success, otherwise the kind of failure and the end of a sentence about the command. */
function describeEnd(end: PhaseEnd, timeoutMs: number, what: CheckFailure['what']): CheckFailure | null {
  switch (end.kind) {
    case 'exited':
      return end.code === 0 ? null : { what, detail: `exited with ${end.code}` }
    case 'signalled':
      return { what, detail: `was ended by ${end.signal}` }
    case 'timed-out':
    case 'stalled':
      return { what: 'timed-out', detail: `had not ended after ${timeoutMs / 1000} s` }
    case 'cancelled':
      return { what: 'cancelled', detail: 'was stopped' }
    case 'over-budget':
      return { what, detail: `was stopped: ${end.what}` }
    case 'not-started':
      return { what, detail: `could not be started: ${end.why}` }
    default:
      return end satisfies never
  }
}
