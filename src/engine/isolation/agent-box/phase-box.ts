/** The box of one agent call, and what its import means for the call. */
import type { Env } from '../../../platform/git/git.ts'
import type { PhaseReport } from '../../phase/phase-report.ts'
import { promptFile } from '../../phase/prompt-file.ts'
import type { RunContext } from '../../phase/run-context.ts'
import type { PhaseTarget } from '../../phase/run-phase.ts'
import type { RunPlan } from '../../phase/run-plan.ts'
import type { Imported } from '../private-git/import-work.ts'
import { type AgentBox, openBox } from './open-box.ts'
import { programFiles } from './program-files.ts'
import { linkedFolders } from './run-window.ts'

/** `env`: that of the agent under the guard. Null: the call runs without a box. */
export async function openPhaseBox(
  { subject: { run }, worker, place, worktree }: RunPlan,
  { host }: RunContext,
  { cwd, access, env }: Pick<PhaseTarget, 'cwd' | 'access'> & { env: Env },
): Promise<AgentBox | null> {
  const { repo, isolation, binary } = host
  if (isolation.level === 'none') return null
  const { name, words = [name] } = worker.agent
  return openBox({
    ...{ repo, isolation, binary, run, cwd, env },
    branch: place.branch,
    shown: [...linkedFolders(repo, worktree), promptFile(repo, run), ...programFiles(repo, env, words)],
    writes: access === 'work' ? 'everything' : { only: place.output },
  })
}

/** Work that could not be imported is not on its branch, so the call has failed, whatever it said. */
export function withImported(report: PhaseReport, imported: Imported | null): PhaseReport {
  if (imported === null || imported.refused.length === 0 || report.failure !== null) return report
  const detail = notImported(imported.refused.join('; '))
  return { ...report, failure: { reason: 'dirty-tree', detail, resetsAt: null } }
}

export function notImported(why: string): string {
  return `its work could not be brought into the repository: ${why}`
}

export function importIncidents(imported: Imported | null): string[] {
  return (imported?.kept ?? []).map((ref) => `The agent committed elsewhere than on its branch: it is kept as ${ref}`)
}
