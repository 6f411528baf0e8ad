import { ask, show } from '../support/ledger-calls.ts'
import type { Repo } from '../support/repo.ts'

/** The commit that closed a task, as `show` prints it. */
export function commitOf(repo: Repo, ref: string): string | null {
  return show(repo, ref).closed_commit
}

/** A commit of a file of its own, made so many seconds from now: commits of people are seconds apart. */
export function commitAt(repo: Repo, seconds: number, name: string): string {
  return atTime(repo, seconds).commit(name, { [name]: `${name}\n` })
}

/** The repository on a day when git's clock shows so many seconds more. */
export function atTime(repo: Repo, seconds: number): Repo {
  const date = `@${Math.floor(Date.now() / 1000) + seconds} +0000`
  return repo.withEnv({ GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date })
}

/** The note that `git log --notes=tasks` shows on a commit. */
export function notesOn(repo: Repo, commit: string): string {
  return repo.git('log', '-1', '--notes=tasks', '--format=%N', commit).trim()
}

export function subjects(repo: Repo, ...args: string[]): string[] {
  return ask<{ subject: string }[]>(repo, 'log', ...args).map(({ subject }) => subject)
}
