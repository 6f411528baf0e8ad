/** gza's command among the hooks that a client runs when a session starts: `hooks.SessionStart` of its settings. */
import { getNodeValue, type Node, parseTree } from 'jsonc-parser'
import type { Edited } from './marked-block.ts'

/** The command that the client runs; the rest of the entry has the form that the client needs. */
export interface SessionHook {
  command: string
  [field: string]: string
}

const OURS = /^gza context\b/
const EVENT = 'SessionStart'

/** The settings with the hook in them, once, and everything else unchanged. */
export function putHook(text: string, hook: SessionHook): Edited {
  const settings = text.trim() === '' ? '{}\n' : text
  const why = whyNot(settings)
  if (why !== null) return { why }
  if (ourHooks(settings).some((known) => known.hook.command === hook.command)) return { text }
  const clean = withoutHook(settings)
  return { text: addHook(clean, hook) }
}

/** The settings without the hook; empty if nothing else is left. */
export function takeHook(text: string): Edited {
  if (text.trim() === '') return { text }
  const why = whyNot(text)
  if (why !== null) return { why }
  const left = withoutHook(text)
  return { text: left !== text && left.trim() === '{}' ? '' : left }
}

function whyNot(text: string): string | null {
  try {
    JSON.parse(text)
  } catch {
    return 'it is not plain JSON (comments and trailing commas are not allowed)'
  }
  const root = parseTree(text)
  if (root?.type !== 'object') return 'it does not contain an object'
  const hooks = childAt(root, 'hooks')
  if (hooks !== undefined && hooks.type !== 'object') return 'its hooks are not an object'
  const event = childAt(hooks, EVENT)
  if (event !== undefined && event.type !== 'array') return `its hooks.${EVENT} is not a list`
  const isTwice = (node: Node | undefined, key: string) =>
    (node?.children?.filter((child) => nameOf(child) === key).length ?? 0) > 1
  return isTwice(root, 'hooks') || isTwice(hooks, EVENT) ? 'it has the same key twice' : null
}

function addHook(text: string, hook: SessionHook): string {
  const root = parseTree(text)
  const hooks = childAt(root, 'hooks')
  const event = childAt(hooks, EVENT)
  const entry = { hooks: [{ type: 'command', ...hook }] }
  if (event !== undefined) return insert(text, event, { depth: 3, value: entry })
  if (hooks !== undefined) return insert(text, hooks, { depth: 2, key: EVENT, value: [entry] })
  return insert(text, root, { depth: 1, key: 'hooks', value: { [EVENT]: [entry] } })
}

/** After the last child, with the indentation of the text. */
function insert(text: string, node: Node | undefined, child: { depth: number; key?: string; value: unknown }): string {
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

interface OurHook {
  /** The path to it from the top of the settings: key or index of each step. */
  path: (string | number)[]
  hook: { command: string }
}

function ourHooks(text: string): OurHook[] {
  const event = childAt(childAt(parseTree(text), 'hooks'), EVENT)
  return listOf(event).flatMap((entry, at) =>
    listOf(childAt(entry, 'hooks')).flatMap((node, index) => {
      const hook = getNodeValue(node)
      const isOurs = typeof hook?.command === 'string' && OURS.test(hook.command)
      return isOurs ? [{ path: ['hooks', EVENT, at, 'hooks', index], hook }] : []
    }),
  )
}

function withoutHook(text: string): string {
  let left = text
  for (let found = ourHooks(left)[0]; found; found = ourHooks(left)[0]) left = remove(left, found.path)
  return left
}

/**
 * A container that is empty without it is removed too; an entry is removed with the last of its hooks, including its
 * matcher.
 */
function remove(text: string, path: readonly (string | number)[]): string {
  const holder = path.slice(0, -1).reduce<Node | undefined>(childAt, parseTree(text))
  const children = holder?.children ?? []
  if (children.length === 1 && path.length > 1) return remove(text, path.slice(0, path.length === 5 ? 3 : -1))
  const last = path.at(-1)
  const at = typeof last === 'number' ? last : children.findIndex((child) => nameOf(child) === last)
  const [before, child, after] = [children[at - 1], children[at], children[at + 1]]
  if (child === undefined) return text
  if (before) return text.slice(0, endOf(before)) + text.slice(endOf(child))
  if (after) return text.slice(0, startOf(child)) + text.slice(startOf(after))
  return text.slice(0, startOf(holder) + 1) + text.slice(endOf(holder) - 1)
}

/** If an object has a key twice, the last one counts, as with JSON.parse. */
function childAt(node: Node | undefined, key: string | number): Node | undefined {
  if (typeof key === 'number') return listOf(node)[key]
  if (node?.type !== 'object') return undefined
  return node.children?.findLast((child) => nameOf(child) === key)?.children?.[1]
}

function listOf(node: Node | undefined): readonly Node[] {
  return node?.type === 'array' ? (node.children ?? []) : []
}

function nameOf(property: Node): string | undefined {
  return property.type === 'property' ? property.children?.[0]?.value : undefined
}

function startOf(node: Node | undefined): number {
  return node?.offset ?? 0
}

function endOf(node: Node | undefined): number {
  return startOf(node) + (node?.length ?? 0)
}
