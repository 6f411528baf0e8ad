import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Kept, keepLeftovers } from '../../../src/engine/worktree/keep-leftovers.ts'
import { type Prepared, prepareWorkplace, type WorkplaceOrder } from '../../../src/engine/worktree/prepare.ts'
import type { Workplace } from '../../../src/engine/worktree/workplace.ts'
import { findRepo, type Repo } from '../../../src/platform/git/find-repo.ts'
import { workplaceRoot } from '../../../src/platform/git/workplace-root.ts'
import { aRepo, type RepoOptions, type Repo as TestRepo } from '../../support/repo.ts'

export const IDENTITY = 'Runner <runner@example.com>'

/** A repository as the engine and as a person see it, with one commit on main. */
export interface Project {
  person: TestRepo
  repo: Repo
  first: string
  pathOf(branch: string): string
  prepare(branch: string, order?: Partial<WorkplaceOrder>): Promise<Prepared>
  /** The same where a conflict is not expected. */
  workplace(branch: string, order?: Partial<WorkplaceOrder>): Promise<Workplace>
  keep(workplace: Workplace, message?: string): Promise<Kept>
}

export function aProject(options: RepoOptions = {}, files: Record<string, string> = { 'a.txt': 'one\n' }): Project {
  const person = aRepo(options)
  const first = person.commit('first', files)
  return projectOf(person, first)
}

export function projectOf(person: TestRepo, first: string): Project {
  const repo = findRepo(person.dir, person.env)
  const pathOf = (branch: string): string => join(workplaceRoot(repo, person.env), branch)
  const prepare: Project['prepare'] = (branch, order = {}) =>
    prepareWorkplace(repo, {
      branch,
      path: pathOf(branch),
      from: first,
      merge: [],
      identity: IDENTITY,
      lock: 'a test',
      ...order,
    })
  return {
    person,
    repo,
    first,
    pathOf,
    prepare,
    workplace: async (branch, order) => {
      const prepared = await prepare(branch, order)
      if ('conflict' in prepared) throw new Error(`conflict: ${JSON.stringify(prepared.conflict)}`)
      return prepared.workplace
    },
    keep: (workplace, message = 'Left by the agent') =>
      keepLeftovers(repo, workplace, { run: 'a-run', level: 'none', message, identity: IDENTITY }),
  }
}

/** Writes a file into a worktree. */
export function put({ path }: { path: string }, name: string, text: string | Uint8Array): void {
  const target = join(path, name)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
}

export function textOf({ path }: { path: string }, name: string): string | null {
  return existsSync(join(path, name)) ? readFileSync(join(path, name), 'utf8') : null
}

/** Runs git in a worktree, as an agent would. */
export function gitIn({ person }: Project, { path }: { path: string }, ...args: string[]): string {
  return person.git('-C', path, ...args)
}

/** Commits files in a worktree, as an agent would. */
export function commitIn(project: Project, at: { path: string }, files: Record<string, string>): string {
  for (const [name, text] of Object.entries(files)) put(at, name, text)
  gitIn(project, at, 'add', '--all')
  gitIn(project, at, 'commit', '--quiet', '--allow-empty', '--message', `work on ${Object.keys(files).join(' ')}`)
  return gitIn(project, at, 'rev-parse', 'HEAD')
}

export function worktreePaths({ person }: Project): string[] {
  const lines = person.git('worktree', 'list', '--porcelain').split('\n')
  return lines.filter((line) => line.startsWith('worktree ')).map((line) => line.slice('worktree '.length))
}
