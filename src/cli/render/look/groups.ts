import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import type { GroupCount } from '../../../workspace/views/groups/list-groups.ts'
import type { Display } from '../../terminal/display.ts'
import { padTo, widthOf } from '../../terminal/fit-to.ts'

const NARROWEST = 18
const ORDER = ['pending', 'in_progress', 'completed', 'failed', 'skipped'] as const

export function* renderGroups(rows: readonly GroupCount[], display: Display): Iterable<string> {
  const width = rows.reduce((widest, row) => Math.max(widest, widthOf(nameOf(row)) + 2), NARROWEST)
  for (const row of rows) {
    const words = row.group === null ? heldWords(row) : [...countWords(row), ...heldWords(row)]
    const counts = words.length === 0 ? '' : display.style.dim(` (${words.join(', ')})`)
    yield `${padTo(nameOf(row), width)}${plural(row.total, 'task')}${counts}`
  }
}

function nameOf({ group }: GroupCount): string {
  return group === null ? '(ungrouped)' : printable(group)
}

function countWords({ counts }: GroupCount): string[] {
  return ORDER.filter((status) => counts[status]).map((status) => `${counts[status]} ${status}`)
}

function heldWords({ on_hold_count }: GroupCount): string[] {
  return on_hold_count > 0 ? [`${on_hold_count} on hold`] : []
}
