import type { RunReport } from '../../app/engine/run-loop.ts'
import type { WorkReport, WorkWatcher } from '../../app/engine/work.ts'
import { printable } from '../../core/printable.ts'
import { titleOf } from '../../core/task.ts'
import type { Face, Look } from '../face.ts'

type Lines = Pick<WorkWatcher, 'started' | 'progress' | 'ended' | 'said'>

/** What is said while agents work: a line for each thing that happens. With --json it goes to stderr. */
export function workLines(face: Face, json: boolean): Lines {
  const output = json ? face.err : face.out
  const say = (line: string) => {
    output.write(`${line}\n`)
    output.flush()
  }
  const phases = new Map<string, string>()
  return {
    said: say,
    started: ({ number, task }) => {
      const title = printable(titleOf(task))
      say(task.type === 'review' ? `Running review task #${number}...` : `Running task #${number}: ${title}`)
    },
    progress: (job, { phase }) => {
      if (phase === undefined || phases.get(job.run) === phase) return
      phases.set(job.run, phase)
      if (phase !== 'review') say(face.look.ink.dim(`  #${job.number} ${PHASE_WORDS[phase] ?? phase}`))
    },
    ended: (job, { end }, task) => {
      phases.delete(job.run)
      const { ink } = face.look
      if (end.outcome === 'completed')
        say(
          ink.green(
            task.type === 'review' ? `✓ Review completed${verdictOf(end.verdict)}` : `✓ Task #${job.number} completed`,
          ),
        )
      else if (end.outcome === 'interrupted')
        say(ink.yellow(`Task #${job.number} interrupted; its work is kept${onBranch(job.branch)}`))
      else say(ink.red(`✗ Task #${job.number} failed: ${end.reason} (attempt ${job.attempt})${firstLine(end.detail)}`))
    },
  }
}

const PHASE_WORDS: Record<string, string> = {
  task: 'Working...',
  implement: 'Implementing...',
  improve: 'Improving...',
  plan: 'Planning...',
  explore: 'Exploring...',
  verify: 'Verifying...',
}

function verdictOf(verdict: string | undefined): string {
  return verdict === undefined ? '' : `: ${verdict}`
}

function onBranch(branch: string | null): string {
  return branch === null ? '' : ` on ${branch}`
}

function firstLine(detail: string | undefined): string {
  const line = detail?.split('\n').find((text) => text.trim() !== '')
  return line === undefined ? '' : `\n  ${printable(line.trim().slice(0, 200))}`
}

/** What is left to say at the end. */
export function* renderWorkReport(report: WorkReport, look: Look): Iterable<string> {
  for (const { agent, until } of report.paused) {
    yield look.ink.yellow(`${printable(agent)} is at its usage limit until ${until}; gza work goes on with it then`)
  }
  const total = report.completed.length + report.failed.length + report.interrupted.length
  if (total === 0 && report.paused.length === 0) yield 'Nothing to work on.'
}

/** 002's two closing lines, and only when nothing is open. */
export function* renderRunReport(report: RunReport, look: Look): Iterable<string> {
  for (const { id, title, agent } of report.planned) yield `${id}: ${printable(title)} (${printable(agent)})`
  for (const id of report.skipped) yield look.ink.yellow(`${id}: skipped, its agent failed 3 times`)
  if (report.paused) {
    yield look.ink.yellow(`${printable(report.paused.agent)} is at its usage limit until ${report.paused.until}`)
  }
  if (!report.isAllDone) return
  yield 'All tasks complete!'
  yield 'Run: git tasks pr'
}
