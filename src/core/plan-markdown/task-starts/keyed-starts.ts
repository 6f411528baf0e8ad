import { type Label, nameIn } from '../lines/label.ts'
import type { Outline, Place } from '../lines/outline-model.ts'
import type { PlanLine } from '../lines/plan-lines.ts'

export interface KeyedStarts {
  starts: Set<number>
  /** Tasks that a list elsewhere in the plan ticks off. */
  checked: Set<number>
  /** Items that only mention a task that is defined elsewhere. */
  mentions: Set<number>
}

/** The lines that begin tasks because they are labelled as tasks: by a key, or by a word such as Task and a number. */
export function keyedStarts(outline: Outline): KeyedStarts {
  const headings = keyedHeadings(outline)
  const { items, ...more } = keyedItems(outline, headings)
  return { starts: new Set([...headings, ...items]), ...more }
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

function keyedItems(
  outline: Outline,
  headings: ReadonlySet<number>,
): Omit<KeyedStarts, 'starts'> & { items: Set<number> } {
  const { lines, labels } = outline
  const byKey = new Map([...headings].map((at) => [nameIn(labels.get(at)), at]))
  const found = { items: new Set<number>(), checked: new Set<number>(), mentions: new Set<number>() }
  const inHeading = insideOf(outline, headings)
  const around: number[] = []
  for (const [at, line] of lines.entries()) {
    if (line.kind === 'heading') around.length = 0
    if (line.kind !== 'item') continue
    while (around.length > 0 && (lines[around.at(-1) as number]?.indent ?? 0) >= line.indent) around.pop()
    const above = around.at(-1)
    around.push(at)
    const label = labels.get(at)
    if (label?.kind !== 'keyed' && label?.kind !== 'numbered') continue
    const known = byKey.get(nameIn(label))
    if (known !== undefined) {
      found.mentions.add(at)
      if (line.box === 'checked' && !inHeading[at]) found.checked.add(known)
    } else if (!inHeading[at] && isItemStart(outline, at, { above, hasHeadings: headings.size > 0 }))
      found.items.add(at)
  }
  return found
}

function isItemStart(
  { lines, labels, places }: Outline,
  at: number,
  { above, hasHeadings }: { above: number | undefined; hasHeadings: boolean },
): boolean {
  const place = places[at] as Place
  if (place.isAbout) return false
  if (lines[at]?.box) return true
  const label = labels.get(at)
  if (above !== undefined) return isPartOf(labels.get(above), label)
  const isTaskKey = label?.kind === 'numbered' || (label?.kind === 'keyed' && /^T(?:ASK|SK)?$/.test(label.prefix))
  const isTaskPlace = place.region > 0 || place.isListed
  return hasHeadings ? isTaskKey && isTaskPlace : isTaskKey || isTaskPlace
}

/** T1.1, T1-a and T1b are parts of T1. */
function isPartOf(whole: Label | undefined, part: Label | undefined): boolean {
  const [name, own] = [nameIn(whole), nameIn(part)]
  return name !== '' && own.startsWith(name) && /^(?:[.-].|[A-Z]$)/.test(own.slice(name.length))
}

/** For each line, whether it is below one of these headings. */
function insideOf({ lines }: Outline, headings: ReadonlySet<number>): boolean[] {
  let level = 0
  return lines.map((line, at) => {
    if (headings.has(at)) level = line.level
    else if (line.kind === 'heading' && line.level <= level) level = 0
    return level > 0
  })
}
