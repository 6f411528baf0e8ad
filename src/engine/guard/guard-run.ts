import { isBox } from '../../core/isolation/levels.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { readHead } from '../../platform/git/refs.ts'
import { basesInLanding, leasesByLife } from '../../state/live/leases.ts'
import type { RunContext } from '../phase/run-context.ts'
import type { RunPlan } from '../phase/run-plan.ts'
import { type GuardWindow, openGuardWindow } from './guard-window.ts'
import type { OwnBranch } from './refs/keep-refs.ts'

/** The guard around a phase of the run's agent, which works in `cwd`. */
export function guardAgent(plan: RunPlan, context: RunContext, cwd: string): GuardWindow {
  return open(plan, context, 'agent', cwd)
}

/** The guard around a check of the run. The agent also wrote the tests. */
export function guardCheck(plan: RunPlan, context: RunContext, cwd: string): GuardWindow {
  return open(plan, context, 'check', cwd)
}

function open(plan: RunPlan, context: RunContext, kind: 'agent' | 'check', cwd: string): GuardWindow {
  const { repo, env, binary, live, now, commits, isolation } = context.host
  const { run, ledger } = plan.subject
  return openGuardWindow({
    ...{ repo, env, binary, run, kind, cwd, live, ledger, now },
    ...commits,
    agent: plan.worker.agent.name,
    // A check is watched by its caller, also if it is in a box and has no guard.
    isOwnTree: kind === 'agent' && isOwnTree(repo, plan, cwd),
    isBoxed: kind === 'agent' && isBox(isolation.level),
    own: ownBranch(repo, plan, cwd),
    recorded: () => busyBranches(context),
    landing: () => basesInLanding(live),
  })
}

/** `git tasks run`: the agent works in the person's own tree. */
export function isOwnTree({ workTree }: Repo, { place }: RunPlan, cwd: string): boolean {
  return place.path === null && place.branch === null && cwd === workTree
}

/** In a person's own worktree, the agent works on the branch that is checked out there. */
function ownBranch(repo: Repo, { place }: RunPlan, cwd: string): OwnBranch | null {
  if (place.branch !== null) return { name: place.branch, from: null }
  const head = readHead(repo)
  return cwd === repo.workTree && head.kind === 'branch' ? { name: head.branch, from: head.oid } : null
}

/** The branches of other running tasks, and those that this process itself has moved since the run started. */
function busyBranches({ host, others }: RunContext): string[] {
  return [
    ...leasesByLife(host.live, host.now()).held.flatMap(({ branch }) => branch ?? []),
    ...[...others.ownMoves].flatMap(([branch, at]) => (at >= others.began ? [branch] : [])),
  ]
}
