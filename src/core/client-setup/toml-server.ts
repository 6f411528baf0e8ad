/** gza among the servers that codex starts: the table `mcp_servers.gza` of its TOML. */
import { hasAll } from './edit-json.ts'
import type { Edited } from './marked-block.ts'

/** Reads TOML, and fails if it is none. Passed in, because it comes with the runtime. */
export type ReadToml = (text: string) => unknown

const HEADER = '[mcp_servers.gza]'
const BODY = [HEADER, 'command = "gza"', 'args = ["mcp"]']
const ENTRY = { command: 'gza', args: ['mcp'] }

export function putTomlServer(text: string, read: ReadToml): Edited {
  const settings = settingsIn(text, read)
  if ('why' in settings) return settings
  if (hasAll(settings.gza, ENTRY)) return { text }
  const clean = settings.gza === undefined ? { text } : takeTomlServer(text, read)
  return 'why' in clean ? clean : { text: withBlock(clean.text) }
}

export function takeTomlServer(text: string, read: ReadToml): Edited {
  const settings = settingsIn(text, read)
  if ('why' in settings) return settings
  if (settings.gza === undefined) return { text }
  const left = withoutBlock(text)
  const after = settingsIn(left, read)
  // A table can be written in many ways. What is left must be what was there, without gza.
  const isRest = !('why' in after) && after.gza === undefined && isEqual(after.others, settings.others)
  return isRest ? { text: left } : { why: `its mcp_servers.gza is not a table of its own, ${HEADER}` }
}

/** The end of the text is kept unchanged, so that removing the block again leaves no trace. */
function withBlock(text: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const block = BODY.join(eol)
  if (text === '') return block + eol
  return text.endsWith('\n') ? `${text}${eol}${block}${eol}` : `${text}${eol}${eol}${block}`
}

/** From its header to the next one that is not of a table inside of it. */
function withoutBlock(text: string): string {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => IS_OURS.test(line))
  if (start < 0) return text
  const next = lines.findIndex((line, at) => at > start && IS_HEADER.test(line) && !IS_OURS.test(line))
  const isLast = next < 0
  const before = lines.slice(0, start)
  // The empty line that was put before it.
  if (before.at(-1)?.trim() === '' && before.length > 1) before.pop()
  const gap = before.length > 0 && (!isLast || text.endsWith('\n')) ? [''] : []
  const left = [...before, ...gap, ...(isLast ? [] : lines.slice(next))].join('\n')
  return isLast && !text.endsWith('\n') ? left.replace(/\r$/, '') : left
}

const IS_HEADER = /^\s*\[/
const IS_OURS = /^\s*\[\s*mcp_servers\s*\.\s*(?:gza|"gza"|'gza')\s*[.\]]/

interface Settings {
  gza: unknown
  others: unknown
}

function settingsIn(text: string, read: ReadToml): Settings | { why: string } {
  try {
    const { mcp_servers = {}, ...rest } = read(text) as { mcp_servers?: Record<string, unknown> }
    const { gza, ...servers } = mcp_servers
    return { gza, others: { rest, servers } }
  } catch {
    return { why: 'it is not TOML that gza can read' }
  }
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
