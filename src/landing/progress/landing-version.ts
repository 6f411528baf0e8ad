/** What a person saw of work that waits to land: they land exactly that, or nothing. */
import type { Config } from '../../core/config/settings.ts'
import { UserError } from '../../core/user-error.ts'
import { reviewsOf } from '../../state/index/dependency-rows.ts'
import { loadConfiguration } from '../../workspace/config/configuration.ts'
import { versionOf } from '../../workspace/expected-version.ts'
import { findTask, type LedgerView, numberOf } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import type { Expected, Workspace } from '../../workspace/workspace.ts'
import { queuedWork } from '../read-queue.ts'

type Queued = ReturnType<typeof queuedWork>[number]

/** Changes with the last commit, with the tasks of the branch, with their reviews, and with what keeps it from landing. */
export function landingVersion(view: LedgerView, { item, landable }: Queued): string {
  const { tasks, tip, approval, guarded, changedRefs = null } = landable
  const { state } = view.ws
  const uids = tasks.flatMap(({ uid }) => [uid, ...reviewsOf(state, view.row.lid, uid)])
  const facts = [item.branch, item.base, item.code, item.outside, item.weakened, tip, approval, guarded, changedRefs]
  const text = JSON.stringify([...facts, ...uids.map((uid) => versionOf(view, uid))])
  return new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 16)
}

/** The work of a task in the queue, or else what its branch has there; null: nothing of it waits to land. */
export function queuedOf(view: LedgerView, config: Config, { uid, branch }: QueuedName): Queued | null {
  const all = queuedWork(view, config)
  const own = all.find(({ landable }) => landable.tasks.some((task) => task.uid === uid))
  return own ?? all.find(({ item }) => item.branch === branch) ?? null
}

interface QueuedName {
  uid: string
  branch?: string | null | undefined
}

/** Throws if one of them is no longer as it was seen. The sentence says how it is now. */
export async function assertLandingUnchanged(ws: Workspace, seen: readonly Expected[]): Promise<void> {
  const config = await loadConfiguration(ws)
  const view = readLedger(ws)
  for (const { ref, version } of seen) {
    const task = findTask(view, ref)
    const now = queuedOf(view, config, task)
    if (now === null || landingVersion(view, now) !== version) throw changedSince(numberOf(view, task), now)
  }
}

function changedSince(number: number, now: Queued | null): UserError {
  const at = now?.landable.tip ? `, at ${now.landable.tip.slice(0, 10)}` : ''
  const state = now === null ? 'nothing of it waits to land' : `it ${now.item.detail}${at}`
  return new UserError('TASK_CHANGED', `The work of #${number} has changed since you looked at it: now ${state}`, {
    hint: 'Nothing was done. Look at it again, then decide.',
  })
}
