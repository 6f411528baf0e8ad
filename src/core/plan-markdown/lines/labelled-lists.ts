import { readFieldHeading, readFieldLabel } from '../../plan-fields/field-names.ts'
import type { Outline, Place } from './outline-model.ts'
import type { PlanLine } from './plan-lines.ts'
import { beginsRemark, isAboutPlan, maybeAboutPlan } from './section-names.ts'

/**
 * Lists below `**Acceptance criteria:**` or `- Files to modify:` contain no tasks, unless the heading of a task is
 * near.
 */
export function markLabelledLists({ lines, places, labels }: Outline): void {
  let open: LabelledList | null = null
  for (const [at, line] of lines.entries()) {
    const isKeyedBox = line.box !== null && labels.get(at)?.kind === 'keyed'
    if (open && (isKeyedBox || endsList(open, line, lines[at - 1]))) open = null
    if (line.kind === 'text' && (isLabelOfList(line.text) || isFieldName(line.text)))
      open = { indent: line.indent, isNumbered: null }
    if (line.kind !== 'item') continue
    const place = places[at] as Place
    if (open) {
      open.isNumbered ??= line.number !== null
      places[at] = { ...place, isAbout: true }
    } else if (isLabelOfItems(line.text)) open = { indent: line.indent + 1, isNumbered: null }
  }
}

/** A list that a label introduces. */
interface LabelledList {
  /** The minimum indentation of its items. */
  indent: number
  /** Whether its first item has a number; null before the first item. */
  isNumbered: boolean | null
}

function endsList({ indent, isNumbered }: LabelledList, line: PlanLine, before: PlanLine | undefined): boolean {
  if (line.kind === 'heading') return true
  if (line.kind === 'text')
    return labelOfList(line.text) !== undefined || (before?.kind === 'blank' && line.indent <= indent)
  if (line.kind !== 'item') return false
  // Numbers that continue after a list of bullets belong to the surrounding list.
  return line.indent < indent || (isNumbered === false && line.number !== null && line.indent <= indent)
}

function isLabelOfList(text: string): boolean {
  const label = labelOfList(text)
  return label !== undefined && (isAboutPlan(label) || maybeAboutPlan(label) || readFieldHeading(label) !== null)
}

/** `Acceptance criteria` alone, without a colon. */
function isFieldName(text: string): boolean {
  const label = readFieldHeading(text)
  return label !== null && !label.isWeak && label.value === ''
}

/** The label of an item ends with a colon: `- **API**` is a title. */
function isLabelOfItems(text: string): boolean {
  const field = readFieldLabel(text)
  return field ? field.value === '' : beginsRemark(text) && /:(?:\*\*)?$/.test(text)
}

/** The words of a line that only introduces what is below it: `**Tasks:**`, `Files to create:`. */
export function labelOfList(text: string): string | undefined {
  return /^(?:\*\*|__)?([^*:]{2,60}?)(?::(?:\*\*|__)?|(?:\*\*|__))$/.exec(text)?.[1]
}
