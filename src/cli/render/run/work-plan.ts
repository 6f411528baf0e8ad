import { commandLine } from '../../../core/sentence.ts'
import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import type { WorkPlan } from '../../../scheduler/choose/plan-work.ts'
import type { PlannedRun } from '../../../scheduler/choose/planned-run.ts'
import type { Display } from '../../terminal/display.ts'
import { hangingLines } from '../../terminal/hanging-lines.ts'
import { keyedTitle } from '../task-text.ts'

/** What would run, and why the rest would not. Ready tasks beyond the requested number are only counted. */
export function* renderWorkPlan({ batches, not_run }: WorkPlan, display: Display): Iterable<string> {
  if (batches.length === 0) yield 'Nothing would run.'
  for (const [at, batch] of batches.entries()) {
    yield display.style.bold(`Batch ${at + 1}`)
    for (const run of batch) {
      yield* hangingLines(`  #${run.number} ${keyedTitle(run)}`, 4, display)
      for (const line of hangingLines(`    ${printable(runWords(run))}`, 6, display)) yield display.style.dim(line)
    }
  }
  const shown = not_run.filter(({ code }) => code !== 'READY')
  if (shown.length > 0) yield display.style.bold('Not run')
  for (const task of shown) {
    yield* hangingLines(`  #${task.number} ${keyedTitle(task)}`, 4, display)
    yield* hangingLines(`    ${display.style.yellow(task.code)}: ${printable(task.detail)}`, 6, display)
  }
  const ready = not_run.length - shown.length
  if (ready > 0)
    yield display.style.dim(`${ready} more ${ready === 1 ? 'is' : 'are'} ready: ${commandLine`work --all`}`)
}

function runWords(run: PlannedRun): string {
  const { agent, model, branch, attempt, max_iterations, max_review_cycles, not_before, review } = run
  return [
    agent,
    model === null ? '' : `model ${model}`,
    branch === null ? startWords(run) : `on ${branch} ${startWords(run)}`,
    attempt > 1 ? `attempt ${attempt}` : '',
    max_iterations === null ? '' : `at most ${plural(max_iterations, 'iteration')}`,
    max_review_cycles === null ? '' : `at most ${plural(max_review_cycles, 'review')}`,
    not_before === null ? '' : `not before ${not_before}`,
    review ? 'then a review' : '',
  ]
    .filter(Boolean)
    .join(', ')
}

function startWords({ start: { commit, merge, builds_on_numbers } }: PlannedRun): string {
  const commits = [commit, ...merge].flatMap((oid) => (oid === null ? [] : [oid.slice(0, 10)]))
  const works = builds_on_numbers.map((number) => `the work of #${number}`)
  return `from ${[...commits, ...works].join(' and ')}`
}
