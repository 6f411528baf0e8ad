import { readFieldHeading } from '../../plan-fields/field-names.ts'
import type { Outline, Place } from '../lines/outline-model.ts'
import type { PlanLine } from '../lines/plan-lines.ts'
import type { PlanList } from '../lines/plan-lists.ts'
import { isAboutPlan, isTaskSection } from '../lines/section-names.ts'
import { taskExtents } from '../task-extents.ts'
import { isTaskItem, ownersOfFields } from './implied-starts.ts'

/** Items beside tasks are tasks of any kind, and an item around tasks is their parent. Adds them. */
export function addItemSiblings(outline: Outline, lists: readonly PlanList[], starts: Set<number>): void {
  for (const list of lists.toReversed()) {
    if (!list.items.some((at) => starts.has(at))) continue
    for (const at of itemsAlike(outline, list)) starts.add(at)
    if (list.around !== -1 && isTaskItem(outline, list.around)) starts.add(list.around)
  }
}

/** The items of a list that are tasks if any of them is. */
export function itemsAlike(outline: Outline, list: PlanList): number[] {
  const lineAt = (at: number) => outline.lines[at] as PlanLine
  const isNested = list.around !== -1
  const isBelow = isBelowNumbers(outline, list)
  return list.items.filter((at) => {
    const { box, number } = lineAt(at)
    if (!isTaskItem(outline, at) || (isNested && box === null)) return false
    return !(isBelow && box === null && number === null)
  })
}

/** `1. Model` with `- Table` right below, and `2. View` after it: the bullets were meant to be indented. */
function isBelowNumbers({ lines }: Outline, { items }: PlanList): boolean {
  const numbers = items.filter((at) => lines[at]?.number !== null)
  if (numbers.length < 2 || lines[items[0] ?? -1]?.number === null) return false
  return items.every((at) => lines[at]?.number !== null || lines[at - 1]?.kind !== 'blank')
}

/** Headings beside tasks that are not taken as tasks. */
export interface OtherHeadings {
  headings: number[]
  /** They are numbered like the tasks: their author may have meant them as tasks. */
  numbered: Set<number>
}

/** Adds the headings beside tasks, at the same level, that are tasks as well, and returns the others. */
export function addHeadingSiblings(outline: Outline, starts: Set<number>): OtherHeadings {
  const { lines, labels } = outline
  const isCovered = coveredLines(outline, starts)
  const groups = Map.groupBy(
    [...starts].filter((at) => lines[at]?.kind === 'heading').sort((a, b) => a - b),
    (at) => groupOf(outline, at),
  )
  const withFields = new Set(ownersOfFields(outline, [...lines.keys()]))
  const otherHeadings: OtherHeadings = { headings: [], numbered: new Set() }
  for (const at of lines.keys()) {
    const group = lines[at]?.kind === 'heading' ? groups.get(groupOf(outline, at)) : undefined
    if (!group || starts.has(at) || isCovered.has(at) || containsStart(outline, at, starts)) continue
    const [first = 0] = group
    const isBetween = at > first && at < (group.at(-1) ?? 0)
    const isNumbered = labels.get(at)?.kind === 'outline' && group.some((task) => labels.get(task)?.kind === 'outline')
    const title = labels.get(at)?.title ?? ''
    const isLike = isTaskHeading(outline, at)
    if (isLike && (isTaskArea(outline, at) || isBetween || withFields.has(at))) starts.add(at)
    else {
      if (isLike) otherHeadings.headings.push(at)
      // A heading called "Overview" before the first task introduces the tasks.
      if (isNumbered && !ORDER.test(title) && (at > first || !isAboutPlan(title))) otherHeadings.numbered.add(at)
    }
  }
  return otherHeadings
}

/** Such a chapter describes the dependencies, and is read for that. */
const ORDER = /\b(?:dependenc(?:y|ies)|execution order|order of execution)\b/i

export function isTaskHeading({ lines, labels, places, regions, titleAt }: Outline, at: number): boolean {
  const { kind, text } = lines[at] as PlanLine
  const { region, isAbout } = places[at] as Place
  if (kind !== 'heading' || at === titleAt || isAbout || regions[region]?.heading === at) return false
  const title = labels.get(at)?.title ?? ''
  return title !== '' && !isTaskSection(title) && !isAboutPlan(title) && readFieldHeading(text) === null
}

/** The lines of all tasks. */
export function coveredLines(outline: Outline, starts: ReadonlySet<number>): Set<number> {
  return new Set(taskExtents(outline, starts).flatMap(({ first, body }) => [first, ...body]))
}

/** In a phase all headings of one level are alike; elsewhere those below the same heading. */
function groupOf({ lines, places }: Outline, at: number): string {
  const { region, above } = places[at] as Place
  return `${region} ${region > 0 ? '' : above} ${lines[at]?.level}`
}

function isTaskArea({ places }: Outline, at: number): boolean {
  const { region, above } = places[at] as Place
  return region > 0 || (places[above]?.isListed ?? false)
}

/** A heading over tasks is a group of them. */
export function containsStart({ lines }: Outline, at: number, starts: ReadonlySet<number>): boolean {
  const level = lines[at]?.level ?? 0
  for (let below = at + 1; below < lines.length; below++) {
    const line = lines[below] as PlanLine
    if (line.kind === 'heading' && line.level <= level) return false
    if (starts.has(below)) return true
  }
  return false
}

/** What the headings of the same kind of chapter have in common. */
export function chapterOf(outline: Outline, at: number): string {
  const { heading, above } = outline.places[at] as Place
  if (heading === -1) return ''
  return `${above} ${outline.lines[heading]?.level} ${outline.labels.get(heading)?.kind}`
}
