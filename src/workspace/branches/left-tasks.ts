/**
 * Open tasks on branches that are merged, renamed or gone: nobody works on such a branch, so nobody would look there.
 * Lists ask this each time. It reads git's files and the index; git itself is asked only after a branch has moved.
 */

import { type Command, command } from '../../core/sentence.ts'
import { tryGit } from '../../platform/git/git.ts'
import { readHead, readRef } from '../../platform/git/refs.ts'
import { listWorktrees } from '../../platform/git/worktrees.ts'
import { isKnownContained, setContained } from '../../state/index/ledger-rows.ts'
import { countOpen, hasTasks } from '../../state/index/list-entries.ts'
import { isUnwritable } from '../../state/store-faults.ts'
import { inLock } from '../../state/write-lock.ts'
import { currentIfReadable } from '../ledger/read-ledger.ts'
import { ledgerRef, type Workspace } from '../workspace.ts'
import { firstCommitOf, isTracked, namesBelow, renamedTo, renamesAmong } from './branch-files.ts'

/** The open tasks of one branch. */
export interface LeftTasks {
  ledger: string
  open: number
  why: 'merged' | 'deleted' | 'renamed'
  /** Where they should be: the new name of the branch, or the current ledger. */
  to: string
}

export function findLeftTasks(ws: Workspace): LeftTasks[] {
  if (ws.namedLedger === null) return []
  // A renamed branch has no ledger yet: then also finished tasks of its old name matter.
  const unused = unusedLedgers(ws, { finished: readRef(ws.repo, ledgerRef(ws.ledger)) === null })
  const merged = mergedBranches(
    ws,
    unused.map(({ ledger }) => ledger),
  )
  return unused.flatMap(({ ledger, open }) => {
    const fate = merged.has(ledger) ? ({ why: 'merged', to: ws.ledger } as const) : fateOfBranch(ws, ledger)
    return fate === null || (open === 0 && fate.why !== 'renamed') ? [] : [{ ledger, open, ...fate }]
  })
}

/** Ledgers with tasks whose branch has another name now. */
export function renamedBranches(ws: Workspace): LeftTasks[] {
  // Mostly no branch was ever renamed, and then no ledger needs a look.
  if (renamesAmong(ws.repo, namesBelow(ws.repo, 'refs/heads/').slice(0, MOST_LOGS)).size === 0) return []
  return unusedLedgers(ws, { finished: true }).flatMap(({ ledger, open }) => {
    const to = newNameOf(ws, ledger)
    return to === null ? [] : [{ ledger, open, why: 'renamed' as const, to }]
  })
}

/** Other ledgers with open tasks, or with any, whose branch is checked out nowhere. */
function unusedLedgers(ws: Workspace, { finished }: { finished: boolean }): { ledger: string; open: number }[] {
  const others = namesBelow(ws.repo, 'refs/tasks/').filter((ledger) => ledger !== ws.namedLedger)
  const open = others.flatMap((ledger) => {
    const row = currentIfReadable(ws, ledger)
    if (row === null || row.lid < 0) return []
    const count = countOpen(ws.state, row.lid)
    return count > 0 || (finished && hasTasks(ws.state, row.lid)) ? [{ ledger, open: count }] : []
  })
  if (open.length === 0) return []
  const head = readHead(ws.repo)
  const inUse = new Set(listWorktrees(ws.repo).map(({ branch }) => branch))
  if (head.kind === 'branch') inUse.add(head.branch)
  return open.filter(({ ledger }) => !inUse.has(ledger))
}

/** `gza move --open --from feature --to main`. Every task of a renamed branch moves. */
export function moveCommand({ ledger, why, to }: LeftTasks): Command {
  if (why === 'renamed') return command`move --all --from ${ledger} --to ${to}`
  return command`move --open --from ${ledger} --to ${to}`
}

/** In a clone that does not fetch all branches, a branch that is missing may be on the remote: that is not reported. */
function fateOfBranch(ws: Workspace, ledger: string): Pick<LeftTasks, 'why' | 'to'> | null {
  if (readRef(ws.repo, `refs/heads/${ledger}`) !== null) return null
  const name = newNameOf(ws, ledger)
  if (name !== null) return { why: 'renamed', to: name }
  return isTracked(ws.repo, ledger) === false ? { why: 'deleted', to: ws.ledger } : null
}

function newNameOf({ repo }: Workspace, ledger: string): string | null {
  if (readRef(repo, `refs/heads/${ledger}`) !== null) return null
  const name = renamedTo(repo, ledger, { among: namesBelow(repo, 'refs/heads/').slice(0, MOST_LOGS) })
  return name !== null && readRef(repo, `refs/heads/${name}`) !== null ? name : null
}

/** The logs of branches are read one by one. */
const MOST_LOGS = 100

/** Branches with commits of their own, all of which the current ledger's branch contains. */
function mergedBranches(ws: Workspace, branches: readonly string[]): Set<string> {
  if (branches.length === 0) return new Set()
  const base = readRef(ws.repo, `refs/heads/${ws.ledger}`) ?? readHead(ws.repo).oid
  if (base === null) return new Set()
  const tips = branches.flatMap((branch) => {
    const tip = readRef(ws.repo, `refs/heads/${branch}`)
    const first = tip === null ? null : firstCommitOf(ws.repo, branch)
    return tip === null || first === null || first === tip ? [] : [{ branch, tip }]
  })
  const contained = containedIn(ws, base, tips)
  return new Set(tips.filter(({ tip }) => contained.has(tip)).map(({ branch }) => branch))
}

interface Tip {
  branch: string
  tip: string
}

function containedIn(ws: Workspace, base: string, tips: readonly Tip[]): Set<string> {
  const known = tips.map((each) => ({ ...each, is: each.tip === base || isKnownContained(ws.state, each.tip, base) }))
  const asked = known.filter(({ is }) => is === null)
  const found = new Set(known.filter(({ is }) => is).map(({ tip }) => tip))
  if (asked.length === 0) return found
  const refs = asked.map(({ branch }) => `refs/heads/${branch}`)
  const exit = tryGit(ws.repo, ['for-each-ref', `--merged=${base}`, '--format=%(objectname)', ...refs])
  if (exit.code !== 0) return found
  const merged = new Set(exit.stdout.toString().split('\n'))
  for (const { tip } of asked) if (merged.has(tip)) found.add(tip)
  remember(ws, base, new Map(asked.map(({ tip }) => [tip, merged.has(tip)])))
  return found
}

function remember(ws: Workspace, base: string, answers: ReadonlyMap<string, boolean>): void {
  try {
    inLock(ws.state, () => setContained(ws.state, base, answers), REMEMBER_WAIT_MS)
  } catch (error) {
    // Not remembered: the next list asks again.
    if (!isUnwritable(error) && (error as { code?: string }).code !== 'LEDGER_BUSY') throw error
  }
}

const REMEMBER_WAIT_MS = 50
