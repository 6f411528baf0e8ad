import type { PlanRemark } from '../../plan/plan-model.ts'
import { shorten } from '../../text/shorten.ts'
import { nameIn, readLabel } from '../lines/label.ts'
import type { Outline, Place } from '../lines/outline-model.ts'
import type { PlanLine } from '../lines/plan-lines.ts'
import type { PlanList } from '../lines/plan-lists.ts'
import { cellsOf } from '../lines/raise-table-rows.ts'
import { isForLater } from '../lines/section-names.ts'
import { isTaskItem } from './implied-starts.ts'
import { chapterOf, containsStart, coveredLines, isTaskHeading, type OtherHeadings } from './task-siblings.ts'

interface Findings {
  starts: ReadonlySet<number>
  lists: readonly PlanList[]
  otherHeadings: OtherHeadings
}

/** Reports what looks like a task and is not taken as one, so that its author can make it clear. */
export function describeLeftOut(outline: Outline, { starts, lists, otherHeadings }: Findings): PlanRemark[] {
  const isCovered = coveredLines(outline, starts)
  const first = firstStarts(outline, starts)
  const items = [...starts].filter((at) => lineAt(outline, at).kind === 'item')
  const chapters = new Set(items.map((at) => chapterOf(outline, at)))
  const looseHeadings = outline.lines.flatMap((_, at) => {
    if (otherHeadings.numbered.has(at)) return [at]
    if (isCovered.has(at) || !isTaskHeading(outline, at) || containsStart(outline, at, starts)) return []
    const isAfter = at > (first.get(placeOf(outline, at).region) ?? Number.POSITIVE_INFINITY)
    const { region, above } = placeOf(outline, at)
    const isTaskArea = region > 0 || (outline.places[above]?.isListed ?? false)
    const isRaised = !lineAt(outline, at).raw.trimStart().startsWith('#')
    const isMeant =
      isTaskArea || isRaised || (otherHeadings.headings.includes(at) && isAfter) || looksLikeWork(titleAt(outline, at))
    return isMeant ? [at] : []
  })
  const inside = new Set(looseHeadings)
  const looseLists = lists.flatMap(({ items, around }) => {
    const left = items.filter((at) => !isCovered.has(at) && (isTaskItem(outline, at) || isBoxForSomething(outline, at)))
    const [one] = left
    if (one === undefined || around !== -1 || inside.has(placeOf(outline, one).heading)) return []
    if (left.some((at) => lineAt(outline, at).box !== null || isKey(outline, at))) return [left]
    const { region, isListed } = placeOf(outline, one)
    if (region === 0 && isBesideMilestones(outline, one)) return [left]
    if (region === 0 && !isListed && !chapters.has(chapterOf(outline, one))) return []
    // What is before the first task of a phase describes the phase.
    const after = left.filter((at) => at > (first.get(region) ?? Number.POSITIVE_INFINITY))
    return after.length > 0 ? [after] : []
  })
  return [...looseHeadings.map((at) => [at]), ...looseLists, ...looseRows(outline, starts)].map((places) =>
    remarkOn(outline, places),
  )
}

/** Table rows within tasks that name a task defined nowhere else, grouped by table. */
function looseRows({ lines, labels }: Outline, starts: ReadonlySet<number>): number[][] {
  const known = new Set([...starts].map((at) => nameIn(labels.get(at))))
  const tables: number[][] = []
  for (const [at, { kind, text }] of lines.entries()) {
    if (kind !== 'table') continue
    if (lines[at - 1]?.kind !== 'table') tables.push([])
    const label = readLabel(cellsOf(text)[0] ?? '', 'item')
    if (label.kind === 'keyed' && isTaskPrefix(label.prefix) && !known.has(nameIn(label))) tables.at(-1)?.push(at)
  }
  return tables.filter((rows) => rows.length > 0)
}

function remarkOn(outline: Outline, [at = 0, ...others]: number[]): PlanRemark {
  const more = others.length === 0 ? '' : ` and ${others.length} more next to it`
  const title = shorten(titleAt(outline, at), 60)
  return {
    line: lineAt(outline, at).line,
    why: `'${title}'${more} ${others.length === 0 ? 'is' : 'are'} ignored: it is unclear whether ${others.length === 0 ? 'it is a task' : 'they are tasks'}`,
  }
}

/**
 * "Q3 2026" between "Phase 1" and "Phase 2" is probably a phase too; after the last phase, only if it has numbered
 * steps.
 */
function isBesideMilestones(outline: Outline, item: number): boolean {
  const { heading, above } = placeOf(outline, item)
  if (heading === -1 || LISTS_MILESTONES.test(titleAt(outline, heading))) return false
  const milestones = outline.regions.flatMap(({ heading: at }) => {
    const isBeside = at !== null && placeOf(outline, at).above === above
    return isBeside && lineAt(outline, at).level === lineAt(outline, heading).level ? [at] : []
  })
  if (!milestones.some((at) => at < heading)) return false
  return lineAt(outline, item).number !== null || milestones.some((at) => at > heading)
}

const LISTS_MILESTONES = /\b(?:phases|milestones|sprints|stages|epics|order|overview|summary|timeline|sequence)\b/i

/** The first task of each region. */
function firstStarts(outline: Outline, starts: ReadonlySet<number>): Map<number, number> {
  const first = new Map<number, number>()
  for (const at of [...starts].sort((a, b) => a - b)) {
    const { region } = placeOf(outline, at)
    if (!first.has(region)) first.set(region, at)
  }
  return first
}

function isKey({ labels }: Outline, at: number): boolean {
  const label = labels.get(at)
  return label?.kind === 'keyed' && isTaskPrefix(label.prefix)
}

function isTaskPrefix(prefix: string): boolean {
  return /^T(?:ASK|SK)?$/.test(prefix)
}

/** Among risks or notes, only boxes with a key. Boxes for later are meant as tasks some day. */
function isBoxForSomething(outline: Outline, at: number): boolean {
  if (lineAt(outline, at).box === null) return false
  return isKey(outline, at) || isForLater(titleAt(outline, placeOf(outline, at).heading))
}

/** Headings outside all phases are mostly about the plan, but rarely if they begin with such a verb. */
function looksLikeWork(title: string): boolean {
  return /^(?:add|adjust|backfill|build|change|configure|convert|create|define|delete|deploy|document|drop|enable|extend|extract|fix|handle|implement|improve|install|integrate|introduce|make|migrate|move|port|publish|refactor|release|remove|rename|replace|rewrite|run|set ?up|ship|split|switch|test|update|upgrade|use|validate|verify|wire|write) (?!(?:strateg|plan|approach)\w*$)\S/i.test(
    title,
  )
}

function titleAt({ lines, labels }: Outline, at: number): string {
  const { kind, text = '' } = lines[at] ?? {}
  return labels.get(at)?.title ?? (kind === 'table' ? cellsOf(text).join(' | ') : text)
}

function placeOf({ places }: Outline, at: number): Place {
  return places[at] as Place
}

function lineAt({ lines }: Outline, at: number): PlanLine {
  return lines[at] as PlanLine
}
