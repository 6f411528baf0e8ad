import type { TaskView } from '../../src/workspace/views/views.ts'
import { aRepo, type Repo, type RepoOptions } from './repo.ts'

/** A repository with one commit on main, as most work starts. */
export function aStartedRepo(options: RepoOptions = {}): Repo {
  const repo = aRepo(options)
  repo.commit('first')
  return repo
}

/** Runs gza where it must succeed; its output without the last newline. */
export function gza(repo: Repo, ...args: string[]): string {
  const result = repo.gza(...args)
  if (result.code !== 0) throw new Error(`gza ${args.join(' ')} exited with ${result.code}: ${result.stderr}`)
  return result.stdout.replace(/\n$/, '')
}

/** What a command answers as data. */
export function ask<T>(repo: Repo, ...args: string[]): T {
  return JSON.parse(gza(repo, ...args, '--json')) as T
}

/** Files a task; its id. A ledger that the flags name is made if there is none. */
export function add(repo: Repo, content: string, ...flags: string[]): string {
  const create = flags.includes('--branch') ? ['--create'] : []
  return ask<TaskView>(repo, 'add', content, ...flags, ...create).id
}

export function show(repo: Repo, ref: string | number, ...flags: string[]): TaskView {
  return ask<TaskView>(repo, 'show', String(ref), ...flags)
}

/** Every task that is not deleted, finished ones included. */
export function listAll(repo: Repo, ...flags: string[]): TaskView[] {
  return ask<TaskView[]>(repo, 'list', '--all', ...flags)
}

export function contents(repo: Repo, ...flags: string[]): string[] {
  return listAll(repo, ...flags).map(({ content }) => content)
}

/** The ledger's tree: equal trees are equal tasks, byte by byte. */
export function treeOf(repo: Repo, ledger = 'main'): string {
  return repo.git('rev-parse', `refs/tasks/${ledger}^{tree}`)
}

export function tipOf(repo: Repo, ledger = 'main'): string {
  return repo.git('rev-parse', `refs/tasks/${ledger}`)
}
