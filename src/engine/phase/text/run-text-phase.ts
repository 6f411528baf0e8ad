/** A phase whose result is a text, in a temporary checkout of one commit. Only the text is kept. */

import { clientConfiguration } from '../../../core/run/client-configuration.ts'
import { namesVerdict } from '../../../core/run/verdict.ts'
import { UserError } from '../../../core/user-error.ts'
import { clearPath } from '../../../platform/files/files.ts'
import { readBelow } from '../../../platform/files/untrusted/read-below.ts'
import { markedBy } from '../../../platform/git/own-git.ts'
import { dropThrowAway, leaveOut, makeThrowAway } from '../../../platform/git/throw-away.ts'
import { removePrivateGitOf } from '../../isolation/private-git/remove.ts'
import { placeAgain, type SetUpFailure } from '../../set-up/set-up-worktree.ts'
import { lockReason, workplacePath } from '../../worktree/workplace.ts'
import { callAgent } from '../call-agent.ts'
import { type PhaseOutcome, type PhaseReport, phaseNotBegun } from '../phase-report.ts'
import type { RunContext } from '../run-context.ts'
import type { RunPlan } from '../run-plan.ts'
import { setUpPlace } from '../set-up-phase.ts'
import { askForVerdict, lastMessage } from './ask-verdict.ts'

export async function runTextPhase(
  plan: RunPlan,
  context: RunContext,
  kind: 'plan' | 'explore' | 'review',
): Promise<PhaseOutcome> {
  const { host, recorder } = context
  const { run } = plan.subject
  const { from, output } = plan.place
  const repo = markedBy(host.repo, run)
  const path = workplacePath(repo, host.env, { branch: null, run })
  makeThrowAway(repo, path, { commit: from, why: lockReason(plan.subject) })
  try {
    const unready = await setUpPlace(plan, context, { path, kind: 'throw-away' })
    recorder.step('prepared')
    if (unready !== null) return notSetUp(unready)
    // A file that the commit already has there is not the answer: somebody may have planted a review.
    if (output !== null) clearPath(path, output)
    // A reviewer must not run what the agent that it judges has configured, in the commit or by way of the set-up. The
    // diff in its prompt shows these files.
    if (kind === 'review') {
      leaveOut(repo, path, clientConfiguration)
      // The person's own .env is not the judged agent's, and the checks may need it.
      placeAgain(host.repo, path, plan.worktree)
    }
    const access = kind === 'review' ? 'read-only' : 'work'
    const call = { phase: kind, cwd: path, access } as const
    const { report, incidents } = await callAgent(plan, context, call)
    const first = { report, incidents, strayed: [], text: writtenText(output, kind, path, report) }
    const outcome = kind === 'review' ? await askForVerdict(plan, context, { call, outcome: first }) : first
    recorder.keepOutcome(plan.order.promptKey, outcome)
    recorder.step('heard')
    return outcome
  } finally {
    dropThrowAway(repo, path)
    await removePrivateGitOf(repo, path)
  }
}

function notSetUp({ isCancelled, detail }: SetUpFailure): PhaseOutcome {
  const failure = { reason: isCancelled ? 'interrupted' : 'setup-failed', detail, resetsAt: null } as const
  return { report: phaseNotBegun(failure), incidents: [], strayed: [], text: null }
}

/**
 * The file it was asked to write. Otherwise its last message, if it is more than a remark. Of a client that prints plain
 * text, everything is its last message, so that a review must at least speak of a verdict.
 */
function writtenText(output: string | null, kind: string, path: string, report: PhaseReport): string | null {
  const file = output === null ? null : readWritten(path, output)
  if (file !== null && file.trim() !== '') return file
  const message = lastMessage(report)
  if (kind === 'review' && (namesVerdict(message) || report.printed !== ''))
    return namesVerdict(message) ? message : null
  return isRemark(message) ? null : message
}

/** No link of the agent is followed: gza can read what its box hides. */
function readWritten(path: string, output: string): string | null {
  const found = readBelow(path, output.split('/'), LARGEST_TEXT)
  if (found.kind === 'none') return null
  if (found.kind === 'file') return found.text
  const most = `${LARGEST_TEXT / 1024 / 1024} MB`
  throw new UserError('NOT_A_FILE', `${output} is not a plain file of at most ${most}, so it was not read`, {
    hint: 'The agent must write the text itself, and no link.',
  })
}

const LARGEST_TEXT = 8 * 1024 * 1024

/** `Done, see the file.`, and what programs print about themselves. */
function isRemark(message: string): boolean {
  const lines = message.split('\n').filter((line) => line.trim() !== '')
  return lines.length < 3 && message.trim().length < 200
}
