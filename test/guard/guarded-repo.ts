import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { aRepo, type Repo, type Result } from '../support/repo.ts'

/** The machine's own git by its full path: what an agent has that goes around the shim. */
export const REAL_GIT = Bun.which('git') ?? '/usr/bin/git'

/** Runs a shell script as an agent would run it, under the guard. `$GIT` is the real git. */
export function underGuard(repo: Repo, script: string, cwd?: string): Result {
  return repo.run(['gza', 'guard', '--', 'sh', '-c', script], { env: { GIT: REAL_GIT }, ...(cwd && { cwd }) })
}

/** A repository with a remote it has pushed to, one task from a person, and one from an agent. */
export function aGuardedRepo(): Repo {
  const repo = aRepo({ bare: true }).clone()
  repo.commit('first', { 'a.txt': 'one\n' })
  repo.git('push', '--quiet', '--set-upstream', 'origin', 'main')
  add(repo, 'Written by a person')
  add(repo.withEnv({ ZAGI_AGENT: 'claude-code' }), 'Written by an agent')
  return repo
}

function add(repo: Repo, content: string): void {
  const result = repo.tasks('add', content)
  if (result.code !== 0) throw new Error(result.stderr)
}

export const LEDGER = 'refs/tasks/main'

export function tipOf(repo: Repo, ref = LEDGER): string {
  return repo.git('rev-parse', ref)
}

/** A commit on the ledger's tip, with its tree changed by `change`, that is marked as made in `mode`. */
export function forge(repo: Repo, mode: string | null, change: (line: string) => string = (line) => line): string {
  const lines = repo.git('cat-file', 'blob', `${LEDGER}:tasks.jsonl`).split('\n')
  const blob = write(repo, ['hash-object', '-w', '--stdin'], `${lines.map(change).join('\n')}\n`)
  const entries = repo.git('ls-tree', LEDGER).split('\n')
  const tree = entries.map((entry) => (entry.endsWith('\ttasks.jsonl') ? `100644 blob ${blob}\ttasks.jsonl` : entry))
  const treeId = write(repo, ['mktree'], `${tree.join('\n')}\n`)
  const trailers = mode === null ? '' : `\n\nActor: someone\nMode: ${mode}`
  return repo.git('commit-tree', '-p', LEDGER, '-m', `note task-0000${trailers}`, treeId)
}

function write(repo: Repo, args: string[], stdin: string): string {
  return repo.run(['git', ...args], { stdin }).stdout.trim()
}

export function writeHook(path: string, body: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `#!/bin/sh\n${body}\n`)
  chmodSync(path, 0o755)
}
