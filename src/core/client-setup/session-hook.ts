/** gza's command among the hooks that a client runs when a session starts: `hooks.SessionStart` of its settings. */
import { getNodeValue, type Node, parseTree } from 'jsonc-parser'
import { childAt, insert, type JsonPath, listOf, nameOf, remove } from './edit-json.ts'
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

interface OurHook {
  path: JsonPath
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
  for (let found = ourHooks(left)[0]; found; found = ourHooks(left)[0]) left = remove(left, found.path, aboveHook)
  return left
}

/** An entry is removed with the last of its hooks, including its matcher. */
function aboveHook(path: JsonPath): JsonPath {
  return path.slice(0, path.length === 5 ? 3 : -1)
}
