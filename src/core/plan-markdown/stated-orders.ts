import type { StatedOrder } from '../plan/plan-model.ts'
import { readFieldLabel } from '../plan-fields/field-names.ts'
import type { Outline } from './lines/outline-model.ts'
import type { PlanLine } from './lines/plan-lines.ts'

/** `Phase 2 depends on Phase 1`, `T3: after T1, T2`, `T1 → T2` beside the tasks; in code, only the last form. */
export function readStatedOrders(outline: Outline, covered: ReadonlySet<number>): StatedOrder[] {
  const { lines } = outline
  const sections = orderSections(outline)
  const items: PlanLine[] = []
  return lines.flatMap((line, at) => {
    if (line.kind === 'heading' || covered.has(at)) items.length = 0
    if (covered.has(at) || !['item', 'text', 'verbatim'].includes(line.kind)) return []
    while (line.kind === 'item' && (items.at(-1)?.indent ?? -1) >= line.indent) items.pop()
    const above = items.at(-1)
    if (line.kind === 'item') items.push(line)
    const isMeant = sections.has(outline.places[at]?.heading ?? -1)
    const chains = line.kind === 'verbatim' ? [readArrows(withoutShapes(line.text))] : readLine(line.text, above?.text)
    return chains.flatMap((chain) => (chain === null ? [] : [{ line: line.line, text: line.text, chain, isMeant }]))
  })
}

/** The headings of such chapters, and those below them. */
function orderSections({ lines, labels, places }: Outline): Set<number> {
  const found = new Set<number>()
  for (const [at, { kind }] of lines.entries())
    if (kind === 'heading' && (SECTION.test(labels.get(at)?.title ?? '') || found.has(places[at]?.above ?? -1)))
      found.add(at)
  return found
}

const SECTION =
  /dependenc(?:y|ies)|\b(?:execution|implementation|build|task) (?:order|sequence)|order of|critical path/i

/** The chain of each sentence; empty if it is about order and not understood, null if it is about something else. */
function readLine(text: string, above: string | undefined): (string[] | null)[] {
  const field = readFieldLabel(text)
  if (field?.name === 'waits') return [above === undefined ? null : [field.value, withoutState(above)]]
  if (LISTED.test(text)) return [[]]
  const bare = text.replaceAll('**', '').replaceAll('`', '')
  return bare.split(/[.;]\s+(?=[A-Z#])/).map((sentence) => readSentence(sentence.replace(/\.$/, '').trim()))
}

function readSentence(sentence: string): string[] | null {
  if (!SIGN.test(sentence)) return null
  if (sentence.length > LONGEST) return []
  const [statement = '', remark = ''] = cutRemark(sentence)
  if (/\b(?:no|not|never|cannot|independent\w*)\b|n['’]t\b/i.test(statement))
    return /\b(?:before|until|unless|without)\b/i.test(statement) ? [] : null
  // The text after a dash may continue the sentence.
  if (SIGN.test(remark) && /\d/.test(remark)) return []
  const after = AFTER.exec(statement)
  if (after) return [withoutState(after[2] ?? ''), withoutState(after[1] ?? '')]
  const before = BEFORE.exec(statement)
  if (before) return [withoutState(before[1] ?? ''), withoutState(before[2] ?? '')]
  return readArrows(statement) ?? []
}

/** `Core: depends on Setup - blocks all` */
function cutRemark(sentence: string): [string, string] {
  const verb = sentence.search(/\b(?:depend|blocked by|wait|requires?|needs?|follows?|after|before|blocks?)/i)
  const dash = verb === -1 ? -1 : sentence.slice(verb).search(/\s[-–—]\s/)
  return dash === -1 ? [sentence, ''] : [sentence.slice(0, verb + dash), sentence.slice(verb + dash)]
}

function readArrows(text: string): string[] | null {
  if (text.length > LONGEST) return null
  const chain = text.split(ARROW).map((step) => step.trim())
  return chain.length > 1 && chain.length <= 100 ? chain.filter((step) => step !== '') : null
}

/** Mermaid's `T1[User model] -->|then| T2(Login);` */
function withoutShapes(text: string): string {
  return text.replace(/\[[^\]]*\]|\([^)]*\)|\{[^}]*\}|\|[^|]*\||;\s*$/g, ' ')
}

/** `All of Phase 1 must be complete` is about Phase 1. */
function withoutState(text: string): string {
  return text
    .replace(/[:\s–—-]+$/, '')
    .replace(/^(?:both|all of|each of|everything in)\s+/i, '')
    .replace(STATE, '')
    .replace(/\s+phase$/i, '')
    .trim()
}

const LONGEST = 300
/** `T3: T1, T2` may be read either way. */
const LISTED =
  /^\**(?:[A-Z]{1,10}-?|Task |Phase )\d[\w.]*\**:\**\s+(?:(?:[A-Z]{1,10}-?|Task |Phase )\d[\w.]*(?:,\s*|\s+and\s+|$))+$/
const ARROW = /\s*(?:[-=─]+>|[─-]*[→▶⟶➔⇒➜])\s*/u
const SIGN =
  /\b(?:depend|dependent|depends|blocked by|blocks?|wait|waits|requires?|needs?|follows?|after|before|once|until|unless|precedes?)\b|[-=─]>|[→▶⟶➔⇒➜]/iu
const FILLER = String.raw`(?:\s+(?:all|both|each|also|only|can|may|must|should|has|have|is|are|be|to|come|comes|go|goes|starts?|begins?|runs?|done|complete|completed|finished|in parallel))*`
const AFTER = new RegExp(
  String.raw`^(\S.*?)(?::|\s[-–—])?${FILLER}\s+(?:depends?(?: only)? (?:up)?on|dependent on|blocked by|waits? (?:for|on)|requires?|needs?|follows?|after):?\s+(\S.*)$`,
  'i',
)
const BEFORE = new RegExp(String.raw`^(\S.*?)(?::|\s[-–—])?${FILLER}\s+(?:before|blocks?|precedes?)\s+(\S.*)$`, 'i')
const STATE =
  /\s+(?:completion|(?:(?:can|may|must|should|is|are|being|be|has|have|to|been|all)\s+)*(?:complete|completed|done|finished|starts?|started|begins?|runs?|ready|landed|merged|first))$/i
