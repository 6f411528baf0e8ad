import { placeAt } from '../../platform/git/own-git.ts'
import { type CheckReport, checkWork } from '../check/check-work.ts'
import { committedFiles } from '../check/missing-files.ts'
import { checksHaveNetwork } from '../isolation/agent-box/command-box.ts'
import { openRunWindow } from '../isolation/agent-box/run-window.ts'
import { placedIn } from '../set-up/set-up-worktree.ts'
import type { Workplace } from '../worktree/workplace.ts'
import type { RunContext } from './run-context.ts'
import type { RunPlan, RunResult } from './run-plan.ts'
import { failed, stoppedByPerson } from './run-result.ts'

/** Runs the checks of the task on a commit, no matter who made it. Null: it passes. */
export async function whyCommitFails(
  plan: RunPlan,
  context: RunContext,
  workplace: Workplace,
  commit: string,
): Promise<RunResult | null> {
  context.recorder.progress({ phase: 'verify' })
  const { failure, steps } = await checkCommit(plan, context, workplace, commit)
  if (failure === null) return null
  const at = context.host.now()
  if (failure.what === 'cancelled') return stoppedByPerson(at, { head: commit })
  const result = failed(at, 'verify-failed', `${failure.what}: ${failure.detail}`, { head: commit })
  return { ...result, ...failedOnTree(steps) }
}

/** Whether it was the command for the whole tree that failed, and not a rule or a test of the task. */
export function failedOnTree(steps: CheckReport['steps']): Pick<RunResult, 'failedOnTree'> {
  return steps.at(-1)?.name === 'command' ? { failedOnTree: true } : {}
}

export async function checkCommit(
  plan: RunPlan,
  context: RunContext,
  { path }: Workplace,
  commit: string,
): Promise<CheckReport> {
  const { subject, verify } = plan
  const { host, slot, recorder } = context
  const { files_to_create = [], test_files = [] } = subject.task
  const { command, test_command } = verify
  const hasCommand = command !== null || test_command !== null
  const placed = committedFiles(placeAt(host.repo, path), commit, placedIn(host.repo, path))
  if (placed.length > 0) {
    const detail = `gza put this into the worktree only for this run, and it must not be committed: ${placed.join(', ')}`
    return { ok: false, commit, failure: { what: 'setup-committed', detail }, counts: null, steps: [] }
  }
  // Everything is committed by now. Without a command to run, the tree cannot differ from this commit.
  if (!hasCommand && files_to_create.length + test_files.length === 0)
    return { ok: true, commit, failure: null, counts: null, steps: [] }
  const network = checksHaveNetwork(verify, host.isolation)
  const window = hasCommand ? openRunWindow(plan, context, { cwd: path, network }) : null
  const checks = {
    repo: host.repo,
    path,
    commit,
    filesToCreate: files_to_create,
    testFiles: test_files,
    testCommand: test_command,
    command,
    timeoutMs: verify.timeout_minutes * 60_000,
    env: window?.env ?? host.env,
    ...(window?.enclose && { enclose: window.enclose }),
    marker: subject.run,
    cancel: slot.cancel,
  }
  const report = await slot
    .yieldWhile(() => (hasCommand ? slot.whileLocked(verify.locks, () => checkWork(checks)) : checkWork(checks)))
    .finally(() => {
      for (const line of window?.close() ?? []) recorder.remark('verify', line)
    })
  recorder.recordPhase({ kind: 'checked', phase: 'verify', commit, ok: report.ok, steps: report.steps })
  return report
}
