/** A JSON or YAML plan as data, with line and column for everything in it. What is not quite JSON is read as YAML. */
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import { findJsonComment } from '../core/plan-fields/find-json-comment.ts'
import { jsonSpots } from '../core/plan-fields/json-spots.ts'
import type { Path, Spot } from '../core/plan-fields/structured-task.ts'
import { UserError } from '../core/user-error.ts'

export interface Structured {
  root: unknown
  spotOf(path: Path): Spot
}

export function parseStructured(file: string, text: string): Structured {
  const lines = new LineCounter()
  const badAt = (offset: number, message: string): UserError => {
    const { line, col } = lines.linePos(offset)
    return new UserError('BAD_PLAN', `${file}:${line}:${col}: ${message}`, {
      hint: 'Nothing was imported. Mend the file there and import it again.',
    })
  }
  return guarded(file, () => {
    const json = parseJson(text)
    if (json !== undefined) return { root: json, spotOf: jsonSpots(text) }
    refuseComment(file, text)
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' })
    const broken = document.errors[0]
    if (broken) throw badAt(broken.pos[0], broken.message)
    return {
      root: document.toJS({ maxAliasCount: 1000 }),
      spotOf: (path) => {
        const { line, col } = lines.linePos(offsetOf(document, path))
        return { line: Math.max(1, line), column: Math.max(1, col) }
      },
    }
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
    { hint: 'Nothing was imported. Take the comments out, and import it again.' },
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Aliases without an anchor, bombs made of them, and nesting beyond the stack fail without a place. */
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

/** Of the deepest node on the way that is there; of a named one its name. */
function offsetOf(document: Document, path: Path): number {
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
