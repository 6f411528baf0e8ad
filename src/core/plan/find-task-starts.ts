import { readFieldHeading, readFieldLabel } from './field-names.ts'
import type { Label } from './label.ts'
import type { PlanLine } from './plan-lines.ts'
import type { Outline, Place } from './plan-outline.ts'
import { isAboutPlan, isTaskSection } from './section-names.ts'

/** Finds the lines that begin tasks. `checked`: those that a list elsewhere in the plan ticks off. */
export function findTaskStarts(outline: Outline): { starts: Set<number>; checked: Set<number> } {
  const headings = keyedHeadings(outline)
  const { items, checked } = keyedItems(outline, headings)
  const starts = new Set([...headings, ...items])
  const byRegion = groupByRegion(outline)
  const taken = new Set([...starts].map((at) => placeOf(outline, at).region))
  for (const [region, lines] of byRegion) {
    // Lists outside all milestones are tasks only where the plan has no others.
    if (region === 0 || taken.has(region)) continue
    for (const at of weakerStarts(outline, lines)) starts.add(at)
  }
  if (starts.size === 0) for (const at of weakerStarts(outline, byRegion.get(0) ?? [])) starts.add(at)
  return { starts, checked }
}

/** `### T1: Title`, `## Task 2`: steps within another task are part of it. */
function keyedHeadings({ lines, labels, places }: Outline): Set<number> {
  const found = new Set<number>()
  const open: number[] = []
  for (const [at, label] of labels) {
    const line = lines[at] as PlanLine
    if (line.kind !== 'heading') continue
    while (open.length > 0 && (lines[open.at(-1) as number]?.level ?? 0) >= line.level) open.pop()
    if (label.kind !== 'keyed' && label.kind !== 'numbered') continue
    const isStep = label.kind === 'numbered' && /^(?:step|action|item|todo|chunk)$/.test(label.word)
    if ((open.length > 0 && isStep) || places[at]?.isAbout) continue
    open.push(at)
    found.add(at)
  }
  return found
}

function keyedItems(outline: Outline, headings: ReadonlySet<number>): { items: Set<number>; checked: Set<number> } {
  const { lines, labels } = outline
  const byKey = new Map([...headings].map((at) => [nameIn(labels.get(at)), at]))
  const items = new Set<number>()
  const checked = new Set<number>()
  const inHeading = insideOf(outline, headings)
  const around: number[] = []
  for (const [at, line] of lines.entries()) {
    if (line.kind === 'heading') around.length = 0
    if (line.kind !== 'item') continue
    while (around.length > 0 && (lines[around.at(-1) as number]?.indent ?? 0) >= line.indent) around.pop()
    const isNested = around.length > 0
    around.push(at)
    const label = labels.get(at)
    if (label?.kind !== 'keyed' && label?.kind !== 'numbered') continue
    const known = byKey.get(nameIn(label))
    if (known !== undefined) {
      if (line.box === 'checked' && !inHeading[at]) checked.add(known)
    } else if (isItemStart(outline, at, { isNested, hasHeadings: headings.size > 0 }) && !inHeading[at]) items.add(at)
  }
  return { items, checked }
}

function isItemStart(
  { lines, labels, places }: Outline,
  at: number,
  { isNested, hasHeadings }: { isNested: boolean; hasHeadings: boolean },
): boolean {
  const place = places[at] as Place
  if (place.isAbout) return false
  if (lines[at]?.box) return true
  const label = labels.get(at)
  if (isNested || hasHeadings || label?.title === undefined) return false
  const isTaskKey = label.kind === 'numbered' || (label.kind === 'keyed' && /^T(?:ASK|SK)?$/.test(label.prefix))
  return isTaskKey || place.region > 0 || place.isListed
}

function nameIn(label: Label | undefined): string {
  if (label?.kind === 'keyed') return label.key.toUpperCase()
  return label?.kind === 'numbered' ? `${label.letter}${label.number}`.toUpperCase() : ''
}

/** For each line, whether it stands below one of these headings. */
function insideOf({ lines }: Outline, headings: ReadonlySet<number>): boolean[] {
  let level = 0
  return lines.map((line, at) => {
    if (headings.has(at)) level = line.level
    else if (line.kind === 'heading' && line.level <= level) level = 0
    return level > 0
  })
}

