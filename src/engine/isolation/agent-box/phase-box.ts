/** The box of one agent call, and what its import means for the call. */
import type { Repo } from '../../../platform/git/find-repo.ts'
import type { Env } from '../../../platform/git/git.ts'
import { readHead } from '../../../platform/git/refs.ts'
import { isOwnTree } from '../../guard/guard-run.ts'
import type { PhaseReport } from '../../phase/phase-report.ts'
import { promptFile } from '../../phase/prompt-file.ts'
import type { RunContext } from '../../phase/run-context.ts'
import type { PhaseTarget } from '../../phase/run-phase.ts'
import type { RunPlan } from '../../phase/run-plan.ts'
import type { Imported } from '../private-git/import-work.ts'
import { type AgentBox, openBox } from './open-box.ts'
import { programFiles } from './program-files.ts'
import { linkedFolders } from './run-window.ts'

interface PhasePlace extends Pick<PhaseTarget, 'cwd' | 'access'> {
  /** That of the agent under the guard. */
  env: Env
  /** Files and folders that it may only read. */
  kept: readonly string[]
}

/** Null: the call runs without a box. */
export async function openPhaseBox(
  plan: RunPlan,
  { host }: RunContext,
  { cwd, access, env, kept }: PhasePlace,
): Promise<AgentBox | null> {
  const { repo, isolation, binary } = host
  const { place, worktree } = plan
  const { run } = plan.subject
  if (isolation.level === 'none') return null
  const isPersons = isOwnTree(repo, plan, cwd)
  const { name, words = [name] } = plan.worker.agent
  return openBox({
    ...{ repo, isolation, binary, run, cwd, env, isPersons },
    branch: isPersons ? checkedOut(repo) : place.branch,
    shown: [...linkedFolders(repo, worktree), ...kept, promptFile(repo, run), ...programFiles(repo, env, words)],
    writes: access === 'work' ? 'everything' : { only: place.output },
  })
}

function checkedOut(repo: Repo): string | null {
  const head = readHead(repo)
  return head.kind === 'branch' ? head.branch : null
}

/** Work that could not be imported is not on its branch, so the call has failed, whatever it said. */
export function withImported(report: PhaseReport, imported: Imported | null): PhaseReport {
  if (imported === null || imported.refused.length === 0 || report.failure !== null) return report
  const detail = notImported(imported.refused.join('; '))
  const reason = imported.isRewound ? 'outside-changes' : 'dirty-tree'
  return { ...report, failure: { reason, detail, resetsAt: null } }
}

export function notImported(why: string): string {
  return `its work could not be brought into the repository: ${why}`
}

export function importIncidents(imported: Imported | null): string[] {
  return (imported?.kept ?? []).map((ref) => `Commits of the agent that are not on its branch are kept as ${ref}`)
}
