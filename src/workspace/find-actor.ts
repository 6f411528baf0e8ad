import { type Actor, detectActor } from '../core/task/agent-mode.ts'
import type { Repo } from '../platform/git/find-repo.ts'
import type { Env } from '../platform/git/git.ts'
import { userNameOf } from '../platform/git/git-identity.ts'
import { ancestors } from '../platform/processes/ancestors.ts'
import { ownStamp, stampOf } from '../platform/processes/run-stamp.ts'
import type { State } from '../state/index/open-state.ts'
import type { Live } from '../state/live/open-live.ts'
import { isSupervisedBy, type Supervised, supervisedRuns } from '../state/live/supervisors.ts'
import { writeSettings } from './write-settings.ts'

export interface WorkspaceActor extends Actor {
  /** The run that it belongs to: one that gza supervises, or its own claim. */
  run?: string
  /** Set inside a run that gza supervises: the run's task, or null for a check of a landing. */
  inRun?: { task: string | null }
  /** Set for a client of `gza mcp` that is in no run: what it claims belongs to this connection. */
  connection?: string
}

/**
 * Who calls gza. An agent that gza started stays one, whatever it does to its variables: its processes carry the stamp
 * of their run, and they descend from the process that supervises it. A person's name comes from git, and is read only
 * by commands that record it.
 */
export function findActor(repo: Repo, env: Env, { live, state }: ActorStores): WorkspaceActor {
  const declared = detectActor(env, () => '')
  const supervised = live === null ? null : findSupervised(live, env)
  const named = env.GZA_RUN ? { run: env.GZA_RUN } : {}
  if (supervised !== null) {
    const { run, holder, task, isGuard } = supervised
    const agent: Actor = declared.mode === 'agent' ? declared : { name: holder, mode: 'agent', source: 'run' }
    return { ...agent, run, ...(!isGuard && { inRun: { task } }) }
  }
  if (declared.mode === 'agent') return { ...declared, ...named }
  return {
    mode: declared.mode,
    source: declared.source,
    ...named,
    get name() {
      writeSettings(repo, state)
      return userNameOf(repo)
    },
  }
}

interface ActorStores {
  live: Live | null
  state: State
}

/**
 * The supervised run that this process belongs to. The stamp is exact. Without it, the process that supervises several
 * runs is known, but not which of them this is: the variable decides, if it names one of them.
 */
function findSupervised(live: Live, env: Env): Supervised | null {
  const all = supervisedRuns(live)
  if (all.length === 0) return null
  const stamp = ownStamp()
  const stamped = all.find(({ run }) => stampOf(run) === stamp)
  if (stamped !== undefined) return stamped
  const named = (runs: readonly Supervised[]) => runs.find(({ run }) => run === env.GZA_RUN)
  const processes = ancestors()
  const above = all.filter((each) => isSupervisedBy(each, processes))
  const tasks = above.filter(({ task }) => task !== null)
  const only = tasks.length === 1 ? tasks[0] : undefined
  return named(above) ?? only ?? withoutTask(above) ?? named(all) ?? null
}

function withoutTask([first]: readonly Supervised[]): Supervised | undefined {
  return first === undefined ? undefined : { ...first, task: null }
}
