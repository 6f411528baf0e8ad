import { type Label, nameIn, readLabel } from './label.ts'
import type { PlanLine } from './plan-lines.ts'
import { isAboutPlan } from './section-names.ts'

/**
 * Turns lines that begin in bold, `**Phase 1: Core**` or `**T1. Do it** (after T0)`, into headings if the plan has no
 * real ones of their kind. Next to real headings of tasks, a bold line is a heading only if it cannot be a step of the
 * task above.
 */
export function raiseBoldLines(lines: readonly PlanLine[]): PlanLine[] {
  const real = realHeadings(lines)
  const bare = bareTitles(lines, real)
  let isAbout = false
  // Raised tasks are one level below the last real heading, all of a chapter at the same level.
  let level = real.taskLevel
  let around = 1
  let task: number | null = null
  return lines.flatMap((line, at) => {
    if (line.kind === 'heading') {
      const label = readLabel(line.text, 'heading')
      isAbout = label.kind === 'plain' && isAboutPlan(label.title)
      around = line.level
      if (task !== null && line.level <= task) task = null
      if (isTask(label)) task ??= line.level
      if (isTask(label)) level = line.level
      else if (level !== null && line.level < level) level = real.taskLevel
    }
    const found = line.kind === 'text' && line.indent < 2 && !isAbout ? (bare.get(at) ?? readBold(line.text)) : null
    if (!found || !isRaised(found.label, real, task !== null)) return [line]
    if (found.label.kind === 'milestone') {
      around = LAST_LEVEL - 1
      level = null
      return raise(line, found, around)
    }
    level ??= Math.min(around + 1, LAST_LEVEL)
    return raise(line, found, level)
  })
}

/** Lines of plain text that begin like tasks, `T1: Model` or `1.1 Model`, if nothing else in the plan does. */
function bareTitles(lines: readonly PlanLine[], real: RealHeadings): Map<number, Raised> {
  const found = new Map<number, Raised>()
  if (real.taskLevel !== null || real.hasOutline || (real.hasKeyedItems && real.hasChapters)) return found
  let isBold = false
  for (const [at, { kind, text, indent }] of lines.entries()) {
    const above = lines[at - 1]
    const isFirst = above === undefined || above.kind !== 'text' || found.has(at - 1) || readBold(above.text) !== null
    if (kind !== 'text' || indent > 1 || !isFirst || text.length > 120) continue
    const label = readLabel(text, 'heading')
    if (text.startsWith('**')) isBold ||= readBold(text)?.label.kind === 'outline'
    else if (isBareTitle(label, text, real)) found.set(at, { label, text, rest: '' })
  }
  return isBold || found.size > 1 ? found : new Map()
}

function isBareTitle(label: Label, text: string, { hasChapters, hasKeyedItems }: RealHeadings): boolean {
  if (label.kind === 'milestone') return !hasChapters && /:|\d$/.test(text) && !text.endsWith('.')
  if (hasKeyedItems) return false
  return isTask(label) ? NAMED.test(text) : label.kind === 'outline' && /^\d+\.\d+[.):]?\s+\p{Lu}/u.test(text)
}

/** `T1: Model`, and not `T1 is the model`. */
const NAMED = /^\[?(?:[a-z]+\s+)?#?[\w.-]+?\]?(?:\s*[:)|]|\.\s|\s+[-–—]\s)/i

interface RealHeadings {
  taskLevel: number | null
  names: ReadonlySet<string>
  hasMilestones: boolean
  hasOutline: boolean
  hasKeyedItems: boolean
  /** There are more headings than the title. */
  hasChapters: boolean
}

function realHeadings(lines: readonly PlanLine[]): RealHeadings {
  const headings = lines.filter(({ kind }) => kind === 'heading')
  const labels = headings.map(({ text }) => readLabel(text, 'heading'))
  return {
    taskLevel: headings[labels.findIndex(isTask)]?.level ?? null,
    names: new Set(labels.filter(isTask).map(nameIn)),
    hasMilestones: labels.some(({ kind }) => kind === 'milestone'),
    hasChapters: headings.length > 1,
    hasOutline: labels.some(({ kind }) => kind === 'outline'),
    hasKeyedItems: lines.some(
      ({ kind, text, box }) => kind === 'item' && isTask(readLabel(text, box ? 'box' : 'item')),
    ),
  }
}

function isTask({ kind }: Label): boolean {
  return kind === 'keyed' || kind === 'numbered'
}

function isRaised(label: Label, real: RealHeadings, isInTask: boolean): boolean {
  const { taskLevel, names, hasMilestones, hasOutline } = real
  switch (label.kind) {
    case 'milestone':
      return !hasMilestones
    case 'outline':
      return taskLevel === null && !hasOutline
    case 'keyed':
      return taskLevel === null || (label.isSure && !names.has(nameIn(label)))
    case 'numbered':
      return taskLevel === null || ((label.word === 'task' || !isInTask) && !names.has(nameIn(label)))
    case 'plain':
      return false
    default:
      return label satisfies never
  }
}

interface Raised {
  label: Label
  /** The text of the heading. */
  text: string
  /** The rest of the line, which is not part of the title. */
  rest: string
}

function readBold(text: string): Raised | null {
  const found = /^\*\*([^*]+)\*\*(:?)(?:\s+(\S.*))?$/.exec(text)
  if (!found) return null
  const bold = (found[1] ?? '').replace(/:\s*$/, '').trim()
  const rest = found[3] ?? ''
  const isAside = /^(?:[[(][^()[\]]*[\])]\s*)*$/.test(rest)
  const hasSeparator = found[2] !== '' || /:\s*$/.test(found[1] ?? '') || /^[-–—]\s/.test(rest)
  const behind = rest.replace(/^[-–—]\s+/, '')
  // In `**1.1** Title` only the name is bold.
  if (!isAside && NAME_ALONE.test(bold) && (hasSeparator || /^[\p{Lu}`"']/u.test(rest))) {
    const whole = `${bold}: ${behind}`
    const label = readLabel(whole, 'heading')
    return label.kind === 'milestone' ? null : { label, text: whole, rest: '' }
  }
  const label = readLabel(bold, 'heading')
  if (!isAside && label.kind === 'milestone') return null
  return isAside ? { label, text: `${bold} ${rest}`.trim(), rest: '' } : { label, text: bold, rest: behind }
}

const NAME_ALONE = /^(?:(?:task|step)\s*)?#?[A-Z]{0,10}[-_]?\d{1,6}(?:\.\d{1,6})*[.)]?$/i

function raise(line: PlanLine, { text, rest }: Raised, level: number): PlanLine[] {
  const heading: PlanLine = { ...line, kind: 'heading', text, level }
  return rest === '' ? [heading] : [heading, { ...line, raw: rest, text: rest }]
}

const LAST_LEVEL = 6
