import { readFieldHeading, readFieldLabel } from '../../plan-fields/field-names.ts'
import { type Label, readLabel } from './label.ts'
import { markLabelledLists } from './labelled-lists.ts'
import type { Outline, Place } from './outline-model.ts'
import type { PlanLine } from './plan-lines.ts'
import { isAboutPlan, isTaskSection, maybeAboutPlan, maybeTaskSection } from './section-names.ts'

export function outlineOf(lines: PlanLine[]): Outline {
  const titleAt = findTitle(lines)
  const labels = labelLines(lines, titleAt)
  const outline: Outline = {
    ...{ lines, labels, titleAt, places: [], regions: [{ heading: null, id: '', title: '', hasInner: false }] },
    title: titleAt === null ? null : (lines[titleAt]?.text ?? null),
  }
  const open: OpenHeading[] = []
  for (const [at, line] of lines.entries()) {
    if (line.kind === 'heading' && at !== titleAt) enterHeading(outline, open, at)
    const { region = 0, heading = -1, above = -1, isAbout = false, isListed = false } = open.at(-1) ?? {}
    outline.places.push({ region, heading, above, isAbout, isListed })
  }
  markLabelledLists(outline)
  freeTables(outline)
  return outline
}

/** Rows of a table that names tasks are tasks below "Scope" too, if no tasks are elsewhere. */
function freeTables({ lines, places, labels }: Outline): void {
  const isNamed = (at: number) => labels.get(at)?.kind === 'keyed' || labels.get(at)?.kind === 'numbered'
  const isRow = (at: number) => lines[at]?.kind === 'item' && lines[at]?.raw.trimStart().startsWith('|')
  const named = [...lines.keys()].filter(isNamed)
  if (named.some((at) => !places[at]?.isAbout)) return
  const headings = new Set(named.filter(isRow).map((at) => places[at]?.heading))
  for (const [at, place] of places.entries())
    if (isRow(at) && headings.has(place.heading)) places[at] = { ...place, isAbout: false }
}

interface OpenHeading extends Place {
  level: number
  isTask: boolean
}

function enterHeading(outline: Outline, open: OpenHeading[], at: number): void {
  const line = outline.lines[at] as PlanLine
  while ((open.at(-1)?.level ?? 0) >= line.level) open.pop()
  const above = open.at(-1)
  const label = outline.labels.get(at) as Label
  const isMilestone = label.kind === 'milestone' && !above?.isAbout && !open.some(({ isTask }) => isTask)
  const isTask = label.kind === 'keyed' || label.kind === 'numbered'
  const isAbout =
    !isMilestone &&
    !isTask &&
    (above?.isAbout || (isAboutHeading(outline, at, above) && !isField(outline, above, line)))
  const region = isMilestone ? addRegion(outline, at, label, above?.region ?? 0) : (above?.region ?? 0)
  const isListed = isTaskSection(label.title) || numbersTasks(outline, at) || (above?.isListed ?? false)
  open.push({ level: line.level, isTask, region, heading: at, above: above?.heading ?? -1, isAbout, isListed })
}

/** "Approach" contains tasks if the headings below it are numbered. */
function numbersTasks({ lines, labels }: Outline, at: number): boolean {
  if (!maybeTaskSection(labels.get(at)?.title ?? '')) return false
  const next = lines.findIndex(({ kind }, below) => below > at && kind === 'heading')
  return (lines[next]?.level ?? 0) > (lines[at]?.level ?? 0) && labels.get(next)?.kind === 'outline'
}

function isAboutHeading(outline: Outline, at: number, above: OpenHeading | undefined): boolean {
  const { lines, labels } = outline
  const title = labels.get(at)?.title ?? ''
  if (numbersTasks(outline, at)) return false
  if (isAboutPlan(title)) return true
  if (!maybeAboutPlan(title) || above?.isListed || (above?.region ?? 0) > 0) return false
  const level = lines[at]?.level ?? 0
  const end = lines.findIndex((line, below) => below > at && line.kind === 'heading' && line.level <= level)
  return !lines.slice(at, end === -1 ? undefined : end).some(({ box }) => box !== null) && !hasTaskFields(lines, at)
}

