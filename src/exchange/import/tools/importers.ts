import { backlog } from './backlog-md.ts'
import { beads } from './beads.ts'
import { github } from './github-issues.ts'
import type { Importer, Tool } from './importer.ts'
import { taskMaster } from './task-master.ts'

/** In the order of recognition, for a file that several tools could have written. */
export const IMPORTERS: readonly Importer[] = [beads, taskMaster, backlog, github]

export function importerOf(tool: Tool): Importer {
  const found = IMPORTERS.find((importer) => importer.tool === tool)
  if (found === undefined) throw new Error(`no importer reads ${tool}`)
  return found
}
