import { type FieldLabel, type FieldName, readFieldHeading, readFieldLabel } from '../plan-fields/field-names.ts'
import { dedent } from '../text/dedent.ts'
import type { PlanLine } from './lines/plan-lines.ts'

/** A field of a task with all its values, each with its line. */
export interface Field {
  name: FieldName
  isWeak: boolean
  line: number
  values: FieldValue[]
  /** The lines it was read from: they return to the text if it turns out not to be a field. */
  source: PlanLine[]
}

export interface FieldValue {
  text: string
  line: number
  /** It is indented deeper than the values, and describes the one above. */
  isNote: boolean
}

export interface TaskBody {
  fields: Field[]
  /** Lines of the text, in their order; the lines of a field are in its `source`. */
  text: (PlanLine | Field)[]
}

/** Sorts the lines below a task into its fields and its text. */
export function readTaskBody(lines: readonly PlanLine[]): TaskBody {
  const body: TaskBody = { fields: [], text: [] }
  let open: OpenField | null = null
  for (const [at, line] of lines.entries()) {
    const begun = beginField(line, lines.slice(at + 1, at + 3))
    if (begun) {
      open = begun
      body.fields.push(begun.field)
      body.text.push(begun.field)
    } else if (open && takes(open, line)) {
      open.field.source.push(line)
    } else {
      open = null
      body.text.push(line)
    }
  }
  return body
}

/** The text without the fields, except those in `kept`. */
export function bodyText(body: TaskBody, kept: ReadonlySet<Field>): string {
  const lines = body.text.flatMap((part) => ('kind' in part ? [part] : kept.has(part) ? part.source : []))
  return dedent(lines.map((line) => (line.kind === 'rule' ? '' : line.raw.trimEnd()))).replace(/\n{3,}/g, '\n\n')
}

interface OpenField {
  field: Field
  opener: PlanLine
  hasBlank: boolean
  hasItems: boolean
  /** The indentation of its first item. */
  indent: number | null
  /** In a drawn tree of files: the folders around the next line. */
  folders: { column: number; path: string }[]
}

function beginField(line: PlanLine, next: readonly PlanLine[]): OpenField | null {
  if (line.kind !== 'heading' && line.kind !== 'item' && line.kind !== 'text') return null
  const label =
    line.kind === 'heading' ? readFieldHeading(line.text) : (readFieldLabel(line.text) ?? bareLabel(line, next))
  if (!label) return null
  const { name, isWeak, value } = label
  const values = value === '' ? [] : [{ text: value, line: line.line, isNote: false }]
  return {
    field: { name, isWeak, line: line.line, values, source: [line] },
    opener: line,
    hasBlank: false,
    hasItems: false,
    indent: null,
    folders: [],
  }
}

/** `Acceptance criteria` alone on its line, without a colon, and a list below it. */
function bareLabel({ kind, text }: PlanLine, next: readonly PlanLine[]): FieldLabel | null {
  const label = kind === 'text' ? readFieldHeading(text) : null
  const isList = next.find((line) => line.kind !== 'blank')?.kind === 'item'
  return label && !label.isWeak && label.value === '' && isList ? label : null
}

/** Does the line continue the field? Lists do, and lines of a paragraph; after a blank line only lists. */
function takes(open: OpenField, line: PlanLine): boolean {
  switch (line.kind) {
    case 'blank':
      open.hasBlank = true
      return true
    case 'item':
      return takesItem(open, line)
    case 'text':
      return takesText(open, line)
    case 'verbatim':
      return takesCode(open, line)
    case 'table':
      return takesRow(open, line)
    default:
      return false
  }
}

function takesItem(open: OpenField, line: PlanLine): boolean {
  const { opener, field } = open
  if (opener.kind === 'item' && line.indent <= opener.indent) return false
  if (opener.kind === 'text' && line.indent < opener.indent) return false
  if (open.hasBlank && !open.hasItems && field.values.length > 0) return false
  open.hasItems = true
  open.hasBlank = false
  open.indent ??= line.indent
  field.values.push({ text: line.text, line: line.line, isNote: line.indent > open.indent + 1 })
  return true
}

function takesText(open: OpenField, line: PlanLine): boolean {
  const { opener, field } = open
  const last = field.values.at(-1)
  const isProse = PROSE_FIELDS.has(field.name)
  const isInside = opener.kind === 'item' || open.hasItems ? line.indent > opener.indent : true
  if (!isInside || (open.hasBlank && (last !== undefined || !(isProse || opener.kind === 'heading')))) return false
  if (!isProse && last !== undefined && !open.hasItems) return false
  open.hasBlank = false
  if (last === undefined || (isProse && /^(?:given|scenario)\b/i.test(line.text)))
    field.values.push({ text: line.text, line: line.line, isNote: false })
  else last.text += ` ${line.text}`
  return true
}

/** A list of files is often in a code block, as plain lines or as a drawn tree. */
function takesCode(open: OpenField, line: PlanLine): boolean {
  const { field } = open
  if (!FILE_FIELDS.has(field.name) || (field.values.length > 0 && open.hasBlank && !open.hasItems)) return false
  open.hasItems = true
  open.hasBlank = false
  if (!/^(?:`{3,}|~{3,})/.test(line.text) && line.text !== '') takeTreeLine(open, line)
  return true
}

/** `├── a.ts` is in the folder drawn above it; a folder itself is not a file. */
function takeTreeLine({ field, folders }: OpenField, line: PlanLine): void {
  const bare = line.raw.replace(/\s+(?:#|←|<-|\/\/|\().*$/, '').trimEnd()
  const column = bare.search(/[^\s│├└─|`+]/)
  if (column === -1) return
  const name = bare.slice(column).replace(/^-+\s+/, '')
  while ((folders.at(-1)?.column ?? -1) >= column) folders.pop()
  const path = `${folders.at(-1)?.path ?? ''}${name}`
  if (name.endsWith('/')) folders.push({ column, path })
  else field.values.push({ text: path, line: line.line, isNote: false })
}

/** In a table, the first cell that may be a file; not in its head or its ruler. */
function takesRow(open: OpenField, line: PlanLine): boolean {
  const { field } = open
  if (!FILE_FIELDS.has(field.name)) return false
  open.hasItems = true
  open.hasBlank = false
  const cell = line.text
    .split('|')
    .map((text) => text.trim())
    .find((text) => text !== '')
  if (cell !== undefined && /[./]\w/.test(cell)) field.values.push({ text: cell, line: line.line, isNote: false })
  return true
}

const PROSE_FIELDS: ReadonlySet<FieldName> = new Set(['criteria', 'story', 'description'])
const FILE_FIELDS: ReadonlySet<FieldName> = new Set(['create', 'modify', 'tests', 'files'])
