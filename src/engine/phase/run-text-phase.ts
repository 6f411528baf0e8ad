/** A phase whose result is a text, in a checkout of one commit that nothing else is kept of. */
import { join } from 'node:path'
import { isAboutAnother, readVerdict } from '../../core/run/verdict.ts'
import type { SpokenVerdict } from '../../core/task/task.ts'
import { clearWay, readTextIfThere } from '../../platform/files/files.ts'
import { markedBy } from '../supervise/marked.ts'
import { dropThrowAway, makeThrowAway } from '../worktree/throw-away.ts'
import { workplaceRoot } from '../worktree/workplace.ts'
import { callAgent } from './call-agent.ts'
import type { PhaseReport } from './run-phase.ts'
import type { Desk, Heard, Job } from './run-plan.ts'

export async function runTextPhase(job: Job, desk: Desk, kind: 'plan' | 'explore' | 'review'): Promise<Heard> {
  const repo = markedBy(desk.repo, job.run)
  const path = makeThrowAway(repo, workplaceRoot(repo, desk.env), job.run, job.from)
  desk.step(job, 'prepared')
  try {
    // What the judged commit has at that place is nobody's answer: a review could have been put there beforehand.
    if (job.output !== null) clearWay(path, job.output)
    const access = kind === 'review' ? 'read-only' : 'work'
    const { report, incidents } = await callAgent(job, desk, { phase: kind, cwd: path, access })
    const heard = { report, incidents, strayed: [], text: writtenText(job, kind, path, report) }
    desk.keepHeard(job, heard)
    desk.step(job, 'heard')
    return heard
  } finally {
    dropThrowAway(repo, path)
  }
}

/** The verdict of a review of this commit. What its reviewer said last can speak against it, and not in its place. */
export function verdictOn(commit: string, { text, report }: Heard): SpokenVerdict {
  const review = text ?? ''
  const isAbout = [review, report.text].every((said) => !isAboutAnother(said, commit))
  const verdict = readVerdict(review)
  return isAbout && verdict === readVerdict(review, report.text) ? verdict : 'CHANGES_REQUESTED'
}

/** The file it was asked to write, else its last message where that is more than a line of goodbye. */
function writtenText(job: Job, kind: string, path: string, { text, printed }: PhaseReport): string | null {
  const file = job.output === null ? null : readTextIfThere(join(path, job.output))
  if (file !== null && file.trim() !== '') return file
  if (kind !== 'review') return text.trim().split('\n').length > 3 ? text : null
  const review = printed === '' ? text : printed
  return /\*\*Verdict:/.test(review) ? review : null
}
