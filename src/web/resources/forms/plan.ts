import { planWork } from '../../../scheduler/choose/plan-work.ts'
import { versionOf } from '../../../workspace/expected-version.ts'
import { findTask } from '../../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../../workspace/ledger/read-ledger.ts'
import type { Workspace } from '../../../workspace/workspace.ts'
import { defineResource } from '../resource.ts'

/** What `work --dry-run` says: what would run, in which order, and why other tasks would not. */
export default defineResource({
  path: 'plan',
  read: async (ws, { query }) => {
    const refs = query.getAll('ref')
    const [agent, workers] = [query.get('agent'), Number(query.get('workers'))]
    const plan = await planWork(ws, {
      ...{ refs, all: refs.length === 0 },
      ...(agent && { agent }),
      ...(workers > 0 && { workers: Math.min(64, Math.floor(workers)) }),
    })
    return { ...plan, seen: seenOf(ws, refs) }
  },
})

/** The named tasks as they are now: the start names what was shown. */
function seenOf(ws: Workspace, refs: readonly string[]): { ref: string; version: string }[] {
  const view = readLedger(ws)
  return refs.map((ref) => ({ ref, version: versionOf(view, findTask(view, ref).uid) }))
}
