import { commitOrNull } from '../../core/ledger/stored-names.ts'
import { command, sentence } from '../../core/sentence.ts'
import type { Task } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { tryGit } from '../../platform/git/git.ts'
import { landedRange, shownTip, type WorkRange } from '../../workspace/ledger/landed-range.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { landBase } from '../land-base.ts'

/** Overrides a person's display settings, so that `git apply` accepts the output. */
export const PLAIN = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--submodule=short',
]

export interface ShownRange extends WorkRange {
  landed: boolean
}

/** A task's work: its branch compared with the point where it left the base, or what has landed of it. */
export function shownRange(view: LedgerView, task: Task): ShownRange {
  return alreadyLanded(view, task) ?? branchRange(view, task) ?? closedRange(view.ws, task)
}

function alreadyLanded(view: LedgerView, task: Task): ShownRange | null {
  const range = landedRange(view, task)
  return range && { ...range, landed: true }
}

function branchRange(view: LedgerView, task: Task): ShownRange | null {
  const { ws } = view
  const tip = shownTip(view, task)
  if (tip === null) return null
  const fork = tryGit(ws.repo, ['merge-base', landBase(ws).tip, tip])
  return fork.code === 0 ? { from: fork.stdout.toString().trim(), to: tip, landed: false } : null
}

/** Work that was done on the base itself. */
function closedRange({ repo }: Workspace, { id, closed_commit: written }: Task): ShownRange {
  const closed_commit = commitOrNull(written)
  const parent =
    closed_commit === null ? null : tryGit(repo, ['rev-parse', '--verify', '--quiet', `${closed_commit}^1`])
  if (closed_commit === null || parent?.code !== 0)
    throw new UserError('NO_WORK', `${id} has no commits yet`, {
      hint: sentence`${command`work`} starts on what is ready`,
    })
  return { from: parent.stdout.toString().trim(), to: closed_commit, landed: true }
}
