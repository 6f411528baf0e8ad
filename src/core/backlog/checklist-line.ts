/** One line of a markdown document, as a checklist sees it. */
export type ChecklistLine = { indent: number; body: string } & (
  | { kind: 'blank' }
  | { kind: 'box'; done: boolean; text: string }
  /** `dropped`: the text of a box with a dash, `[-]`, which many people write for what they have given up. */
  | { kind: 'malformed'; why: string; dropped?: string }
  | { kind: 'bullet'; text: string }
  | { kind: 'heading'; text: string }
  | { kind: 'rule' }
  | { kind: 'fence'; mark: string }
  | { kind: 'comment'; isClosed: boolean }
  /** `interrupts`: it cannot be the next line of a paragraph above it. */
  | { kind: 'text'; interrupts: boolean }
)

export function readChecklistLine(raw: string): ChecklistLine {
  const body = raw.trim()
  const place = { indent: columnsOf(raw.slice(0, raw.length - raw.trimStart().length)), body }
  if (body === '') return { ...place, kind: 'blank' }
  if (isRule(body)) return { ...place, kind: 'rule' }
  const listed = readBullet(body) ?? readStrayBox(body)
  if (listed) return { ...place, ...listed }
  if (/^#{1,6}(?:\s|$)/.test(body)) return { ...place, kind: 'heading', text: headingText(body) }
  const mark = fenceMark(body)
  if (mark) return { ...place, kind: 'fence', mark }
  if (body.startsWith('<!--')) return { ...place, kind: 'comment', isClosed: closesComment(body) }
  return { ...place, kind: 'text', interrupts: /^(?:>|<\/?[a-z])/i.test(body) }
}

/** The run of backticks or tildes that opens a code block, if the line opens one. */
export function fenceMark(body: string): string | undefined {
  return /^(?:`{3,}(?=[^`]*$)|~{3,})/.exec(body)?.[0]
}

export function closesFence(body: string, mark: string): boolean {
  return body.startsWith(mark) && body === mark.charAt(0).repeat(body.length)
}

export function closesComment(body: string): boolean {
  return body.includes('-->')
}

/** Turns the checkbox of the line into ordinary text, so that no reader takes it as a task. */
export function escapeBox(raw: string): string {
  const { kind } = readChecklistLine(raw)
  return kind === 'box' || kind === 'malformed' ? raw.replace('[', '\\[') : raw
}

type Listed =
  | { kind: 'box'; done: boolean; text: string }
  | { kind: 'malformed'; why: string; dropped?: string }
  | { kind: 'bullet'; text: string }

const BULLET = /^(?:[-*+]|\d{1,9}[.)])(?=\s|$)/
const BOX = /^\[(?<inner>[^[\]]*)\](?<tail>.*)$/s

function readBullet(body: string): Listed | null {
  const bullet = BULLET.exec(body)?.[0]
  if (bullet === undefined) return null
  const text = body.slice(bullet.length).trim()
  return readBox(text) ?? { kind: 'bullet', text }
}

function readBox(text: string): Listed | null {
  const { inner, tail } = BOX.exec(text)?.groups ?? {}
  if (inner === undefined || tail === undefined || isOrdinaryBracket(inner, tail)) return null
  if (!/^[\sxX]$/.test(inner))
    return { kind: 'malformed', why: 'the box is neither [ ] nor [x]', ...givenUp(inner, tail) }
  if (tail.trim() === '') return { kind: 'malformed', why: 'a checkbox without a text' }
  if (!/^\s/.test(tail)) return { kind: 'malformed', why: 'no space after the checkbox' }
  return { kind: 'box', done: inner.toLowerCase() === 'x', text: tail.trim() }
}

function givenUp(inner: string, tail: string): { dropped?: string } {
  return inner === '-' && /^\s+\S/.test(tail) ? { dropped: tail.trim() } : {}
}

/** Links, references, `[WIP]` and `[1]` are text; one sign or none in brackets was meant as a checkbox. */
function isOrdinaryBracket(inner: string, tail: string): boolean {
  return /^[([:]/.test(tail) || [...inner.trim()].length > 1 || /^\d$/.test(inner)
}

/** Checkboxes where no list item can start, or where markdown does not recognise one that was meant. */
function readStrayBox(body: string): Listed | null {
  if (/^\[[\sxX]?\](?:\s|$)/.test(body)) return { kind: 'malformed', why: 'a checkbox without a bullet' }
  if (/^(?:[-*+]|\d{1,9}[.)])\[[\sxX]?\](?![([:])/.test(body)) {
    return { kind: 'malformed', why: 'no space before the checkbox' }
  }
  if (!body.startsWith('>')) return null
  const quoted = readBullet(body.replace(/^[>\s]+/, ''))
  return quoted && quoted.kind !== 'bullet' ? { kind: 'malformed', why: 'a checkbox inside a quotation' } : null
}

/** `---`, `* * *`: three or more of the same sign and nothing else. */
function isRule(body: string): boolean {
  return /^[-*_]/.test(body) && /^(?:-{3,}|\*{3,}|_{3,})$/.test(body.replace(/[ \t]+/g, ''))
}

/** Without the closing `##` that some people write. */
function headingText(body: string): string {
  const text = body.replace(/^#+/, '').trim()
  let end = text.length
  while (text.charAt(end - 1) === '#') end--
  return end === 0 || /\s/.test(text.charAt(end - 1)) ? text.slice(0, end).trim() : text
}

function columnsOf(blanks: string): number {
  let column = 0
  for (const blank of blanks) column += blank === '\t' ? 4 - (column % 4) : 1
  return column
}
