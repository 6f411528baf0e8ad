import { ARCHIVE, archivedName } from '../../core/ledger/archived-name.ts'
import { compareText } from '../../core/ledger/canonical.ts'
import { assertAllowed } from '../../core/task/agent-mode.ts'
import { UserError } from '../../core/user-error.ts'
import { runGit } from '../../platform/git/git.ts'
import { listRefs, swapRefs } from '../../platform/git/refs.ts'
import { countPending } from '../../state/index/list-entries.ts'
import { archiveRef } from '../../workspace/ledger/archive-ref.ts'
import { readLedgers } from '../../workspace/ledger/read-ledger.ts'
import { ledgerRef, type Workspace } from '../../workspace/workspace.ts'

export interface PrunedLedger {
  ledger: string
  ref: string
  open: number
}

export interface PruneReport {
  archived: PrunedLedger[]
  restored: string | null
}

/** Moves the ledgers of branches that no longer exist, here and on every remote, into the archive; or restores one. */
export function pruneLedgers(ws: Workspace, options: { dryRun?: boolean; restore?: string } = {}): PruneReport {
  assertAllowed('prune', ws.actor)
  if (options.restore !== undefined) return { archived: [], restored: restore(ws, options.restore) }
  const tips = new Map(orphans(ws))
  const archived = readLedgers(ws, [...tips.keys()]).map(({ row: { ledger, lid } }) => {
    const ref = archiveRef(ws.repo, ledger)
    const open = countPending(ws.state, lid)
    const tip = tips.get(ledger) as string
    if (!options.dryRun) moveRef(ws, ledgerRef(ledger), ref, tip, `archive ${ledger}, whose branch is gone`)
    return { ledger, ref, open }
  })
  return { archived, restored: null }
}

function orphans(ws: Workspace): [ledger: string, tip: string][] {
  const branches = new Set<string>(checkedOut(ws))
  for (const ref of listRefs(ws.repo, 'refs/heads/', 'refs/remotes/').keys()) {
    branches.add(ref.replace(/^refs\/heads\/|^refs\/remotes\/[^/]+\//, ''))
  }
  return [...listRefs(ws.repo, 'refs/tasks/')]
    .map(([ref, tip]): [string, string] => [ref.slice('refs/tasks/'.length), tip])
    .filter(([ledger]) => !branches.has(ledger) && ledger !== ws.namedLedger)
}

/** Branches that some worktree is on: a branch without a commit has no ref. */
function checkedOut(ws: Workspace): string[] {
  const text = runGit(ws.repo, ['worktree', 'list', '--porcelain']).toString()
  return [...text.matchAll(/^branch refs\/heads\/(.+)$/gm)].map(([, branch]) => branch ?? '')
}

function restore(ws: Workspace, name: string): string {
  const archive = listRefs(ws.repo, ARCHIVE)
  // Of several with that name the last; the others can be named by their refs.
  const found = [...archive]
    .filter(([ref]) => ref === name || archivedName(ref) === name)
    .sort(([a], [b]) => a.length - b.length || compareText(a, b))
    .at(-1)
  if (!found) {
    const known = new Set([...archive.keys()].map(archivedName))
    const hint = known.size === 0 ? 'The archive is empty.' : `Archived: ${[...known].join(', ')}`
    throw new UserError('NOT_ARCHIVED', `No archived ledger '${name}'`, { hint })
  }
  const [ref, tip] = found
  const ledger = archivedName(ref)
  if (!moveRef(ws, ref, ledgerRef(ledger), tip, `restore ${ledger}`)) {
    throw new UserError('LEDGER_EXISTS', `${ledger} already has a new ledger`, {
      hint: `Nothing was changed. Both exist: refs/tasks/${ledger} and ${ref}`,
    })
  }
  return ledger
}

function moveRef(ws: Workspace, from: string, to: string, tip: string, message: string): boolean {
  const moves = [
    { ref: to, to: tip, from: null },
    { ref: from, to: null, from: tip },
  ]
  return swapRefs(ws.repo, moves, `gza: ${message}`)
}
