import { type Task, titleOf } from '../../../core/task/task.ts'
import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import type { ForeignDifference } from '../../../exchange/import/compare-foreign.ts'
import type { Imported } from '../../../exchange/import/import-tasks.ts'
import type { Display } from '../../terminal/display.ts'
import { label, titleLine } from '../task-text.ts'
import { fieldChange, shortValue } from './field-change.ts'

type Listed = Pick<Task, 'number' | 'id' | 'title' | 'content'>

/** The differences, then a summary. A dry run also lists the tasks. */
export function* renderImported(
  result: Imported<Listed>,
  display: Display,
  options: { dryRun: boolean },
): Iterable<string> {
  const { created, updated, known_count, tool, differences = [] } = result
  if (options.dryRun) {
    for (const task of created) yield `new: ${printable(titleOf(task))}`
    // For another tool they follow below, with their changes.
    for (const task of tool === undefined ? updated : [])
      yield titleLine({ title: titleOf(task) }, { prefix: label(task, display), suffix: '(changed)' }, display)
  }
  for (const difference of differences) yield* differenceLines(difference, display)
  const differing = differences.length - updated.length
  const parts = [
    `${options.dryRun ? 'Would import' : 'Imported'} ${plural(created.length, 'task')}${tool === undefined ? '' : ` from ${tool}`}`,
    ...(updated.length > 0 ? [`${options.dryRun ? 'update' : 'updated'} ${updated.length}`] : []),
    ...(known_count > 0 ? [`${known_count} already here`] : []),
    ...(differing > 0 ? [`${differing} differ (--update applies the changes)`] : []),
  ]
  yield parts.join(', ')
}

/** The same facts for --json, with every key. */
export function importFields({ tool, differences = [], skipped, ...imported }: Imported<Listed>) {
  const reasons = skipped.map(({ line, why }) => ({ line: line ?? null, detail: why }))
  return { tool: tool ?? null, ...imported, differences, skipped: reasons }
}

function* differenceLines(difference: ForeignDifference, display: Display): Iterable<string> {
  const { number, key, title, changes } = difference
  yield titleLine({ title }, { prefix: `#${number} ${printable(key)}` }, display)
  for (const change of changes)
    yield display.style.dim(
      change.field === 'notes' ? `  notes: + ${shortValue(change.to)}` : `  ${fieldChange(change)}`,
    )
}

/** Printed on stderr: what could not be read, with its line. */
export function* renderSkipped({ skipped }: Imported<Listed>): Iterable<string> {
  for (const { line, why } of skipped) yield `${line === undefined ? '' : `line ${line}: `}${printable(why)}`
}
