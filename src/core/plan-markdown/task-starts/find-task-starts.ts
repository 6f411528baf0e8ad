import type { PlanRemark } from '../../plan/plan-model.ts'
import type { Outline, Place } from '../lines/outline-model.ts'
import type { PlanLine } from '../lines/plan-lines.ts'
import { listsOf, type PlanList } from '../lines/plan-lists.ts'
import { describeLeftOut } from './describe-left-out.ts'
import { impliedStarts } from './implied-starts.ts'
import { keyedStarts } from './keyed-starts.ts'
import { addHeadingSiblings, addItemSiblings, chapterOf, coveredLines, itemsAlike } from './task-siblings.ts'

export interface TaskStarts {
  starts: Set<number>
  /** Tasks that a list elsewhere in the plan ticks off. */
  checked: Set<number>
  /** What looks like a task and was not taken as one. */
  leftOut: PlanRemark[]
}

/**
 * Finds the lines that begin tasks. First those that are labelled as tasks. In phases without any, the strongest sign
 * that there is. Then everything beside them that is written differently, and lists that nothing else explains.
 */
export function findTaskStarts(outline: Outline): TaskStarts {
  const { starts, checked, mentions } = keyedStarts(outline)
  const lists = listsOf(outline)
  const byRegion = Map.groupBy(outline.places.keys(), (at) => placeOf(outline, at).region)
  const taken = new Set([...starts].map((at) => placeOf(outline, at).region))
  for (const [region, lines] of byRegion) {
    // Lists outside all milestones are tasks only if the plan has no others.
    if (region === 0 || taken.has(region)) continue
    for (const at of impliedStarts(outline, lines, lists)) starts.add(at)
  }
  if (starts.size === 0) for (const at of impliedStarts(outline, byRegion.get(0) ?? [], lists)) starts.add(at)
  const others = lists.map((list) => ({ ...list, items: list.items.filter((at) => !mentions.has(at)) }))
  addItemSiblings(outline, others, starts)
  const otherHeadings = addHeadingSiblings(outline, starts)
  addLooseLists(outline, others, starts)
  return { starts, checked, leftOut: describeLeftOut(outline, { starts, lists: others, otherHeadings }) }
}

/**
 * Lists outside every task: boxes are tasks wherever lists are, numbers and bullets only in chapters like those of
 * tasks.
 */
function addLooseLists(outline: Outline, lists: readonly PlanList[], starts: Set<number>): void {
  const outer = lists.filter(({ items, around }) => items.length > 0 && around === -1)
  const isTasks = new Set(outer.filter((list) => list.isTasks).map(({ items }) => regionOf(outline, items[0])))
  // What is found first decides about what comes after it.
  for (const kind of ['box', 'number', 'bullet'] as const) {
    const isCovered = coveredLines(outline, starts)
    const areas = findTaskAreas(outline, starts)
    for (const list of outer) {
      if (isCovered.has(list.items[0] ?? -1) || kindOf(outline, list) !== kind) continue
      const alike = isTaskList(outline, list, areas) ? itemsAlike(outline, list) : []
      // Below a vague heading only boxes are tasks, and only where other lists are tasks.
      const region = regionOf(outline, list.items[0])
      const areBoxes = areas.regions.has(region) && !isTasks.has(region)
      for (const at of alike) if (!list.isIntroduced || (areBoxes && lineAt(outline, at).box !== null)) starts.add(at)
    }
  }
}

/** Where lists are already taken as tasks. */
interface TaskAreas {
  regions: Set<number>
  chapters: Set<string>
}

function findTaskAreas(outline: Outline, starts: ReadonlySet<number>): TaskAreas {
  const items = [...starts].filter((at) => lineAt(outline, at).kind === 'item')
  return {
    regions: new Set(items.map((at) => regionOf(outline, at))),
    chapters: new Set(items.map((at) => chapterOf(outline, at))),
  }
}

function kindOf(outline: Outline, { items }: PlanList): 'box' | 'number' | 'bullet' {
  if (items.some((at) => lineAt(outline, at).box !== null)) return 'box'
  return items.some((at) => lineAt(outline, at).number !== null) ? 'number' : 'bullet'
}

function isTaskList(outline: Outline, list: PlanList, { regions, chapters }: TaskAreas): boolean {
  const first = list.items[0] ?? -1
  const { region, isListed, heading } = placeOf(outline, first)
  const isAlike = chapters.has(chapterOf(outline, first))
  switch (kindOf(outline, list)) {
    case 'box':
      return region > 0 || isListed || regions.has(0)
    case 'number':
      return (region > 0 && regions.has(region)) || isAlike
    case 'bullet':
      return isAlike && outline.labels.get(heading)?.kind === 'outline'
  }
}

function regionOf(outline: Outline, at = -1): number {
  return outline.places[at]?.region ?? 0
}

function placeOf({ places }: Outline, at: number): Place {
  return places[at] as Place
}

function lineAt({ lines }: Outline, at: number): PlanLine {
  return lines[at] as PlanLine
}
