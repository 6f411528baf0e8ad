import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Task } from '../../src/core/task/task.ts'
import { commitFiles, type Rewrite } from '../support/handmade-commits.ts'
import { add, aStartedRepo, gza } from '../support/ledger-calls.ts'
import { aRepo, type Repo, type RepoOptions } from '../support/repo.ts'

export interface Report {
  ledger: string
  ok: boolean
  commit_count: number
  task_count: number
  first_bad: { commit: string; detail: string; author: string | null } | null
  problems: { commit: string; detail: string }[]
  witnesses: { name: string; state: string; detail: string }[]
}

/** What `verify` prints, and its exit code. */
export function verify(repo: Repo, ...flags: string[]): { code: number; report: Report } {
  const { code, stdout } = repo.gza('verify', '--json', ...flags)
  const [report] = JSON.parse(stdout) as [Report]
  return { code, report }
}

export const PLAIN = 0
export const NOTED = 1
export const CLOSED = 2
export const EDITED = 3
export const LARGE = 4

/** A ledger with a task of each kind, in the order of the names above, and an artifact. */
export function anAuditedRepo(): Repo {
  // Removed after the test file that asked for it first.
  if (template === undefined || !existsSync(template.dir)) template = auditedRepo()
  const repo = aRepo()
  rmSync(join(repo.dir, '.git'), { recursive: true })
  cpSync(template.dir, repo.dir, { recursive: true })
  return repo
}

let template: Repo | undefined

export function auditedRepo(options: RepoOptions = {}): Repo {
  const repo = aStartedRepo(options)
  const drafts = ['plain', 'noted', 'closed', 'edited', `large ${'x'.repeat(2000)}`].map((content) => ({ content }))
  const stdin = drafts.map((draft) => `${JSON.stringify({ ...draft, group: 'm' })}\n`).join('')
  repo.run(['gza', 'import', '-', '--format', 'jsonl'], { stdin })
  gza(repo, 'note', '2', 'a note')
  gza(repo, 'note', '2', 'another note')
  repo.commit('work')
  gza(repo, 'done', '3')
  gza(repo, 'edit', '4', '--content', 'edited once')
  commitFiles(repo, { [ARTIFACT]: () => 'The plan\n' })
  if (verify(repo).code !== 0) throw new Error('not a good ledger to begin with')
  return repo
}

export const ARTIFACT = 'artifacts/x/plan.md'

/** The rewrite of `tasks.jsonl` that changes one task's line. */
export function changing(place: number, change: (task: Task) => object | null): Rewrite {
  return (text) => {
    const lines = text.trimEnd().split('\n')
    const changed = change(JSON.parse(lines[place] ?? ''))
    return `${lines.flatMap((line, i) => (i === place ? (changed === null ? [] : JSON.stringify(changed)) : line)).join('\n')}\n`
  }
}

/** Goes on with honest work after the forged commit, so that the first bad commit is not the last one. */
export function goOn(repo: Repo): void {
  add(repo, 'honest work')
  repo.withEnv({ ZAGI_AGENT: 'claude-code' }).gza('add', 'honest work of an agent')
}
