import { oneOf } from '../one-of.ts'
import { PRIORITIES, type Priority, TASK_TYPES } from '../task/task.ts'
import { errorWithHint, UserError } from '../user-error.ts'
import { type FilterTerm, splitFilterLine } from './filter-line.ts'
import { readSince, type Since } from './since.ts'
import { STATUS_WORDS, type StatusWord } from './status-words.ts'

/** What a task must be to be listed. All of it must hold. */
export interface Filter {
  statuses: { isNot: boolean; words: StatusWord[] }[]
  fields: FieldTest[]
  /** Filed or finished since then. */
  times: { isNot: boolean; since: Since }[]
  /** One of the files that the task declares. */
  files: { isNot: boolean; pattern: string }[]
  texts: TextTerm[]
}

/** One of these values; an empty one is that of a task without any. */
export interface FieldTest {
  field: (typeof VALUE_FIELDS)[number]
  isNot: boolean
  values: string[]
}

/** Words that must be next to each other, in any text of the task or in one of them. */
export interface TextTerm {
  field: TextField | null
  words: string
  /** The last word is the beginning of one. */
  isPrefix: boolean
  isNot: boolean
}

const VALUE_FIELDS = ['type', 'group', 'agent', 'priority', 'milestone'] as const

/** The texts of a task, the most important one first. */
export const TEXT_FIELDS = ['title', 'criteria', 'content', 'note', 'file', 'artifact'] as const
export type TextField = (typeof TEXT_FIELDS)[number]

/** `file` is the path of a file, not words in one. */
const FIELDS = ['status', ...VALUE_FIELDS, 'since', 'file', 'title', 'content', 'note', 'criteria', 'artifact'] as const
type Field = (typeof FIELDS)[number]

const SYNONYMS: Readonly<Record<string, Field>> = {
  assigned_agent: 'agent',
  milestone_id: 'milestone',
  files: 'file',
  notes: 'note',
  criterion: 'criteria',
  artifacts: 'artifact',
}

/** A filter as a person types it. What looks like a field and is none is searched for as text. */
export function parseFilter(line: string): Filter {
  return readFilter(splitFilterLine(line))
}

export function readFilter(terms: readonly FilterTerm[]): Filter {
  const filter: Filter = { statuses: [], fields: [], times: [], files: [], texts: [] }
  for (const term of terms) addTerm(filter, term)
  return filter
}

/** What looks like a field in this line, and is none. */
export function unknownFields(line: string): string[] {
  return splitFilterLine(line).flatMap(({ field }) => (field === null || fieldNamed(field) !== null ? [] : [field]))
}

/** What is wrong with a saved filter; null if nothing. A word before a colon must be a field there. */
export function whyBadFilter(line: string): string | null {
  const [unknown] = unknownFields(line)
  if (unknown !== undefined) return `'${unknown}' is not a field of a filter. Fields: ${FIELDS.join(', ')}`
  if (line.trim() === '') return 'the filter is empty'
  try {
    parseFilter(line)
    return null
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return errorWithHint(error, '. ')
  }
}

function fieldNamed(name: string): Field | null {
  return FIELDS.find((field) => field === name) ?? (Object.hasOwn(SYNONYMS, name) ? (SYNONYMS[name] ?? null) : null)
}

function addTerm(filter: Filter, term: FilterTerm): void {
  const { isNot, value } = term
  const field = term.field === null ? null : fieldNamed(term.field)
  switch (field) {
    case 'status':
      filter.statuses.push({ isNot, words: valuesOf(value).map((word) => oneOf('status', word, STATUS_WORDS)) })
      return
    case 'type':
      filter.fields.push({ field, isNot, values: valuesOf(value).map((word) => oneOf('type', word, TASK_TYPES)) })
      return
    case 'priority':
      filter.fields.push({ field, isNot, values: valuesOf(value).map(priorityNamed) })
      return
    case 'group':
    case 'agent':
    case 'milestone':
      filter.fields.push({ field, isNot, values: term.isQuoted ? [value] : valuesOf(value) })
      return
    case 'since':
      filter.times.push({ isNot, since: readSince(value) })
      return
    case 'file':
      filter.files.push({ isNot, pattern: checkedPattern(value) })
      return
    default:
      addText(filter, field, term)
  }
}

function priorityNamed(word: string): Priority {
  return oneOf('priority', word, PRIORITIES)
}

function valuesOf(value: string): string[] {
  return value.split(',').map((word) => word.trim())
}

/** Each row of a list may be compared with it. */
const LONGEST_PATTERN = 1000

function checkedPattern(pattern: string): string {
  if (pattern !== '' && pattern.length <= LONGEST_PATTERN) return pattern
  const what = pattern === '' ? 'The path of a file is empty' : `The path of a file is longer than ${LONGEST_PATTERN}`
  throw new UserError('BAD_VALUE', what, {
    hint: "A path, its beginning, or a pattern: src/parser.ts, src/, 'src/**/*.ts'",
    exitCode: 2,
  })
}

function addText(filter: Filter, field: TextField | null, { field: typed, value, isNot }: FilterTerm): void {
  const whole = field === null && typed !== null ? `${typed}:${value}` : value
  const isPrefix = whole.endsWith('*')
  const words = (isPrefix ? whole.slice(0, -1) : whole).toWellFormed()
  if (HAS_WORD.test(words)) filter.texts.push({ field, words, isPrefix, isNot })
}

/** The rest of a text is what separates its words. */
const HAS_WORD = /[\p{L}\p{N}]/u
