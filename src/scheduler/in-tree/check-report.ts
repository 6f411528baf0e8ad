/** Checks what an agent reports after working in a person's own tree. */
import type { FailureReason } from '../../core/run/run-rules.ts'
import type { Task } from '../../core/task/task.ts'
import { printable } from '../../core/text/printable.ts'
import type { CheckPlan } from '../../engine/check/check-plan.ts'
import { checkWork } from '../../engine/check/check-work.ts'
import { readOwnChanges } from '../../engine/isolation/agent-box/own-changes.ts'
import { readChanges } from '../../engine/isolation/agent-box/read-changes.ts'
import type { RunIsolation } from '../../engine/isolation/agent-box/run-level.ts'
import type { RunPlan } from '../../engine/phase/run-plan.ts'
import { changedFilesNow } from '../../engine/worktree/workplace.ts'
import { isAncestor } from '../../ledger/links.ts'
import { readHead } from '../../platform/git/refs.ts'
import type { Change } from '../../platform/git/uncommitted.ts'
import { openChildren } from '../../runs/workable.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import { readLinkedLedger } from '../../workspace/links/read-linked-ledger.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { isolationToLook } from './tree-isolation.ts'

export interface ReportFailure {
  reason: FailureReason
  detail: string
}

export interface Place {
  branch: string | null
  /** HEAD before the agent was called. */
  head: string
  /** The agent was in a box. */
  isBoxed: boolean
  /** What this machine can look at its files in. */
  isolation: RunIsolation
}

/** An agent may divide its task into parts. The parts then complete the task, and this run has done its share. */
export function isBrokenDown(ws: Workspace, { uid }: Task): boolean {
  return openChildren(readLedger(ws), uid).length > 0
}

/** Null if the task is marked done, committed on this branch, and the tree is clean. Otherwise why not. */
export async function whyNotDone(
  ws: Workspace,
  task: Task,
  { branch, head, isBoxed, isolation }: Place,
): Promise<ReportFailure | null> {
  const { repo } = ws
  // In the box too: the person's filters may be programs of the tree.
  const dirty = isBoxed ? dirtyWords(await readChanges(repo, repo.workTree ?? repo.dir)) : await whyDirty(ws, isolation)
  const strange = dirty ?? whyElsewhere(ws, branch)
  if (strange !== null) return { reason: 'dirty-tree', detail: strange }
  const { row } = readLinkedLedger(ws)
  const isBroken = isBrokenDown(ws, task)
  if (!isBroken && taskOf(ws.state, row.lid, task.uid)?.status !== 'completed')
    return { reason: 'not-done', detail: 'the agent did not mark the task done' }
  const tip = readHead(ws.repo).oid ?? head
  const noCommit = isBroken ? null : NO_COMMIT
  if (head === ws.repo.zeroOid) return tip === head ? noCommit : null
  if (!isAncestor(ws.repo, head, tip))
    return { reason: 'outside-changes', detail: `earlier commits are gone: ${head.slice(0, 10)}` }
  return changedFilesNow(ws.repo, head, tip).length === 0 ? noCommit : null
}

const NO_COMMIT: ReportFailure = {
  reason: 'no-changes',
  detail: 'it was marked done without a commit that changes anything',
}

/** The uncommitted changes in the tree as text; null if there are none. */
export async function whyDirty({ repo }: Workspace, found: RunIsolation): Promise<string | null> {
  return dirtyWords(await readOwnChanges(repo, isolationToLook(repo, found)))
}

function dirtyWords([first, ...rest]: readonly Change[]): string | null {
  const more = rest.length > 0 ? ` and ${rest.length} more` : ''
  return first === undefined ? null : `The working tree has uncommitted changes: ${printable(first.path)}${more}`
}

/** Why the tree is not on that branch; null if it is, or if it was on none. */
export function whyElsewhere({ repo }: Workspace, branch: string | null): string | null {
  const head = readHead(repo)
  const now = head.kind === 'branch' ? head.branch : null
  return branch === null || now === branch ? null : `The checkout is on ${now ?? 'no branch'} and not on ${branch}`
}

/** The checks of the configuration, on exactly the commit that the agent reported as done. */
export async function whyNotPassed(
  ws: Workspace,
  plan: RunPlan,
  place: Pick<CheckPlan, 'env' | 'cancel' | 'enclose'>,
): Promise<ReportFailure | null> {
  const { run, task } = plan.subject
  const { files_to_create = [], test_files = [] } = task
  const { failure } = await checkWork({
    repo: ws.repo,
    path: ws.repo.workTree ?? ws.repo.dir,
    commit: readHead(ws.repo).oid ?? ws.repo.zeroOid,
    filesToCreate: files_to_create,
    testFiles: test_files,
    testCommand: plan.verify.test_command,
    command: plan.verify.command,
    timeoutMs: plan.verify.timeout_minutes * 60_000,
    marker: run,
    ...place,
  })
  if (failure === null) return null
  if (failure.what === 'cancelled') return { reason: 'interrupted', detail: 'stopped by a person' }
  return { reason: 'verify-failed', detail: `${failure.what}: ${failure.detail}` }
}
