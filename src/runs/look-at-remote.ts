/**
 * Before a run is recovered or a task is repeated, gza fetches: another clone may have taken the task, or finished it, and
 * this machine may have been off meanwhile. Nobody asked for that, so it asks no questions and does not take long.
 */
import { type Sentence, sentence } from '../core/sentence.ts'
import type { Task } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import { fetchLedgers } from '../ledger/remote.ts'
import { runGit } from '../platform/git/git.ts'
import { withoutQuestions } from '../platform/git/remote-git.ts'
import { joinRemoteLedger } from '../tasks/join-remote-ledger.ts'
import { chooseRemote } from '../workspace/choose-remote.ts'
import { isUnreadable, ledgerNames } from '../workspace/ledger/read-ledger.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Ending a fetch that is too slow takes up to two more seconds: at most ten in all. */
const LIMIT = { seconds: 8, of: 'all' } as const

/** What was fetched a minute ago is recent enough. A remote that did not answer is not asked again for every task. */
const RECENT_MS = 60_000

const LOOKED = new WeakMap<Workspace['stores'], number>()

/** Would a run of the task repeat one, without knowing what others have done since? */
export function isBlindRepeat(ws: Workspace, { runs }: Pick<Task, 'runs'>): boolean {
  return runs.length > 0 && !hasLooked(ws) && hasRemote(ws)
}

/** Without one there is nothing to look at, and a task is repeated in its turn. */
function hasRemote({ repo, stores }: Workspace): boolean {
  if (runGit(repo, ['remote']).length > 0) return true
  LOOKED.set(stores, performance.now())
  return false
}

function hasLooked({ stores }: Workspace): boolean {
  return performance.now() - (LOOKED.get(stores) ?? Number.NEGATIVE_INFINITY) < RECENT_MS
}

/** Joins what the remote has of the ledgers here. Returns a sentence if it could not. */
export async function lookAtRemote(ws: Workspace): Promise<Sentence | null> {
  if (hasLooked(ws)) return null
  try {
    if (hasRemote(ws)) await joinRemote(ws)
    return null
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return sentence`Could not look for newer tasks first: ${error.fact}. Another clone may have done the same work.`
  } finally {
    LOOKED.set(ws.stores, performance.now())
  }
}

async function joinRemote(ws: Workspace): Promise<void> {
  const remote = chooseRemote(ws, ws.namedLedger)
  const tips = await fetchLedgers(withoutQuestions(ws.repo), remote, LIMIT)
  for (const ledger of ledgerNames(ws)) {
    const theirs = tips.get(ledger)
    if (theirs !== undefined) joinReadable(ws, { ledger, theirs, remote })
  }
}

function joinReadable(ws: Workspace, copy: Parameters<typeof joinRemoteLedger>[1]): void {
  try {
    joinRemoteLedger(ws, copy)
  } catch (error) {
    if (!isUnreadable(error)) throw error
    ws.warnings.push(sentence`The tasks of ${copy.ledger} on ${copy.remote} are ignored: ${error.fact}`)
  }
}
