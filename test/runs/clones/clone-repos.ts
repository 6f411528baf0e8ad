import { Database } from 'bun:sqlite'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { bin } from '../../support/built-program.ts'
import { outputOf } from '../../support/ledger-answers.ts'
import type { Repo } from '../../support/repo.ts'
import { type AgentRepo, type AgentRepoOptions, anAgentRepo } from '../../support/scripted-agent.ts'
import { until } from '../../support/until.ts'

export const HOST = hostname()

/** The agent works on the task `slow` until the test says go, and writes its pid first. */
export const SLOW = {
  slow: 'save slow.txt half; echo $$ >"$beside/pid"; echo begun; while ! test -e "$beside/go"; do sleep 0.05; done; commit slow.txt whole',
}

/** A repository whose agent is a script, with a bare remote that a second clone shares. */
export function aSharedRepo(acts: Record<string, string> = SLOW, options: AgentRepoOptions = {}): AgentRepo {
  const repo = anAgentRepo(acts, options)
  addRemote(repo)
  return repo
}

/** A bare remote on this disk, with the branch main. */
export function addRemote(repo: Repo): void {
  repo.git('init', '--quiet', '--bare', remoteOf(repo))
  repo.git('remote', 'add', 'origin', remoteOf(repo))
  repo.git('push', '--quiet', 'origin', 'main')
}

export function remoteOf(repo: Repo): string {
  return join(dirname(repo.dir), 'remote.git')
}

export function aSecondClone(repo: Repo): Repo {
  const clone = repo.clone()
  clone.git('remote', 'set-url', 'origin', remoteOf(repo))
  return clone
}

/** Starts `gza work --all`, and returns when the agent of the task `slow` is at work. `place`: what it is started by. */
export async function workInBackground(repo: AgentRepo, place: string[] = []) {
  const [program = '', ...args] = [...place, bin('gza'), 'work', '--all']
  const worker = spawn(program, args, { cwd: repo.dir, env: repo.env as NodeJS.ProcessEnv, stdio: 'ignore' })
  const ended = new Promise<number | null>((resolve) => worker.on('exit', resolve))
  const agent = await until(() => agentPid(repo), 'the agent works')
  return { worker, ended, agent }
}

/** The same, and both worker and agent are killed. What the agent had done is uncommitted in its worktree. */
export async function dieAtWork(repo: AgentRepo, { synced = false } = {}): Promise<AgentRepo> {
  repo.add('slow')
  const { worker, ended, agent } = await workInBackground(repo)
  if (synced) outputOf(repo.gza('sync'))
  worker.kill('SIGKILL')
  await ended
  process.kill(agent, 'SIGKILL')
  return repo
}

function agentPid(repo: AgentRepo): number | null {
  try {
    return Number(readFileSync(repo.beside('pid'), 'utf8')) || null
  } catch {
    return null
  }
}

export function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

export interface ShownTask {
  status: string
  running_on: string | null
  notes: string[]
  assigned_agent: string | null
  runs: { run: string; clone?: string; outcome: string | null; until?: string; ended_at: string | null }[]
}

export function show(repo: Repo, ref: string): ShownTask {
  return JSON.parse(outputOf(repo.gza('show', ref, '--json')))
}

export function cloneId(repo: Repo): string {
  return readFileSync(join(repo.dir, '.git/gza/clone'), 'utf8').split(' ')[0] as string
}

/** Changes the stored leases, as time or another machine would. */
export function changeLeases(repo: Repo, sql: string): void {
  const live = new Database(join(repo.dir, '.git/gza/live.db'))
  live.run(`UPDATE leases SET ${sql}`)
  live.close()
}
