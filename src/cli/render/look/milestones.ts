import { printable } from '../../../core/text/printable.ts'
import type { MilestoneView } from '../../../workspace/views/groups/list-milestones.ts'
import type { Display } from '../../terminal/display.ts'
import { fitTo, padTo, widthOf } from '../../terminal/fit-to.ts'

const BAR = 20
const WIDEST_STATUS = 'in_progress'.length

/** A line for each: name, status, a bar, the number of completed tasks, and what blocks it. */
export function* renderMilestones(milestones: readonly MilestoneView[], display: Display): Iterable<string> {
  const names = milestones.map((milestone) => fitTo(nameOf(milestone), BAR + WIDEST_STATUS + OTHERS, display))
  const width = names.reduce((widest, name) => Math.max(widest, widthOf(name)), 0)
  const countWidth = milestones.reduce((widest, milestone) => Math.max(widest, countOf(milestone).length), 0)
  for (const [at, milestone] of milestones.entries()) {
    const status = padTo(milestone.status, WIDEST_STATUS)
    const line = [
      display.style.bold(padTo(names[at] ?? '', width)),
      inColour(milestone, display)(status),
      barOf(milestone, display),
      milestone.progress.padStart(4),
      countOf(milestone).padStart(countWidth),
      display.style.dim(restOf(milestone)),
    ]
    yield line.join('  ').trimEnd()
  }
}

/** Gaps, percentage and counts beside the bar. */
const OTHERS = 44

function nameOf({ id, name }: MilestoneView): string {
  return printable(name === id ? id : `${id} ${name}`)
}

function countOf({ completed, total }: MilestoneView): string {
  return `${completed}/${total}`
}

function inColour({ status }: MilestoneView, { style }: Display): (text: string) => string {
  const styles = { completed: style.green, failed: style.red, in_progress: style.yellow, pending: style.dim }
  return styles[status]
}

/** Full only if everything is done, and not empty if something is. */
function barOf({ completed, total }: MilestoneView, { style }: Display): string {
  const done = completed === 0 ? 0 : Math.max(1, Math.floor((BAR * completed) / total))
  return `${style.green('█'.repeat(done))}${style.dim('░'.repeat(BAR - done))}`
}

function restOf({ failed, in_progress, skipped, on_hold_count }: MilestoneView): string {
  const parts = [
    { count: failed, word: 'failed' },
    { count: in_progress, word: 'in_progress' },
    { count: skipped, word: 'skipped' },
    { count: on_hold_count, word: 'on hold' },
  ]
  return parts.flatMap(({ count, word }) => (count > 0 ? [`${count} ${word}`] : [])).join(', ')
}
