import { join } from 'node:path'
import { z } from 'zod'
import { readTextIfThere, writeText } from '../platform/files/files.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** A file before and after gza set up a client in it; by its path. */
const schema = z.record(z.string(), z.object({ before: z.string(), after: z.string() }))

type SetupMemory = z.infer<typeof schema>

/** The text of the file before it changed to this one; null if that is unknown. */
export function textBefore(ws: Workspace, path: string, after: string): string | null {
  const known = read(ws)[path]
  return known?.after === after ? known.before : null
}

/** Null forgets the file. */
export function rememberBefore(ws: Workspace, path: string, texts: SetupMemory[string] | null): void {
  const { [path]: known, ...others } = read(ws)
  if (texts === null && known === undefined) return
  const memory = texts === null ? others : { ...others, [path]: texts }
  writeText(pathIn(ws), `${JSON.stringify(memory)}\n`)
}

/** It may be lost, like all state. */
function read(ws: Workspace): SetupMemory {
  try {
    return schema.parse(JSON.parse(readTextIfThere(pathIn(ws)) ?? '{}'))
  } catch {
    return {}
  }
}

function pathIn({ repo }: Workspace): string {
  return join(repo.commonDir, 'gza', 'setup.json')
}
