/** gza among the servers that a client starts, in settings that are JSON: `mcpServers.gza`, or `mcp.gza`. */
import { getNodeValue } from 'jsonc-parser'
import { childAt, hasAll, insert, nameOf, readTree, remove } from './edit-json.ts'
import type { Edited } from './marked-block.ts'

/** The key of all servers, and the entry of gza in the form that the client reads. */
export interface JsonServer {
  key: string
  entry: Readonly<Record<string, unknown>>
}

const NAME = 'gza'

export function putJsonServer(text: string, { key, entry }: JsonServer): Edited {
  const settings = text.trim() === '' ? '{}\n' : text
  const why = whyNot(settings, key)
  if (why !== null) return { why }
  const known = childAt(childAt(readTree(settings) ?? undefined, key), NAME)
  if (known !== undefined && hasAll(getNodeValue(known), entry)) return { text }
  const clean = known === undefined ? settings : remove(settings, [key, NAME])
  const root = readTree(clean) ?? undefined
  const servers = childAt(root, key)
  if (servers !== undefined) return { text: insert(clean, servers, { depth: 2, key: NAME, value: entry }) }
  return { text: insert(clean, root, { depth: 1, key, value: { [NAME]: entry } }) }
}

/** Empty if nothing else is left. */
export function takeJsonServer(text: string, key: string): Edited {
  if (text.trim() === '') return { text }
  const why = whyNot(text, key)
  if (why !== null) return { why }
  if (childAt(childAt(readTree(text) ?? undefined, key), NAME) === undefined) return { text }
  const left = remove(text, [key, NAME])
  return { text: left.trim() === '{}' ? '' : left }
}

function whyNot(text: string, key: string): string | null {
  const root = readTree(text)
  if (root === null) return 'it is not JSON'
  if (root.type !== 'object') return 'it does not contain an object'
  const servers = childAt(root, key)
  if (servers !== undefined && servers.type !== 'object') return `its ${key} is not an object`
  const sameKeys = (root.children ?? []).filter((child) => nameOf(child) === key)
  return sameKeys.length > 1 ? 'it has the same key twice' : null
}