/** Tasks that carry no key: the strongest sign that the region shows decides for all of it. */
function weakerStarts(outline: Outline, at: readonly number[]): number[] {
  const open = at.filter((index) => !placeOf(outline, index).isAbout)
  for (const find of [
    headingsWithFields,
    outlineHeadings,
    boxes,
    boldSteps,
    plainHeadings,
    steps,
    bullets,
    wholeRegion,
  ]) {
    const found = find(outline, open)
    if (found.length > 0) return found
  }
  return []
}

type Finder = (outline: Outline, at: readonly number[]) => number[]

const STRONG = new Set(['create', 'modify', 'waits', 'criteria', 'priority', 'files'])

/** Headings that own fields of a task, whether below them or below a heading such as "Files to create". */
const headingsWithFields: Finder = ({ lines, labels, places, regions, titleAt }, at) => {
  const owners = new Set<number>()
  let owner = -1
  for (const index of at) {
    const line = lines[index] as PlanLine
    const isHeading = line.kind === 'heading'
    const field = isHeading ? readFieldHeading(line.text) : isLabelled(line) ? readFieldLabel(line.text) : null
    if (isHeading && !field) owner = index === titleAt ? -1 : index
    const isOwn = owner !== -1 && regions[places[owner]?.region ?? 0]?.heading !== owner
    const title = labels.get(owner)?.title ?? ''
    if (field && STRONG.has(field.name) && isOwn && !isAboutPlan(title) && !isTaskSection(title)) owners.add(owner)
  }
  return [...owners]
}

function isLabelled(line: PlanLine): boolean {
  return (line.kind === 'item' || line.kind === 'text') && line.indent < 2
}

const outlineHeadings: Finder = (outline, at) => {
  const found = at.filter((index) => outline.labels.get(index)?.kind === 'outline' && isTaskPlace(outline, index))
  return shallowest(outline, found)
}

const boxes: Finder = (outline, at) => outermost(outline, at, (line) => line.box !== null)

const boldSteps: Finder = (outline, at) =>
  topItems(outline, at).filter((index) => {
    const { number, text } = outline.lines[index] as PlanLine
    return number !== null && /^(?:\*\*|__)/.test(text)
  })

const plainHeadings: Finder = (outline, at) =>
  shallowest(
    outline,
    at.filter((index) => outline.lines[index]?.kind === 'heading' && isTaskPlace(outline, index)),
  )

const steps: Finder = (outline, at) =>
  topItems(outline, at).filter((index) => outline.lines[index]?.number !== null && isListPlace(outline, index))

const bullets: Finder = (outline, at) => topItems(outline, at).filter((index) => isListPlace(outline, index))

/** A phase that only tells what is to be done is one task. */
const wholeRegion: Finder = ({ lines, regions, places }, at) => {
  const [first] = at
  if (first === undefined || regions[places[first]?.region ?? 0]?.heading !== first) return []
  const region = regions[places[first]?.region ?? 0]
  const hasText = at.some((index) => index !== first && !['blank', 'rule'].includes(lines[index]?.kind ?? ''))
  return hasText && !region?.hasInner ? [first] : []
}

/** A heading below a milestone, or below "Tasks", and neither of these itself. */
function isTaskPlace({ places, regions }: Outline, at: number): boolean {
  const { region, above } = places[at] as Place
  if (regions[region]?.heading === at) return false
  return region > 0 || (places[above]?.isListed ?? false)
}

function isListPlace({ places }: Outline, at: number): boolean {
  const { region, isListed } = places[at] as Place
  return region > 0 || isListed
}

function shallowest({ lines }: Outline, at: readonly number[]): number[] {
  const level = at.reduce((least, index) => Math.min(least, lines[index]?.level ?? 9), 9)
  return at.filter((index) => lines[index]?.level === level)
}

function topItems(outline: Outline, at: readonly number[]): number[] {
  return outermost(outline, at, () => true)
}

/** Items of a kind that stand in no other item of that kind. */
function outermost({ lines }: Outline, at: readonly number[], isKind: (line: PlanLine) => boolean): number[] {
  let around = -1
  return at.filter((index) => {
    const line = lines[index] as PlanLine
    if (line.kind === 'heading') around = -1
    if (line.kind !== 'item' || !isKind(line)) return false
    if (around !== -1 && line.indent > around) return false
    around = line.indent
    return true
  })
}

function groupByRegion({ places }: Outline): Map<number, number[]> {
  return Map.groupBy(places.keys(), (at) => places[at]?.region ?? 0)
}

function placeOf({ places }: Outline, at: number): Place {
  return places[at] as Place
}
