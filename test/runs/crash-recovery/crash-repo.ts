import { Database } from 'bun:sqlite'
import { chmodSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { aRepo, type Env, type Repo, type RepoOptions, type Result } from '../../support/repo.ts'
import { processesWith } from '../../support/running-processes.ts'
import { type SpawnedGza, spawnGza } from '../../support/spawn-gza.ts'
import { until } from '../../support/until.ts'

/** A repository with tasks and a scripted agent, whose every call leaves a file that names the task. */
export interface CrashScenario {
  repo: Repo
  /** How often the agent was called for each task. */
  calls(): Record<string, number>
  work(env?: Env, ...args: string[]): Result
  show(ref: string | number): Shown
  add(title: string, ...args: string[]): void
}

export interface Shown {
  uid: string
  status: string
  branch: string | null
  running_on: string | null
  commits: string[]
  notes: string[]
  runs: {
    run: string
    outcome: string | null
    reason: string | null
    ended_at: string | null
    detail: string | null
    head: string | null
  }[]
}

/** With $TITLE: does the work of one task in two parts, the second of which it leaves uncommitted. */
export const DILIGENT = [
  'echo "part one of $TITLE" > "$TITLE.txt"',
  'git add . && git commit --quiet -m "part of $TITLE"',
  'echo "part two of $TITLE" >> "$TITLE.txt"',
  'echo "half of $TITLE is done"',
  'sleep 0.1',
  'echo "all of $TITLE is done"',
].join('\n')

/** Writes a text to the path that the prompt names. */
export const WRITER = [
  `path=$(printf "%s" "$prompt" | grep -o '\\.gza/[a-z]*/[0-9a-z-]*\\.md' | head -n 1)`,
  'mkdir -p "$(dirname "$path")"',
  'printf "the text of %s\\n" "$TITLE" > "$path"',
  'echo "written"',
].join('\n')

export function aCrashScenario(script = DILIGENT, options: RepoOptions = {}): CrashScenario {
  const bare = aRepo(options)
  const calls = join(bare.dir, '../calls')
  const repo = bare.withEnv({ GZA_TRUST: '1', XDG_STATE_HOME: join(bare.dir, '../state'), CALLS: calls })
  repo.run(['mkdir', calls])
  const lines = [
    '#!/bin/sh',
    'for prompt; do :; done',
    'TITLE=$(printf "%s" "$prompt" | grep -o "chore-[0-9]*" | head -n 1)',
  ]
  const agent = repo.write('../agent.sh', [...lines, 'call=$(mktemp "$CALLS/$TITLE.XXXXXX")', script, ''].join('\n'))
  chmodSync(agent, 0o755)
  const config = `defaults: {agent: scripted}\nagents: {scripted: {command: ${agent}}}\nretry: {backoff_seconds: 0}\n`
  repo.commit('start', { 'gza.yaml': config })
  return {
    repo,
    calls: () => count(readdirSync(calls).map((name) => name.replace(/\.\w+$/, ''))),
    work: (env = {}, ...args) => repo.withEnv(env).gza('work', '--all', ...args),
    show: (ref) => JSON.parse(expectOk(repo.gza('show', String(ref), '--json')).stdout),
    add: (title, ...args) => void expectOk(repo.gza('add', title, ...args)),
  }
}

export function expectOk(result: Result): Result {
  if (result.code !== 0) throw new Error(`exit code ${result.code}: ${result.stdout}${result.stderr}`)
  return result
}

export function subjects({ repo, show }: CrashScenario, ref: number): string[] {
  return repo.git('log', '--format=%s', `main..${show(ref).branch}`).split('\n')
}

/** What must never be left when nothing runs: worktrees, processes, leases, unfinished runs. */
export function remains({ repo }: CrashScenario) {
  const [, ...worktrees] = repo.git('worktree', 'list').split('\n')
  const left = { worktrees, lists: keptLists(repo), processes: processesIn(repo), leases: openLeases(repo) }
  return { ...left, verify: repo.gza('verify').code }
}

/** Of the branches that the guard keeps from an agent. */
export function keptLists(repo: Repo): string[] {
  const folder = join(repo.dir, '.git/gza/guard/branches')
  return existsSync(folder) ? readdirSync(folder) : []
}

export const NOTHING = { worktrees: [], lists: [], processes: [], leases: [], verify: 0 }

export function openLeases(repo: Repo): string[] {
  const file = join(repo.dir, '.git/gza/live.db')
  if (!existsSync(file)) return []
  const live = new Database(file)
  const rows = live
    .query(
      `SELECT 'lease ' || run AS what FROM leases WHERE released_at IS NULL
      UNION ALL SELECT 'run ' || run FROM runs WHERE ended_at IS NULL`,
    )
    .all() as { what: string }[]
  live.close()
  return rows.map(({ what }) => what)
}

/** Processes whose environment names this repository's folder of calls. */
export function processesIn(repo: Repo): string[] {
  return processesWith(`CALLS=${repo.env.CALLS}`)
}

function count(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names.toSorted()) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

/** The first call starts daemons and never ends; later ones do the work. */
export const STUCK_AT_FIRST = [
  'echo "work of $TITLE" > "$TITLE.txt"',
  'if test "$(ls "$CALLS" | grep -c "^$TITLE\\.")" = 1; then',
  '  (setsid sleep 3000 >/dev/null 2>&1 &)',
  '  (setsid sh -c "setsid sleep 3000 & exit" >/dev/null 2>&1 &)',
  '  echo "and now it hangs"',
  '  sleep 3000',
  'fi',
  'echo done',
].join('\n')

/** Its agent and two daemons still run: they were in no box. */
export async function withDeadWorker(): Promise<CrashScenario> {
  const scenario = aCrashScenario(STUCK_AT_FIRST, { isolation: 'off' })
  scenario.add('chore-1')
  const worker = await startWorker(scenario)
  worker.process.kill('SIGKILL')
  await worker.ended
  return scenario
}

export async function startWorker({ repo }: CrashScenario): Promise<SpawnedGza> {
  const worker = spawnGza(repo, 'work', '--all')
  await until(() => processesIn(repo).filter((line) => line.startsWith('sleep 3000')).length === 3, 'its agent works')
  return worker
}
