/** Repositories in whose own tree `git tasks run` calls agents in a box. */
import { readFileSync } from 'node:fs'
import { bin } from '../../support/built-program.ts'
import type { Result } from '../../support/repo.ts'
import type { AgentRepoOptions } from '../../support/scripted-agent.ts'
import { anIsolatedRepo, type IsolatedRepo, LEVELS } from '../runs/isolated-repo.ts'

type Level = (typeof LEVELS)[number]

/** Landlock cannot hold an agent in the person's own tree. */
export const BOXES = LEVELS.filter((level) => level !== 'landlock')

export interface OwnTreeRepo extends IsolatedRepo {
  /** `git tasks run`, at the level. */
  runTasks(...flags: string[]): Result
  runLine(...flags: string[]): string[]
  /** What an agent wrote into a file beside the repository. */
  seen(name: string): string
}

export function anOwnTree(
  level: Level | 'off',
  acts: Record<string, string>,
  options: Omit<AgentRepoOptions, 'isolation'> & { isolation?: string } = {},
): OwnTreeRepo {
  const repo = anIsolatedRepo(level, acts, options)
  const runLine = (...flags: string[]): string[] => {
    const line = repo.commandLine('run', '--delay', '0', ...flags)
    return line.map((word) => (word === bin('gza') ? bin('git-tasks') : word))
  }
  return {
    ...repo,
    runLine,
    runTasks: (...flags) => repo.run(runLine(...flags)),
    seen: (name) => readFileSync(repo.beside(name), 'utf8').trim(),
  }
}

export const DONE = 'git tasks done "$task"'
