import { type ChecklistLine, closesComment, closesFence, readChecklistLine } from '../../backlog/checklist-line.ts'
import { readLabel } from './label.ts'

/** One line of a markdown plan. Comments are left out. Code is `verbatim`: nothing in it has a meaning. */
export interface PlanLine {
  kind: 'blank' | 'heading' | 'item' | 'text' | 'table' | 'verbatim' | 'rule'
  line: number
  raw: string
  indent: number
  /** The text without the signs that make it a heading, an item or a box. */
  text: string
  /** The level of a heading: 1 to 6. */
  level: number
  /** The number and the checkbox of an item, if it has them. */
  number: string | null
  box: 'open' | 'checked' | 'dropped' | null
}

export function readPlanLines(text: string): PlanLine[] {
  const raws = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const lines: PlanLine[] = []
  let fence: string | null = null
  let isComment = false
  for (let at = frontMatterLength(raws); at < raws.length; at++) {
    const raw = raws[at] ?? ''
    if (isComment) {
      isComment = !closesComment(raw)
      continue
    }
    const known = readChecklistLine(raw)
    if (fence !== null) {
      if (closesFence(known.body, fence)) fence = null
      lines.push({ ...plainLine(known, raw, at + 1), kind: 'verbatim' })
      continue
    }
    if (known.kind === 'comment') {
      isComment = !known.isClosed
      continue
    }
    if (known.kind === 'fence') fence = known.mark
    const line = readPlanLine(known, raw, at + 1)
    if (isUnderline(line, lines)) continue
    lines.push(line)
  }
  return lines
}

function readPlanLine(known: ChecklistLine, raw: string, number: number): PlanLine {
  const line = plainLine(known, raw, number)
  switch (known.kind) {
    case 'blank':
      return { ...line, kind: 'blank', text: '' }
    case 'rule':
      return { ...line, kind: 'rule' }
    case 'fence':
      return { ...line, kind: 'verbatim' }
    case 'heading':
      return {
        ...line,
        kind: 'heading',
        text: withoutComments(known.text),
        level: /^#+/.exec(line.text)?.[0].length ?? 1,
      }
    case 'box':
      return {
        ...line,
        ...itemOf(line.text),
        text: withoutComments(known.text),
        box: known.done ? 'checked' : 'open',
      }
    case 'bullet':
      return { ...line, ...itemOf(line.text), text: withoutComments(known.text) }
    case 'malformed':
    case 'comment':
    case 'text':
      return readOtherLine(line)
    default:
      return known satisfies never
  }
}

/** Also boxes that markdown does not know, such as `[ ] open`, `-[x] done`, `- [~] begun` and `- [-] given up`. */
function readOtherLine(line: PlanLine): PlanLine {
  if (line.text.startsWith('|')) return { ...line, kind: 'table' }
  const { sign = '', text } = LOOSE_BOX.exec(line.text)?.groups ?? {}
  if (text !== undefined)
    return { ...line, ...itemOf(line.text), text, box: /x/i.test(sign) ? 'checked' : sign === '-' ? 'dropped' : 'open' }
  return BULLET.test(line.text) ? { ...line, ...itemOf(line.text), text: line.text.replace(BULLET, '') } : line
}

/** Kiro marks optional tasks with a star after the box. */
const LOOSE_BOX = /^(?:(?:[-*+]|\d{1,9}[.)])\s*)?\[(?<sign>[ xX~/>-]?)\]\*?(?![([:])\s*(?<text>\S.*)$/
const BULLET = /^(?:[-*+]|\d{1,9}[.)])\s+/

function itemOf(text: string): { kind: 'item'; number: string | null } {
  return { kind: 'item', number: /^(\d{1,9})[.)]/.exec(text)?.[1] ?? null }
}

function plainLine({ indent, body }: ChecklistLine, raw: string, line: number): PlanLine {
  return { kind: 'text', line, raw, indent, text: body, level: 0, number: null, box: null }
}

function withoutComments(text: string): string {
  return text.includes('<!--') ? text.replace(/<!--[^>]*-->/g, '').trim() : text
}

/**
 * `=====` below a line of text makes that line the title. Dashes only make headings of phases and tasks, because plans
 * also use them as rules.
 */
function isUnderline(line: PlanLine, before: PlanLine[]): boolean {
  const above = before.at(-1)
  if (above?.kind !== 'text' || before.at(-2)?.kind === 'text') return false
  const isTitle = line.kind === 'text' && /^={3,}$/.test(line.text)
  const isDashed = line.kind === 'rule' && /^-{3,}$/.test(line.text)
  if (!isTitle && !(isDashed && readLabel(above.text, 'heading').kind !== 'plain')) return false
  above.kind = 'heading'
  above.level = isTitle ? 1 : 2
  return true
}

/** Lines of YAML between `---` at the very top. */
function frontMatterLength(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '---' || !/^[\w-]+\s*:/.test(lines[1] ?? '')) return 0
  return lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)$/.test(line.trimEnd())) + 1
}
