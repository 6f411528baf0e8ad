import { COMPONENTS, filesOf } from '../../../core/size/complexity.ts'
import { type Part, strategyFor } from '../../../core/size/plan-split.ts'
import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import type { Split } from '../../../planning/split/split-task.ts'
import type { Display } from '../../terminal/display.ts'
import { shortName } from '../task-text.ts'

/** The score, the strategy and its reason, then each part with its files, criteria and dependencies. */
export function* renderSplit(split: Split, display: Display, { dryRun }: { dryRun: boolean }): Iterable<string> {
  const { task, score, plan } = split
  const name = display.style.yellow(printable(task.key))
  yield `${name} (complexity: ${score.total.toFixed(1)} - ${score.level}): ${printable(task.title)}`
  yield `  ${COMPONENTS.map((component) => `${component}: ${score.components[component].toFixed(1)}`).join(', ')}`
  if (plan.kind !== 'split') {
    yield `  Not above ${score.threshold.toFixed(1)}, so it is not split. --strategy splits it anyway.`
    return
  }
  yield `  Strategy selected: ${plan.strategy.toUpperCase()} (${whyChosen(plan)})`
  yield ''
  for (const part of plan.parts) yield* renderPart(part, split, display)
  yield `${dryRun ? 'Would split' : 'Split'} task ${shortName(task, display)} into ${plural(plan.parts.length, 'task')}`
}

/** The same facts for --json. */
export function splitFields({ task, criteria, score, plan, created }: Split) {
  const about = { task, acceptance_criteria: criteria, score }
  if (plan.kind !== 'split') return { ...about, strategy: null, chosen: null, dominant: null, parts: [], created }
  const { strategy, chosen, dominant, parts } = plan
  return { ...about, strategy, chosen, dominant, parts: parts.map(partFields), created }
}

function partFields({ key, title, content, after, unsplittable, ...sized }: Part) {
  const { acceptance_criteria = [], files_to_create = [], files_to_modify = [], test_files = [] } = sized
  const files = { files_to_create, files_to_modify, test_files }
  return { key, title, content, depends_on_keys: after, acceptance_criteria, ...files, unsplittable }
}

function whyChosen({ chosen, dominant }: Extract<Split['plan'], { kind: 'split' }>): string {
  if (chosen === 'dominant') return `dominant: ${dominant}`
  if (chosen === 'asked') return `as requested; dominant: ${dominant}`
  return `dominant: ${dominant}, but splitting by ${strategyFor(dominant)} makes no part smaller`
}

function* renderPart(part: Part, { created, criteria }: Split, display: Display): Iterable<string> {
  const filed = created.find(({ key }) => key === part.key)
  const names = (part.acceptance_criteria ?? []).map((text) => `C${criteria.indexOf(text) + 1}`)
  const id = filed && display.name === 'git-tasks' ? ` ${filed.id}` : ''
  yield `  ${display.style.yellow(part.key + id)}: ${printable(part.title)}`
  for (const file of filesOf(part)) yield display.style.dim(`      ${printable(file)}`)
  const mark = part.unsplittable === null ? '' : `, unsplittable: ${part.unsplittable}`
  yield `      criteria=[${names.join(', ')}], deps=[${part.after.join(', ')}]${mark}`
}
