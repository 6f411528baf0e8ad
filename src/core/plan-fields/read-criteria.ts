import { labelOfList } from '../plan-markdown/lines/labelled-lists.ts'
import { type PlanLine, readPlanLines } from '../plan-markdown/lines/plan-lines.ts'
import { readFieldHeading, readFieldLabel } from './field-names.ts'
import { joinScenarios } from './join-scenarios.ts'

export interface ListedCriterion {
  text: string
  line: number
}

/** The acceptance criteria of a PRODUCT.md, each with its line: below a heading or a label of that name. */
export function readCriteria(text: string): ListedCriterion[] {
  const found: ListedCriterion[] = []
  const open: Open = { level: 0, indent: null }
  let wasBlank = false
  for (const line of readPlanLines(text)) {
    readLine(found, open, { line, wasBlank })
    wasBlank = line.kind === 'blank'
  }
  return joinScenarios(found)
}

/** The heading or label that the criteria are below. */
interface Open {
  /** The level of the heading; 0 if there is none. */
  level: number
  /** The minimum indentation of the items below a label; null if there is none. */
  indent: number | null
}

function readLine(found: ListedCriterion[], open: Open, { line, wasBlank }: { line: PlanLine; wasBlank: boolean }) {
  if (line.kind === 'heading') {
    open.level = levelInside(line, open.level)
    open.indent = null
    return
  }
  if (line.kind !== 'item' && line.kind !== 'text') return
  const label = labelIn(line)
  if (label !== null) {
    open.indent = label.isCriteria ? line.indent + (line.kind === 'item' ? 1 : 0) : null
    if (label.isCriteria && label.value !== '') found.push({ text: label.value, line: line.line })
    if (label.isCriteria || open.level === 0) return
  }
  if (open.indent !== null && endsList(line, open.indent, wasBlank)) open.indent = null
  if (open.level === 0 && open.indent === null) return
  if (line.kind === 'item') found.push({ text: line.text, line: line.line })
  else if (line.indent > 0) appendTo(found.at(-1), line.text)
}

function levelInside(line: PlanLine, level: number): number {
  const isNamed = /^(?:[\d.]+\s+)?(?:acceptance|success) criteria\b|^definition of done\b/i.test(line.text)
  if (isNamed || readFieldHeading(line.text)?.name === 'criteria') return line.level
  return line.level > level ? level : 0
}

/** `**Acceptance criteria:**`, `- Done when: it works`, `Acceptance criteria` alone; or a label of another field. */
function labelIn({ kind, text }: PlanLine): { isCriteria: boolean; value: string } | null {
  const isAlone = kind === 'text' || text.endsWith('**')
  const field = readFieldLabel(text) ?? (isAlone ? readFieldHeading(text) : null)
  // `- Update: …` among criteria is one of them.
  if (field !== null && !(kind === 'item' && field.isWeak))
    return { isCriteria: field.name === 'criteria', value: field.value }
  return kind === 'text' && labelOfList(text) !== undefined ? { isCriteria: false, value: '' } : null
}

function endsList({ kind, indent }: PlanLine, least: number, wasBlank: boolean): boolean {
  return kind === 'item' ? indent < least : wasBlank && indent <= least
}

function appendTo(last: { text: string } | undefined, text: string): void {
  if (last) last.text += ` ${text}`
}
