import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type Broker, type BrokerLimits, openBroker } from '../../../src/engine/isolation/broker/open-broker.ts'
import { findRepo } from '../../../src/platform/git/find-repo.ts'
import { bin } from '../../support/built-program.ts'
import { type Env, type Result, type RunOptions, startProcess } from '../../support/run-process.ts'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'
import { type SpawnedGza, spawnGza } from '../../support/spawn-gza.ts'
import { until } from '../../support/until.ts'

type Name = 'gza' | 'git-tasks'

/** A run of `gza work` whose agent waits, with a broker around it, as a phase in a box has one. */
export interface BoxedRun {
  repo: AgentRepo
  broker: Broker
  /** The agent's own environment and its worktree, which it shares with the calls outside. */
  agent: { env: Env; cwd: string }
  /** Variables of a process inside the box: nothing leads to the repository but the broker. */
  boxed: Env
  /** Calls gza as a process inside the box does. */
  inside(argv: string[], options?: CallOptions): Promise<Result>
  /** The same call where there is no box. */
  outside(argv: string[], options?: CallOptions): Promise<Result>
  /** Lets the agent end, and waits for its run. */
  end(): Promise<void>
}

interface CallOptions extends RunOptions {
  name?: Name
}

/** The titles of the tasks that there are; the first one is that of the run. */
const TASKS = ['Own', 'Another', 'Third']

export async function aBoxedRun(limits: Partial<BrokerLimits> = {}): Promise<BoxedRun> {
  const repo = aWaitingRepo()
  for (const title of TASKS) repo.add(title)
  const work = spawnGza(repo, 'work', '1')
  const agent = await agentOf(repo, work)
  const broker = await openBroker({
    ...{ repo: findRepo(repo.dir, repo.env), binary: bin('gza'), ...agent, limits },
  })
  const boxed: Env = { PATH: process.env.PATH, HOME: '/nowhere', ...broker.env }
  return {
    ...{ repo, broker, agent, boxed },
    inside: (argv, { name = 'gza', env, ...options } = {}) =>
      startProcess([bin(name), ...argv], { cwd: '/', env: { ...boxed, ...env }, ...options }),
    outside: (argv, { name = 'gza', env, ...options } = {}) =>
      startProcess([bin(name), ...argv], { cwd: agent.cwd, env: { ...agent.env, ...env }, ...options }),
    end: async () => {
      await broker.close()
      writeFileSync(repo.beside('go'), '')
      await work.ended
    },
  }
}

/** Its agent writes its environment to `env` beside the repository, and works when there is a file `go`. */
export function aWaitingRepo(): AgentRepo {
  const waits = [
    'env -0 >"$beside/env.part" && mv "$beside/env.part" "$beside/env"',
    // Without a process for each look: this agent waits as long as its test file takes.
    'mkfifo "$beside/never"; until [ -e "$beside/go" ]; do read -rt 0.05 <>"$beside/never"; done',
    'commit a.txt "$call"',
  ]
  return anAgentRepo({ Own: waits.join('\n') }, { files: { 'docs/plan.md': '# Plan\n' } })
}

export async function agentOf(repo: AgentRepo, work: SpawnedGza): Promise<{ env: Env; cwd: string }> {
  const text = await until(() => existsSync(repo.beside('env')) && readFileSync(repo.beside('env'), 'utf8')).catch(
    (error) => {
      throw new Error(`${error}\n${work.printed()}`)
    },
  )
  const pairs = text.split('\0').filter(Boolean)
  const env: Env = Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )
  const cwd = repo.calls().at(-1)?.cwd
  if (cwd === undefined) throw new Error('The agent was not called')
  return { env, cwd }
}
