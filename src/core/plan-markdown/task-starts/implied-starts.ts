import { readFieldHeading, readFieldLabel } from '../../plan-fields/field-names.ts'
import type { Outline, Place } from '../lines/outline-model.ts'
import type { PlanLine } from '../lines/plan-lines.ts'
import type { PlanList } from '../lines/plan-lists.ts'
import { beginsRemark, isAboutPlan, isTaskSection } from '../lines/section-names.ts'

/** Tasks without a key: the strongest sign that the region shows. */
export function impliedStarts(outline: Outline, at: readonly number[], lists: readonly PlanList[]): number[] {
  const open = at.filter((index) => !outline.places[index]?.isAbout)
  for (const find of SIGNS) {
    const found = find(outline, open, lists)
    if (found.length > 0) return found
  }
  return []
}

type Finder = (outline: Outline, at: readonly number[], lists: readonly PlanList[]) => number[]

const STRONG = new Set(['create', 'modify', 'waits', 'criteria', 'priority', 'files'])

/** Headings that have fields of a task, either directly below them or below a heading such as "Files to create". */
export function ownersOfFields({ lines, labels, places, regions, titleAt }: Outline, at: readonly number[]): number[] {
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
  const found = at.filter((index) => isHeading(outline, index, 'outline') && isTaskPlace(outline, index))
  return shallowest(outline, found)
}

function isHeading({ lines, labels }: Outline, at: number, kind: string): boolean {
  return lines[at]?.kind === 'heading' && labels.get(at)?.kind === kind
}

/**
 * Lists below `**Tasks:**`, whatever other lists there are; not if a chapter beside them has none and is a task itself.
 */
const listedTasks: Finder = (outline, at, lists) => {
  const { places } = outline
  const mine = new Set(at)
  const found = lists.filter(({ items: [first = -1], around, isTasks }) => isTasks && around === -1 && mine.has(first))
  const holders = new Set(found.map(({ items: [first = -1] }) => places[first]?.heading ?? -1))
  const isWhole = plainHeadings(outline, at, lists).every((heading) => holders.has(heading))
  return found.flatMap(({ items }) => (isWhole || isListPlaceItself(outline, items[0] ?? -1) ? items : []))
}

/** Right below the phase, or below "Tasks". */
function isListPlaceItself({ places, regions, labels }: Outline, at: number): boolean {
  const { region, heading } = places[at] as Place
  return heading === -1 || regions[region]?.heading === heading || isTaskSection(labels.get(heading)?.title ?? '')
}

const boxes: Finder = (outline, at) => outermost(outline, at, (line) => line.box !== null)

/** A phase with its own files, and with lists that are labelled as something other than tasks. */
const phaseWithFiles: Finder = (outline, at, lists) => {
  const { lines, places, regions } = outline
  const [first = -1] = at
  const heading = regions[places[first]?.region ?? 0]?.heading ?? null
  if (heading === null || heading !== first) return []
  if (at.some((index) => index !== first && lines[index]?.kind === 'heading')) return []
  const own = places.flatMap((place, index) => (place.heading === heading ? [index] : []))
  const hasFiles = own.some((index) => {
    const line = lines[index] as PlanLine
    const field = line.kind === 'heading' || !isLabelled(line) ? null : readFieldLabel(line.text)
    return field !== null && FILES.has(field.name) && !field.isWeak
  })
  if (!hasFiles) return []
  const mine = new Set(own)
  const isPlain = lists.every(({ items: [item = -1], around, isIntroduced }) => {
    return !mine.has(item) || around !== -1 || isIntroduced || places[item]?.isAbout
  })
  return isPlain ? wholeRegion(outline, at, lists) : []
}

const FILES = new Set(['create', 'modify', 'files', 'tests'])

const boldSteps: Finder = (outline, at) =>
  topItems(outline, at).filter((index) => {
    const { number, text } = outline.lines[index] as PlanLine
    return number !== null && /^(?:\*\*|__)/.test(text)
  })

const plainHeadings: Finder = (outline, at) =>
  shallowest(
    outline,
    at.filter((index) => {
      const isSection = isTaskSection(outline.labels.get(index)?.title ?? '')
      return outline.lines[index]?.kind === 'heading' && !isSection && isTaskPlace(outline, index)
    }),
  )

const steps: Finder = (outline, at) =>
  topItems(outline, at).filter((index) => outline.lines[index]?.number !== null && isListPlace(outline, index))

const bullets: Finder = (outline, at) => topItems(outline, at).filter((index) => isListPlace(outline, index))

/** A phase that only describes the work is one task. */
const wholeRegion: Finder = ({ lines, regions, places }, at) => {
  const [first] = at
  if (first === undefined || regions[places[first]?.region ?? 0]?.heading !== first) return []
  const region = regions[places[first]?.region ?? 0]
  const hasText = at.some((index) => index !== first && !['blank', 'rule'].includes(lines[index]?.kind ?? ''))
  return hasText && !region?.hasInner ? [first] : []
}

/** Without chapters, a list is all that the plan can mean. */
const onlyList: Finder = (outline, at) => {
  if (outline.lines.some(({ kind }, index) => kind === 'heading' && index !== outline.titleAt)) return []
  const items = topItems(outline, at)
  const numbers = items.filter((index) => outline.lines[index]?.number !== null)
  return numbers.length > 0 ? numbers : items
}

/** `- Depends on: T1` and `- Note: …` are not tasks. */
export function isTaskItem({ lines, places, labels }: Outline, at: number): boolean {
  const { text } = lines[at] as PlanLine
  const label = labels.get(at)
  if (places[at]?.isAbout) return false
  if (label?.kind === 'keyed' || label?.kind === 'numbered') return true
  return readFieldLabel(text) === null && !beginsRemark(text)
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
  return outermost(outline, at, () => true).filter((index) => isTaskItem(outline, index))
}

/** Items of a kind that are in no other item of that kind. */
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

/** From the strongest to the weakest. */
const SIGNS: readonly Finder[] = [
  ownersOfFields,
  outlineHeadings,
  listedTasks,
  boxes,
  phaseWithFiles,
  boldSteps,
  plainHeadings,
  steps,
  bullets,
  wholeRegion,
  onlyList,
]
