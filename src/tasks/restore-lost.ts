/** Joins back what a ledger has lost to something other than gza: `gza restore --lost`. */
import { isStandIn, readName } from '../core/ledger/archived-name.ts'
import { assertAllowed } from '../core/task/agent-mode.ts'
import { SYNCED } from '../ledger/remote.ts'
import { runGit } from '../platform/git/git.ts'
import { listRefs, readMadeMoves, readRef } from '../platform/git/refs.ts'
import { indexedLedgers } from '../state/index/ledger-rows.ts'
import { isUnreadable, ledgerNames, readOtherLedger } from '../workspace/ledger/read-ledger.ts'
import { forgetFoundTips, type LostTip, lostTips, tipsNotIn } from '../workspace/lost/lost-tips.ts'
import { ledgerRef, type Workspace } from '../workspace/workspace.ts'
import { joinRemoteLedger } from './join-remote-ledger.ts'

export interface RestoredLedger {
  ledger: string
  /** The commits that were joined back. */
  tips: string[]
  /** Commits that it had and that git has collected meanwhile. Only another clone or a backup can have them. */
  gone: string[]
  /** How many tasks the ledger had before, and has now. */
  task_count_before: number
  task_count: number
}

/** Looks in the reflogs, in what was synced, and in what the index read before. */
export function restoreLost(ws: Workspace, options: { only?: string | undefined } = {}): RestoredLedger[] {
  assertAllowed('restore', ws.actor)
  const names = new Set([...ledgerNames(ws), ...syncedTips(ws).map(({ ledger }) => ledger)])
  // First: reading a ledger makes the index compare what it knew with what is there.
  for (const ledger of [...indexedLedgers(ws.state), ...lostTips(ws.repo).map((lost) => lost.ledger)]) names.add(ledger)
  const wanted = [...names].filter((ledger) => (options.only ?? ledger) === ledger && !isStandIn(ledger))
  const restored = wanted.flatMap((ledger) => restoreOne(ws, ledger))
  const told = restored.flatMap(({ gone }) => gone)
  forgetFoundTips(ws.repo, told)
  return restored
}

function restoreOne(ws: Workspace, ledger: string): RestoredLedger[] {
  const task_count_before = countTasks(ws, ledger)
  const joined = tipsToJoin(ws, ledger).filter((theirs) => {
    const result = joinRemoteLedger(ws, { ledger, theirs, remote: `the lost ${theirs.slice(0, 7)}` })
    return result === 'joined' || result === 'pulled'
  })
  const gone = lostTips(ws.repo).flatMap((loss) => (loss.isGone && loss.ledger === ledger ? [loss.tip] : []))
  if (joined.length + gone.length === 0) return []
  return [{ ledger, tips: joined, gone, task_count_before, task_count: countTasks(ws, ledger) }]
}

function countTasks(ws: Workspace, ledger: string): number {
  try {
    return readOtherLedger(ws, ledger).row.tasks
  } catch (error) {
    if (isUnreadable(error)) return 0
    throw error
  }
}

/** The newest of the tips that the ledger had and does not contain. */
function tipsToJoin(ws: Workspace, ledger: string): string[] {
  const known = [
    ...lostTips(ws.repo),
    ...syncedTips(ws),
    ...readMadeMoves(ws.repo, ledgerRef(ledger)).map(({ commit }) => ({ ledger, tip: commit })),
  ]
  const tips = [...new Set(known.filter((each) => each.ledger === ledger).map(({ tip }) => tip))]
  const now = readRef(ws.repo, ledgerRef(ledger))
  const lost = tipsNotIn(ws.repo, { ledger, now }, tips)
  return lost.length < 2 ? lost : newestOf(ws, lost)
}

function syncedTips({ repo }: Workspace): LostTip[] {
  return [...listRefs(repo, SYNCED)].map(([ref, tip]) => ({
    ledger: readName(ref.slice(ref.lastIndexOf('/') + 1)),
    tip,
  }))
}

/** Without those that another one contains. */
function newestOf({ repo }: Workspace, tips: readonly string[]): string[] {
  return runGit(repo, ['merge-base', '--independent', ...tips])
    .toString()
    .split('\n')
    .filter(Boolean)
}
