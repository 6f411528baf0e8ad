import { presentCommits, unreachableCommits } from '../../ledger/moved-commits.ts'
import { linkedCommits } from '../../state/index/find-entries.ts'
import type { LedgerView } from '../ledger/ledger-view.ts'

/** A link to a commit that is no longer there: on no branch here, or not in this clone at all. */
export interface LostLink {
  id: string
  number: number
  commit: string
  state: 'unreachable' | 'missing'
}

/**
 * The links of a ledger that name no commit of a branch, a tag or a HEAD. A commit that is missing may be in the clone
 * of the person who made it.
 */
export function lostLinks({ ws, row }: LedgerView): LostLink[] {
  const linked = linkedCommits(ws.state, row.lid)
  const commits = [...new Set(linked.map(({ commit }) => commit))]
  const present = presentCommits(ws.repo, commits)
  const [here, unreachable] = [new Set(present), unreachableCommits(ws.repo, present)]
  return linked.flatMap(({ id, number, commit }): LostLink[] => {
    if (!here.has(commit)) return [{ id, number, commit, state: 'missing' }]
    return unreachable.has(commit) ? [{ id, number, commit, state: 'unreachable' }] : []
  })
}
