import type { CheckPlan } from '../../../src/engine/check/check-plan.ts'
import { type CheckReport, checkWork } from '../../../src/engine/check/check-work.ts'
import type { Workplace } from '../../../src/engine/worktree/workplace.ts'
import { aProject, commitIn, type Project } from '../worktree/project-repo.ts'

export interface Work {
  project: Project
  workplace: Workplace
  commit: string
  marker: string
  check(plan: Partial<CheckPlan>): Promise<CheckReport>
}

/** A workplace in which an agent has committed these files. */
export async function work(files: Record<string, string> = {}): Promise<Work> {
  const project = aProject()
  const workplace = await project.workplace('20241213-fix')
  const commit = commitIn(project, workplace, files)
  const marker = `check-${process.pid}-${commit}-${performance.now()}`
  const plan: CheckPlan = {
    repo: project.repo,
    path: workplace.path,
    commit,
    filesToCreate: [],
    testFiles: [],
    testCommand: null,
    command: null,
    timeoutMs: 30_000,
    env: project.person.env,
    marker,
  }
  return { project, workplace, commit, marker, check: (more) => checkWork({ ...plan, ...more }) }
}