/** "3. API" with files to create is a task, not a chapter about the API. */
function hasTaskFields(lines: readonly PlanLine[], at: number): boolean {
  const end = lines.findIndex(({ kind }, below) => below > at && kind === 'heading')
  return lines.slice(at + 1, end === -1 ? undefined : end).some(({ kind, indent, text }) => {
    if ((kind !== 'item' && kind !== 'text') || indent > 1) return false
    const field = readFieldLabel(text)
    return field !== null && !field.isWeak && TASK_FIELDS.has(field.name)
  })
}

const TASK_FIELDS = new Set(['create', 'modify', 'waits', 'priority', 'criteria'])

/** "Files to modify" below a heading that may be a task is a field of it; below a phase, it is about the phase. */
function isField(outline: Outline, above: OpenHeading | undefined, line: PlanLine): boolean {
  if (above === undefined || above.isListed || outline.regions[above.region]?.heading === above.heading) return false
  return readFieldHeading(line.text) !== null
}

function addRegion(outline: Outline, at: number, label: Label & { kind: 'milestone' }, outer: number): number {
  const around = outline.regions[outer]
  if (around) around.hasInner = true
  outline.regions.push({ heading: at, id: label.id, title: label.title, hasInner: false })
  return outline.regions.length - 1
}

/** The first heading, if its level is above all others. */
function findTitle(lines: readonly PlanLine[]): number | null {
  const first = lines.findIndex(({ kind }) => kind === 'heading')
  const level = lines[first]?.level
  if (level === undefined) return null
  const others = lines.filter(({ kind }, at) => kind === 'heading' && at !== first)
  const { kind, title } = readLabel(lines[first]?.text ?? '', 'heading')
  const isPlain = kind === 'plain'
  if (level > 1 && (isTaskSection(title) || isAboutPlan(title))) return null
  if (level === 1) return isPlain || others.every((other) => other.level > 1) ? first : null
  return isPlain && others.length > 0 && others.every((other) => other.level > level) ? first : null
}

function labelLines(lines: PlanLine[], titleAt: number | null): Map<number, Label> {
  const labels = new Map<number, Label>()
  for (const [at, line] of lines.entries()) {
    if (at === titleAt) continue
    if (line.kind === 'heading') labels.set(at, readLabel(line.text, 'heading'))
    if (line.kind === 'item')
      labels.set(at, readLabel(titleOfItem(line.text).title, line.box === null ? 'item' : 'box'))
  }
  return withSureKeys(labels)
}

/** `S3: buckets` is a sentence, `AUTH-1` and `AUTH-2` are keys: two of the same kind confirm each other. */
function withSureKeys(labels: Map<number, Label>): Map<number, Label> {
  const seen = new Map<string, Set<string>>()
  for (const label of labels.values()) {
    if (label.kind !== 'keyed') continue
    const keys = seen.get(label.prefix) ?? new Set()
    seen.set(label.prefix, keys.add(label.key))
  }
  for (const [at, label] of labels) {
    if (label.kind !== 'keyed' || label.isSure) continue
    const isSure = (seen.get(label.prefix)?.size ?? 0) > 1
    labels.set(
      at,
      isSure ? { ...label, isSure } : { kind: 'plain', title: `${label.key}: ${label.title}`, done: label.done },
    )
  }
  return labels
}

/** The bold beginning of an item is its title, and the rest belongs below it. */
export function titleOfItem(text: string): { title: string; rest: string } {
  const bold = /^(\*\*|__)(.+?)\1(?:\s*[:.–—-]+)?(?:\s+|$)(.*)$/.exec(text)
  if (!bold) return { title: text, rest: '' }
  const title = (bold[2] ?? '').replace(/[:.]$/, '')
  const label = readLabel(title, 'item')
  // In `**T4**: Title` only the key is bold.
  const isKeyAlone = (label.kind === 'keyed' || label.kind === 'numbered') && label.title === title
  return isKeyAlone || (label.kind === 'keyed' && label.title === label.key) || NAME_ALONE.test(title)
    ? { title: text, rest: '' }
    : { title, rest: bold[3] ?? '' }
}

/** `T1`, `AUTH-3`, `#12`, `2.1` */
const NAME_ALONE = /^(?:[A-Z]{1,6}-?\d+|#?\d{1,6}(?:\.\d{1,6})*\)?)$/
