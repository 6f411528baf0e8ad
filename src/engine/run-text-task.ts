import { join } from 'node:path'
import { readVerdict } from '../core/verdict.ts'
import { readTextIfThere } from '../platform/files.ts'
import { callAgent } from './call-agent.ts'
import type { Desk, Heard, Job, RunResult } from './job.ts'
import { failed, usageOf } from './run-result.ts'
import { dropThrowAway, makeThrowAway } from './throw-away.ts'
import { workplaceRoot } from './workplace.ts'

/** A plan, an exploration or a review: its result is a text, and nothing else of the checkout is kept. */
export async function runTextTask(job: Job, desk: Desk): Promise<RunResult> {
  const heard = job.heard ?? (await letWrite(job, desk))
  // Where it was heard just now this was done before its checkout went; a second time does no harm.
  desk.keepHeard(job, heard)
  return judgeText(job, desk, heard)
}

async function letWrite(job: Job, desk: Desk): Promise<Heard> {
  const path = makeThrowAway(desk.repo, workplaceRoot(desk.repo, desk.env), job.run, job.from)
  desk.step(job, 'prepared')
  try {
    const access = job.task.type === 'review' ? 'read-only' : 'work'
    const { report, incidents } = await callAgent(job, desk, { phase: job.task.type, cwd: path, access })
    const heard = { report, incidents, strayed: [], text: writtenText(job, path, report.text) }
    desk.keepHeard(job, heard)
    desk.step(job, 'heard')
    return heard
  } finally {
    dropThrowAway(desk.repo, path)
    desk.step(job, 'removed')
  }
}

function judgeText(job: Job, desk: Desk, { report, incidents, text }: Heard): RunResult {
  const rest = { session: report.session, incidents, resetsAt: report.failure?.resetsAt ?? null }
  if (report.failure) return { ...failed(desk, report.failure.reason, report.failure.detail, usageOf(report)), ...rest }
  if (text === null)
    return { ...failed(desk, 'no-artifact', `nothing was written to ${job.output}`, usageOf(report)), ...rest }
  const verdict = job.task.type === 'review' ? { verdict: readVerdict(text), head: job.from } : {}
  return {
    end: { ended_at: desk.now(), outcome: 'completed', ...usageOf(report), ...verdict },
    commits: [],
    text,
    ...rest,
  }
}

/** The file it was asked to write, else its last message where that is more than a line of goodbye. */
function writtenText(job: Job, path: string, lastMessage: string): string | null {
  const file = job.output === null ? null : readTextIfThere(join(path, job.output))
  if (file !== null && file.trim() !== '') return file
  const isText =
    job.task.type === 'review' ? /\*\*Verdict:/.test(lastMessage) : lastMessage.trim().split('\n').length > 3
  return isText ? lastMessage : null
}
