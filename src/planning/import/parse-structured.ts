/** A JSON or YAML plan as data, with line and column for everything in it. Text that is almost JSON is read as YAML. */
import { type Node, parseTree, visit } from 'jsonc-parser'
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import type { Path, TextPosition } from '../../core/plan-fields/structured-tree.ts'
import { UserError } from '../../core/user-error.ts'

export interface Structured {
  root: unknown
  positionOf(path: Path): TextPosition
}

export function parseStructured(file: string, text: string): Structured {
  const lines = new LineCounter()
  const badAt = (offset: number, message: string): UserError => {
    const { line, col } = lines.linePos(offset)
    return new UserError('BAD_PLAN', `${file}:${line}:${col}: ${message}`, {
      hint: 'Nothing was imported. Correct the file and import it again.',
    })
  }
  const positionAt = (offset: number): TextPosition => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  return guarded(file, () => {
    const json = parseJson(text)
    if (json !== undefined) {
      const offsetOf = jsonOffsets(text)
      countLines(lines, text)
      return { root: json, positionOf: (path) => positionAt(offsetOf(path)) }
    }
    refuseComment(file, text)
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' })
    const broken = document.errors[0]
    if (broken) throw badAt(broken.pos[0], broken.message)
    const root = document.toJS({ maxAliasCount: 1000 })
    return { root, positionOf: (path) => positionAt(yamlOffset(document, path)) }
  })
}

/** YAML would read it as a part of the next name, and find no tasks. */
function refuseComment(file: string, text: string): void {
  const at = /\.ya?ml$/i.test(file) ? null : findJsonComment(text)
  if (at === null) return
  const before = text.slice(0, at).split('\n')
  throw new UserError(
    'BAD_PLAN',
    `${file}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}: JSON has no comments`,
    { hint: 'Nothing was imported. Remove the comments and import it again.' },
  )
}

/** The first comment in a text that is meant as JSON. Null if there is none, or if the text is rather YAML. */
function findJsonComment(text: string): number | null {
  if (!/^\s*(?:[[{]|\/[/*])/.test(text)) return null
  let found: number | null = null
  visit(text, {
    onComment: (offset) => {
      // YAML's `{ url: http://x }` has no blank before it.
      if (/[\s,[\]{}"\d]/.test(text[offset - 1] ?? ' ')) found ??= offset
    },
  })
  return found
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Where each value of a JSON text begins: for a named one its name, for a missing one the deepest value that would
 * contain it. The YAML parser also knows this, but takes twenty times as long: 1.2 s for a plan of 5,000 tasks.
 */
function jsonOffsets(text: string): (path: Path) => number {
  const root = parseTree(text)
  const fields = new Map<Node, Map<unknown, Node>>()
  const fieldsOf = (node: Node): Map<unknown, Node> => {
    const known = fields.get(node) ?? new Map(node.children?.map((field) => [field.children?.[0]?.value, field]))
    fields.set(node, known)
    return known
  }
  return (path) => {
    let node = root
    let offset = root?.offset ?? 0
    for (const name of path) {
      const isField = node?.type === 'object'
      const next = node && isField ? fieldsOf(node).get(String(name)) : node?.children?.[Number(name)]
      if (next === undefined) return offset
      offset = next.offset
      node = isField ? next.children?.[1] : next
    }
    return offset
  }
}

function countLines(lines: LineCounter, text: string): void {
  lines.addNewLine(0)
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1)
}

/** Aliases without an anchor, alias bombs, and nesting beyond the stack fail without a position. */
function guarded<T>(file: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError('BAD_PLAN', `${file} cannot be read: ${(error as Error).message}`, {
      hint: 'Nothing was imported. A plan is plain JSON or YAML.',
    })
  }
}

/** The position of the deepest existing node on the path; for a named one, that of its name. */
function yamlOffset(document: Document, path: Path): number {
  let node: unknown = document.contents
  let place = startOf(node)
  for (const name of path) {
    const inner = isAlias(node) ? node.resolve(document) : node
    if (isSeq(inner)) node = inner.items[Number(name)]
    else if (isMap(inner)) {
      const pair = inner.items.find(({ key }) => String(isScalar(key) ? key.value : key) === String(name))
      if (pair === undefined) return place
      place = startOf(pair.key)
      node = pair.value
      continue
    } else return place
    place = startOf(node) || place
  }
  return place
}

function startOf(node: unknown): number {
  return (node as { range?: [number, number, number] | null } | null)?.range?.[0] ?? 0
}
