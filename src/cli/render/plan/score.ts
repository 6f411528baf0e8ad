import { COMPONENTS, HIGHEST_SCORE, MAXIMA } from '../../../core/size/complexity.ts'
import { printable } from '../../../core/text/printable.ts'
import type { Scored } from '../../../planning/split/score-task.ts'
import type { Display } from '../../terminal/display.ts'
import { padTo } from '../../terminal/fit-to.ts'
import { hangingLines } from '../../terminal/hanging-lines.ts'

const NAME_WIDTH = Math.max(...COMPONENTS.map((name) => name.length))

/** The column of the reasons. */
const REASONS_AT = 2 + NAME_WIDTH + 2 + 6 + 2 + 2 + 2

/** The table of one task: each component with its points, its maximum and the reason for each point. */
export function* renderScore({ number, key, title, score, warnings }: Scored, display: Display): Iterable<string> {
  const row = (name: string, points: string, most: string, why: string) =>
    hangingLines(rowText(name, points, most, why), REASONS_AT, display)
  yield* hangingLines(`${display.style.yellow(printable(key ?? `#${number}`))}: ${printable(title)}`, 2, display)
  yield display.style.dim(rowText('component', 'points', 'of', 'reasons'))
  for (const component of COMPONENTS) {
    const [first = '', ...others] = score.reasons[component].map((reason) => printable(reason))
    yield* row(component, score.components[component].toFixed(1), String(MAXIMA[component]), first)
    for (const reason of others) yield* row('', '', '', reason)
  }
  yield* row('total', score.total.toFixed(1), String(HIGHEST_SCORE), `${score.level}: ${score.action}`)
  for (const warning of warnings) yield* hangingLines(`  ${warning}`, 4, display).map(display.style.dim)
  if (score.total > score.threshold) yield `  above ${score.threshold.toFixed(1)}, the threshold for a split`
}

export function* renderScores(scored: readonly Scored[], display: Display): Iterable<string> {
  for (const [at, task] of scored.entries()) {
    if (at > 0) yield ''
    yield* renderScore(task, display)
  }
}

function rowText(name: string, points: string, most: string, why: string): string {
  return `  ${padTo(name, NAME_WIDTH)}  ${points.padStart(6)}  ${most.padStart(2)}  ${why}`.trimEnd()
}
