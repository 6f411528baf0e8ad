import { headline, otherFailures } from '../../core/failures/explain-failure.ts'
import { findFailures } from '../../core/failures/find-failures.ts'
import { countTests } from '../../core/run/count-tests.ts'
import type { TestCounts } from '../../core/run/test-counts.ts'
import { printable } from '../../core/text/printable.ts'
import { shorten } from '../../core/text/shorten.ts'
import { removePipes } from '../../platform/files/untrusted/remove-pipes.ts'
import type { Env } from '../../platform/git/git.ts'
import { staying } from '../../platform/git/own-git.ts'
import { hidingOwn } from '../../platform/git/worktree-folder.ts'
import { makeRedact } from '../guard/redact.ts'
import type { Enclose } from '../isolation/box/box-plan.ts'
import type { PhaseEnd } from '../supervise/phase-cause.ts'
import { supervise } from '../supervise/supervise.ts'
import type { CheckFailure } from './check-plan.ts'
import { keepTail } from './tail.ts'

export interface CommandResult {
  failure: CheckFailure | null
  counts: TestCounts | null
  /** The first test that failed, as a line; empty if none is named. */
  firstFailure: string
  /** Its last lines, without secrets. */
  output: string
}

/** Where a command line of the project runs, and for how long. */
export interface CommandPlace {
  /** The worktree. */
  path: string
  env: Env
  marker: string
  timeoutMs: number
  cancel?: AbortSignal
  /** The same command in a box; absent: there is none. */
  enclose?: Enclose
  /** Takes each line of its output; in a flood, many whole lines at once, as bytes without the last newline. */
  log?: (lines: string | Uint8Array) => void
}

/** Runs a command line in the worktree. Of its output only the counts, the failures and the last lines are kept. */
export async function runCommand(
  plan: CommandPlace,
  command: string,
  what: CheckFailure['what'],
): Promise<CommandResult> {
  const counter = countTests()
  const finder = findFailures()
  const redact = makeRedact(plan.env)
  const tail = keepTail(redact)
  // In a box the private git folder has the worktree's excludes.
  const hiding = plan.enclose ? {} : hidingOwn(plan.env, plan.path)
  const env = { ...staying(plan.env), ...hiding, GZA_RUN: plan.marker }
  const shell = { argv: ['sh', '-c', command], cwd: plan.path, env }
  const { end } = await supervise({
    ...shell,
    ...(plan.enclose && { enclosed: plan.enclose(shell) }),
    marker: plan.marker,
    timeoutMs: plan.timeoutMs,
    // A long build can print nothing for minutes.
    stallMs: plan.timeoutMs,
    ...(plan.cancel && { cancel: plan.cancel }),
    onLine: (_, line) => {
      counter.read(line)
      finder.read(line)
      tail.add(line)
      plan.log?.(line)
    },
    onFlood: (_, lines) => {
      counter.readMany(lines)
      finder.readMany(lines)
      tail.addMany(lines)
      plan.log?.(lines)
    },
  })
  await removePipes(plan.path)
  const ended = describeEnd(end, plan.timeoutMs, what)
  // Before it is cut: half of a secret would not be recognized.
  const failures = finder.failures().map(({ name, message }) => ({ name: redact(name), message: redact(message) }))
  const about = { counts: counter.counts(), firstFailure: printable(headline(failures, '')), output: tail.text() }
  if (ended === null || ended.what === 'cancelled') return { failure: ended && named(ended, command), ...about }
  // The last line of a command that hangs is not its reason.
  const cause = headline(failures, ended.what === 'timed-out' ? '' : tail.text())
  const line = `${nameCommand(command)} ${ended.detail}${cause === '' ? '' : `: ${cause}`}`
  return { failure: { ...ended, detail: tail.under(line, otherFailures(failures)) }, ...about }
}

function named(failure: CheckFailure, command: string): CheckFailure {
  return { ...failure, detail: `${nameCommand(command)} ${failure.detail}` }
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
