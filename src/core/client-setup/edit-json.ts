/** Changes in somebody else's JSON, with comments or without. Everything around them stays as it is, to the byte. */
import { type Node, type ParseError, parseTree } from 'jsonc-parser'

/** Where something is, from the top: key or index of each step. */
export type JsonPath = readonly (string | number)[]

/** The value of a JSON text, which may have comments and trailing commas; null if it is no such text. */
export function readTree(text: string): Node | null {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  return errors.length > 0 || root === undefined ? null : root
}

/** After the last child, with the indentation of the text. */
export function insert(
  text: string,
  node: Node | undefined,
  child: { depth: number; key?: string; value: unknown },
): string {
  const { unit, eol } = styleOf(text)
  const json = JSON.stringify(child.value, null, unit).replaceAll('\n', eol + unit.repeat(child.depth))
  const colon = unit === '' ? ':' : ': '
  const piece = child.key === undefined ? json : `${JSON.stringify(child.key)}${colon}${json}`
  const line = eol + unit.repeat(child.depth)
  const last = node?.children?.at(-1)
  if (last) return `${text.slice(0, endOf(last))},${line}${piece}${text.slice(endOf(last))}`
  const close = eol + unit.repeat(child.depth - 1)
  return `${text.slice(0, startOf(node) + 1)}${line}${piece}${close}${text.slice(endOf(node) - 1)}`
}

/** Settings on one line stay on one line. */
function styleOf(text: string): { unit: string; eol: string } {
  const { eol = '', unit = '' } = /[{[](?<eol>\r?\n)(?<unit>[ \t]+)/.exec(text)?.groups ?? {}
  if (unit !== '') return { eol, unit }
  return /^\s*\{\s*\}\s*$/.test(text) ? { eol: '\n', unit: '  ' } : { eol: '', unit: '' }
}

/** A container that is empty without it is removed too. `above`: what else is removed instead of an empty container. */
export function remove(text: string, path: JsonPath, above: (path: JsonPath) => JsonPath = containerOf): string {
  const holder = path.slice(0, -1).reduce<Node | undefined>(childAt, parseTree(text))
  const children = holder?.children ?? []
  if (children.length === 1 && path.length > 1) return remove(text, above(path), above)
  const last = path.at(-1)
  const at = typeof last === 'number' ? last : children.findIndex((child) => nameOf(child) === last)
  const [before, child, after] = [children[at - 1], children[at], children[at + 1]]
  if (child === undefined) return text
  if (before) return text.slice(0, endOf(before)) + text.slice(endOf(child))
  if (after) return text.slice(0, startOf(child)) + text.slice(startOf(after))
  return text.slice(0, startOf(holder) + 1) + text.slice(endOf(holder) - 1)
}

function containerOf(path: JsonPath): JsonPath {
  return path.slice(0, -1)
}

/** If an object has a key twice, the last one counts, as with JSON.parse. */
export function childAt(node: Node | undefined, key: string | number): Node | undefined {
  if (typeof key === 'number') return listOf(node)[key]
  if (node?.type !== 'object') return undefined
  return node.children?.findLast((child) => nameOf(child) === key)?.children?.[1]
}

export function listOf(node: Node | undefined): readonly Node[] {
  return node?.type === 'array' ? (node.children ?? []) : []
}

export function nameOf(property: Node): string | undefined {
  return property.type === 'property' ? property.children?.[0]?.value : undefined
}

function startOf(node: Node | undefined): number {
  return node?.offset ?? 0
}

function endOf(node: Node | undefined): number {
  return startOf(node) + (node?.length ?? 0)
}

/** Does an entry have everything that gza writes there? What a person has added to it stays. */
export function hasAll(known: unknown, entry: Readonly<Record<string, unknown>>): boolean {
  if (typeof known !== 'object' || known === null) return false
  const fields = known as Record<string, unknown>
  return Object.entries(entry).every(([key, value]) => JSON.stringify(fields[key]) === JSON.stringify(value))
}
