import { join } from 'node:path'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { guardCheck } from '../../guard/guard-run.ts'
import type { RunContext } from '../../phase/run-context.ts'
import type { RunPlan } from '../../phase/run-plan.ts'
import { type CommandOrder, type CommandWindow, openCommandWindow } from './command-box.ts'

/** What is around a set-up or a check of a run. `kept`: what it may only read. */
export function openRunWindow(
  plan: RunPlan,
  context: RunContext,
  { cwd, network, kept = [] }: Pick<CommandOrder, 'cwd' | 'network'> & { kept?: readonly string[] },
): CommandWindow {
  const { repo, env, binary, isolation } = context.host
  const { run } = plan.subject
  const about = { repo, env, binary, isolation, run, agent: plan.worker.agent.name, cwd, network }
  return openCommandWindow({ ...about, shown: [...linkedFolders(repo, plan.worktree), ...kept] }, () =>
    guardCheck(plan, context, cwd),
  )
}

/** The folders of the person's checkout that a worktree has links to. */
export function linkedFolders({ workTree }: Repo, { link }: RunPlan['worktree']): string[] {
  return workTree === null ? [] : link.map((path) => join(workTree, path))
}
