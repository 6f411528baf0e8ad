import { type SearchResult, searchTasks } from '../../../workspace/search/search-tasks.ts'
import type { Workspace } from '../../../workspace/workspace.ts'
import type { CallContext } from '../../call-context.ts'
import type { OutputFlags } from '../../flags/output-flags.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { printFields } from '../../print-fields.ts'
import { NOTHING_MATCHES } from '../../render/look/list.ts'
import { moreFound, renderFound } from '../../render/look/search.ts'
import { printResult } from '../../terminal/print.ts'
import { searchProgress } from '../../terminal/search-progress.ts'

interface Flags extends OutputFlags {
  not?: readonly string[]
  all: boolean
  'all-branches': boolean
}

/** The best are what people look for. */
const SHOWN = 20

export default async function search(this: CallContext, flags: Flags, ...words: readonly string[]): Promise<void> {
  const { json, not, all, 'all-branches': allBranches } = flags
  const limit = flags.limit ?? (json ? undefined : SHOWN)
  const options = { line: words.join(' '), not, all, allBranches, limit }
  const { progress } = await searchProgress(this)
  const find = (ws: Workspace) => searchTasks(ws, options, progress)
  if (flags.fields !== undefined)
    return printFields(this, flags, { kind: 'found', read: (ws) => find(ws).found, spansLedgers: allBranches })
  const result = await inWorkspace(this, flags, find, { spansLedgers: allBranches })
  printResult(this, flags, result.found, renderFound(result.found, this.display, { ledgers: allBranches }))
  if (!json) for (const line of remarks(result)) this.err.write(`${line}\n`)
}

function remarks(result: SearchResult): string[] {
  const { found, unknown } = result
  if (found.length > 0) return moreFound(result)
  return [NOTHING_MATCHES, ...unknown.map((name) => `'${name}:' is not a field, so it was searched for as text.`)]
}
