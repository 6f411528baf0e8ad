/**
 * The text of a configuration file as data, with a position for everything in it. JSON is read as YAML, which includes
 * it.
 */
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml'
import { UserError } from '../../core/user-error.ts'

export interface ConfigText {
  /** The name for messages. */
  file: string
  text: string
}

type Path = readonly PropertyKey[]

export interface ParsedText {
  root: unknown
  lineOf(path: Path): number
  /** An error about a key or its value, with its position. */
  problem(path: Path, part: 'key' | 'value', message: string, hint?: string): UserError
}

export function parseConfigText({ file, text }: ConfigText): ParsedText {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' })
  const errorAt = (offset: number, message: string, hint?: string): UserError => {
    const { line, col } = lines.linePos(offset)
    return new UserError('BAD_CONFIG', `${file}:${line}:${col}: ${message}`, {
      hint: hint ?? `Correct ${file} at line ${line}.`,
    })
  }
  // The parser only warns of an unknown tag, but its value is not what the author meant.
  const broken = document.errors[0] ?? document.warnings[0]
  if (broken) throw errorAt(broken.pos[0], wordingOf(broken, text))
  const loose = findLooseAlias(document)
  if (loose) throw errorAt(startOf(loose), `the alias *${loose.source} has no anchor before it`)
  const offsetOf = (path: Path, part: 'key' | 'value') => findOffset(document, path, part)
  return {
    root: toPlain(document, (message) => errorAt(0, message)),
    lineOf: (path) => lines.linePos(offsetOf(path, 'key')).line,
    problem: (path, part, message, hint) => errorAt(offsetOf(path, part), message, hint),
  }
}

/** The parser accepts it and fails later, without a position. */
function findLooseAlias(document: Document): Alias | null {
  let found: Alias | null = null
  visit(document, {
    Alias(_, node) {
      if (node.resolve(document) !== undefined) return undefined
      found = node
      return visit.BREAK
    },
  })
  return found
}

/** Aliases are resolved here: an alias bomb throws. */
function toPlain(document: Document, problem: (message: string) => UserError): unknown {
  try {
    return document.toJS()
  } catch (error) {
    throw problem((error as Error).message)
  }
}

function wordingOf({ code, message, pos }: YAMLError, text: string): string {
  if (code === 'DUPLICATE_KEY') return `the key ${keyAt(text, pos[0])} is given twice`
  if (code === 'MULTIPLE_DOCS') return 'a second document begins here, but only one is read'
  return message
}

function keyAt(text: string, offset: number): string {
  return /^(?:"[^"\n]*"|'[^'\n]*'|[^\s:]+)/.exec(text.slice(offset, offset + 200))?.[0] ?? ''
}

/** The position of the deepest existing node on the path: a missing value belongs to what should contain it. */
function findOffset(document: Document, path: Path, part: 'key' | 'value'): number {
  let node: unknown = document.contents
  let key: unknown = null
  for (const name of path) {
    const map = isAlias(node) ? node.resolve(document) : node
    const entry = isSeq(map) ? map.items[Number(name)] : undefined
    if (entry !== undefined) {
      key = null
      node = entry
      continue
    }
    const pair = isMap(map) ? map.items.find((item) => keyOf(item.key) === name) : undefined
    if (pair === undefined) return startOf(key ?? node)
    key = pair.key
    node = pair.value
  }
  return part === 'key' || isEmpty(node) ? startOf(key ?? node) : startOf(node)
}

function keyOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key)
}

function isEmpty(node: unknown): boolean {
  return node === null || (isScalar(node) && node.value === null)
}

function startOf(node: unknown): number {
  return (node as { range?: [number, number, number] | null } | null)?.range?.[0] ?? 0
}
