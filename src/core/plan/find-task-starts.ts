import { keyedStarts } from './keyed-starts.ts'
import { describeLeftOut } from './left-out.ts'
import type { PlanRemark } from './plan.ts'
import type { PlanLine } from './plan-lines.ts'
import { listsOf, type PlanList } from './plan-lists.ts'
import type { Outline, Place } from './plan-outline.ts'
import { addHeadingSiblings, addItemSiblings, chapterOf, coveredLines, itemsAlike } from './task-siblings.ts'
import { weakerStarts } from './task-signs.ts'

export interface TaskStarts {
  starts: Set<number>
  /** Those that a list elsewhere in the plan ticks off. */
  checked: Set<number>
  /** What looks like a task and was taken for none. */
  leftOut: PlanRemark[]
}

/**
 * Finds the lines that begin tasks: first those that call themselves one; in phases that have none of these, the strongest
 * sign that there is; then all that stand beside them and are written otherwise; and lists that nothing else explains.
 */
export function findTaskStarts(outline: Outline): TaskStarts {
  const { starts, checked, mentions } = keyedStarts(outline)
  const lists = listsOf(outline)
  const byRegion = Map.groupBy(outline.places.keys(), (at) => placeOf(outline, at).region)
  const taken = new Set([...starts].map((at) => placeOf(outline, at).region))
  for (const [region, lines] of byRegion) {
    // Lists outside all milestones are tasks only where the plan has no others.
    if (region === 0 || taken.has(region)) continue
    for (const at of weakerStarts(outline, lines, lists)) starts.add(at)
  }
  if (starts.size === 0) for (const at of weakerStarts(outline, byRegion.get(0) ?? [], lists)) starts.add(at)
  const besides = lists.map((list) => ({ ...list, items: list.items.filter((at) => !mentions.has(at)) }))
  addItemSiblings(outline, besides, starts)
  const headings = addHeadingSiblings(outline, starts)
  addLooseLists(outline, besides, starts)
  return { starts, checked, leftOut: describeLeftOut(outline, { starts, lists: besides, headings }) }
}

/** Lists that stand in no task: boxes wherever lists are tasks, numbers and bullets only in chapters like those of tasks. */
function addLooseLists(outline: Outline, lists: readonly PlanList[], starts: Set<number>): void {
  const isCovered = coveredLines(outline, starts)
  const items = [...starts].filter((at) => lineAt(outline, at).kind === 'item')
  const regions = new Set(items.map((at) => placeOf(outline, at).region))
  const chapters = new Set(items.map((at) => chapterOf(outline, at)))
  const labelled = new Set(
    lists.flatMap(({ items: [at], isTasks }) => (isTasks && at !== undefined ? placeOf(outline, at).region : [])),
  )
  for (const list of lists) {
    const [first] = list.items
    if (first === undefined || list.around !== -1 || isCovered.has(first)) continue
    const { region, isListed, heading } = placeOf(outline, first)
    const hasBox = list.items.some((at) => lineAt(outline, at).box !== null)
    const hasNumber = list.items.some((at) => lineAt(outline, at).number !== null)
    const isAlike = chapters.has(chapterOf(outline, first))
    const isNumbered = outline.labels.get(heading)?.kind === 'outline'
    const isTaken = hasBox
      ? region > 0 || isListed || regions.has(0)
      : hasNumber
        ? (region > 0 && regions.has(region)) || isAlike
        : isAlike && isNumbered
    const alike = itemsAlike(outline, list)
    // Below words that may say anything only boxes are tasks, and only where other lists are.
    const boxes =
      regions.has(region) && !labelled.has(region) ? alike.filter((at) => lineAt(outline, at).box !== null) : []
    if (isTaken) for (const at of list.isIntroduced ? boxes : alike) starts.add(at)
  }
}

function placeOf({ places }: Outline, at: number): Place {
  return places[at] as Place
}

function lineAt({ lines }: Outline, at: number): PlanLine {
  return lines[at] as PlanLine
}
