import { alignWith, dedent } from '../text/dedent.ts'
import { type ChecklistLine, closesComment, closesFence, fenceMark, readChecklistLine } from './checklist-line.ts'

export interface ChecklistItem {
  line: number
  text: string
  done: boolean
  /** Given up: `[-]`. */
  dropped?: true
  children: ChecklistItem[]
  /** Text below the item that is not an item itself: paragraphs, plain bullets, code. It belongs below `text`. */
  notes?: string
  /** The nearest heading above. */
  group?: string
}

export interface Checklist {
  items: ChecklistItem[]
  /** Lines that look like tasks but are not. */
  skipped: { line: number; why: string }[]
}

/**
 * The tasks of a markdown document. If it has no checkbox at all, its bullets are the tasks. `takesDropped`: items that
 * were given up are tasks too.
 */
export function readChecklist(text: string, { takesDropped = false } = {}): Checklist {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const boxes = readItems(lines, { itemKind: 'box', takesDropped })
  return boxes.items.length > 0 ? boxes : readItems(lines, { itemKind: 'bullet', takesDropped })
}

/** An item that is being read: until it is finished, its notes are lines as in the document. */
interface Draft {
  item: ChecklistItem
  notes: string[]
}

/** A list entry that may have more lines. An entry that is not a task passes its children to the task around it. */
interface Frame {
  indent: number
  isTask: boolean
  draft: Draft | null
}

/** Lines that are not markdown until the block ends. `boxes`: the checkboxes among them. */
interface Verbatim {
  kind: 'fence' | 'comment'
  mark: string
  line: number
  frame: Frame | undefined
  boxes: number[]
}

interface Kinds {
  itemKind: 'box' | 'bullet'
  takesDropped: boolean
}

interface Reading extends Checklist, Kinds {
  drafts: Draft[]
  frames: Frame[]
  group: string | undefined
  verbatim: Verbatim | null
  /** What the next line of text continues: an item's own text, a note below it, or text that is dropped. */
  paragraph: 'text' | 'notes' | 'dropped' | null
  /** The prose of the line above, which an underline turns into a heading. */
  prose: string | null
  blanks: number
  lastNoted: Draft | null
}

function readItems(lines: readonly string[], kinds: Kinds): Checklist {
  const reading: Reading = {
    ...{ ...kinds, items: [], skipped: [], drafts: [], frames: [], group: undefined, verbatim: null },
    ...{ paragraph: null, prose: null, blanks: 0, lastNoted: null },
  }
  for (let at = frontMatterLength(lines); at < lines.length; at++) readNext(reading, lines[at] ?? '', at + 1)
  endVerbatim(reading, false)
  for (const draft of reading.drafts) finish(draft)
  return { items: reading.items, skipped: reading.skipped.sort((a, b) => a.line - b.line) }
}

function finish({ item, notes }: Draft): void {
  const text = dedent(notes)
  if (text !== '') item.notes = text
}

function readNext(reading: Reading, raw: string, number: number): void {
  const line = readChecklistLine(raw)
  if (reading.verbatim && staysVerbatim(reading, line, { raw, number })) return
  const prose = reading.prose
  reading.prose = null
  switch (line.kind) {
    case 'blank':
      reading.paragraph = null
      reading.blanks++
      break
    case 'box':
    case 'bullet':
    case 'malformed':
      readListLine(reading, line, { raw, number })
      break
    case 'text':
      if (prose !== null && /^(?:=+|-+)$/.test(line.body)) startGroup(reading, prose)
      else readText(reading, line, raw)
      break
    case 'rule':
      if (prose !== null && line.body.startsWith('--')) startGroup(reading, prose)
      else readBlock(reading, line, raw)
      break
    case 'heading':
      readBlock(reading, line, raw)
      if (reading.frames.length === 0) startGroup(reading, line.text)
      break
    case 'fence':
      readBlock(reading, line, raw)
      startVerbatim(reading, 'fence', line.mark, number)
      break
    case 'comment':
      readBlock(reading, line, raw)
      if (!line.isClosed) startVerbatim(reading, 'comment', '', number)
      break
    default:
      line satisfies never
  }
}

interface Source {
  raw: string
  number: number
}

type ListLine = Extract<ChecklistLine, { kind: 'box' | 'bullet' | 'malformed' }>

function readListLine(reading: Reading, line: ListLine, { raw, number }: Source): void {
  const around = closeFrames(reading, line.indent)
  if (line.kind === 'box' || (line.kind === 'bullet' && reading.itemKind === 'bullet' && line.text !== '')) {
    addItem(reading, line, { raw, number })
  } else if (line.kind === 'malformed' && line.dropped !== undefined && reading.takesDropped) {
    addItem(reading, { ...line, text: line.dropped }, { raw, number }).dropped = true
  } else if (line.kind === 'bullet' && reading.itemKind === 'box' && around) {
    keepNote(reading, raw)
  } else {
    reading.skipped.push({ line: number, why: whySkipped(line, reading.itemKind) })
    reading.frames.push({ indent: line.indent, isTask: false, draft: around?.draft ?? null })
    reading.paragraph = 'dropped'
  }
  if (line.kind !== 'bullet') return
  const mark = fenceMark(line.text)
  if (mark) startVerbatim(reading, 'fence', mark, number)
}

function addItem(reading: Reading, line: ListLine & { text: string }, { raw, number }: Source): ChecklistItem {
  const item: ChecklistItem = { line: number, text: line.text, done: line.kind === 'box' && line.done, children: [] }
  if (reading.group) item.group = reading.group
  const parent = reading.frames.at(-1)?.draft?.item
  const siblings = parent ? parent.children : reading.items
  siblings.push(item)
  const draft: Draft = { item, notes: [] }
  reading.drafts.push(draft)
  reading.frames.push({ indent: line.indent, isTask: true, draft })
  reading.blanks = 0
  reading.paragraph = endsHard(raw) ? 'notes' : 'text'
  return item
}

function whySkipped(line: ListLine, itemKind: 'box' | 'bullet'): string {
  if (line.kind === 'malformed') return line.why
  return itemKind === 'box' ? 'a plain bullet among checkboxes' : 'a bullet without a text'
}

/**
 * Text continues the paragraph above it, whatever its indentation; after a blank line the indentation decides where it
 * belongs.
 */
function readText(reading: Reading, line: Extract<ChecklistLine, { kind: 'text' }>, raw: string): void {
  const { paragraph } = reading
  if (line.interrupts || paragraph === null) {
    readBlock(reading, line, raw)
    return
  }
  const frame = reading.frames.at(-1)
  if (paragraph === 'dropped' || !frame?.draft) return
  const { item, notes } = frame.draft
  if (paragraph === 'notes') {
    keepNote(reading, line.indent > frame.indent ? raw : alignWith(notes.at(-1), raw))
    return
  }
  item.text += ` ${line.body}`
  if (endsHard(raw)) reading.paragraph = 'notes'
}

function readBlock(reading: Reading, line: ChecklistLine, raw: string): void {
  const around = closeFrames(reading, line.indent)
  if (around) keepNote(reading, raw)
  else if (line.kind === 'text' && !line.interrupts) reading.prose = line.body
  if (line.kind !== 'text') reading.paragraph = null
}

/** Closes the entries that a line with this indentation cannot belong to. Returns the entry it belongs to, if any. */
function closeFrames({ frames }: Reading, indent: number): Frame | undefined {
  let last = frames.at(-1)
  while (last && last.indent >= indent) {
    frames.pop()
    last = frames.at(-1)
  }
  return last
}

function startGroup(reading: Reading, text: string): void {
  reading.group = text === '' ? undefined : text
  reading.paragraph = null
}

function startVerbatim(reading: Reading, kind: 'fence' | 'comment', mark: string, line: number): void {
  reading.verbatim = { kind, mark, line, frame: reading.frames.at(-1), boxes: [] }
  reading.paragraph = null
}

/** Is the line inside the open code block or comment? A line that leaves the surrounding entry also ends the block. */
function staysVerbatim(reading: Reading, line: ChecklistLine, { raw, number }: Source): boolean {
  const block = reading.verbatim
  if (!block) return false
  if (block.frame && line.kind !== 'blank' && line.indent <= block.frame.indent) {
    endVerbatim(reading, false)
    return false
  }
  if (block.frame?.isTask) block.frame.draft?.notes.push(line.kind === 'blank' ? '' : raw)
  if (line.kind === 'box' || line.kind === 'malformed') block.boxes.push(number)
  const isEnd = block.kind === 'fence' ? closesFence(line.body, block.mark) : closesComment(line.body)
  if (isEnd) endVerbatim(reading, true)
  return true
}

function endVerbatim(reading: Reading, isClosed: boolean): void {
  const block = reading.verbatim
  reading.verbatim = null
  if (!block || (isClosed && block.kind === 'fence')) return
  const what = block.kind === 'fence' ? 'code block' : 'comment'
  const why = isClosed ? 'inside a comment' : `inside the ${what} of line ${block.line}, which never ends`
  for (const line of block.boxes) reading.skipped.push({ line, why })
}

function keepNote(reading: Reading, raw: string): void {
  const frame = reading.frames.at(-1)
  reading.paragraph = frame?.isTask ? 'notes' : 'dropped'
  if (!frame?.isTask || !frame.draft) return
  const { notes } = frame.draft
  const blanks = reading.lastNoted === frame.draft ? reading.blanks : Math.max(1, reading.blanks)
  for (let blank = 0; blank < blanks; blank++) notes.push('')
  notes.push(raw)
  reading.blanks = 0
  reading.lastNoted = frame.draft
}

function endsHard(raw: string): boolean {
  return raw.endsWith('  ') || raw.endsWith('\\')
}

/** Lines of YAML between `---` at the very top: front matter, whose lists are not tasks. */
function frontMatterLength(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '---' || !/^[\w-]+\s*:/.test(lines[1] ?? '')) return 0
  const end = lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)$/.test(line.trimEnd()))
  const hasBox = lines.slice(0, end).some((line) => ['box', 'malformed'].includes(readChecklistLine(line).kind))
  return end === -1 || hasBox ? 0 : end + 1
}
