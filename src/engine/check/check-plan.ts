import type { Repo } from '../../platform/git/find-repo.ts'
import type { Env } from '../../platform/git/git.ts'
import type { Enclose } from '../isolation/box/box-plan.ts'

export interface CheckPlan {
  repo: Repo
  /** The worktree. */
  path: string
  commit: string
  filesToCreate: readonly string[]
  testFiles: readonly string[]
  /** The test files replace `{files}`, or are appended as arguments. */
  testCommand: string | null
  command: string | null
  /** The limit for each command. */
  timeoutMs: number
  env: Env
  marker: string
  cancel?: AbortSignal
  /** The same command in a box; absent: there is none. */
  enclose?: Enclose
}

export interface CheckFailure {
  what:
    | 'files-missing'
    | 'setup-committed'
    | 'tests-failed'
    | 'command-failed'
    | 'timed-out'
    | 'tree-changed'
    | 'cancelled'
  /** What a person or the next attempt needs to know: a summary line, then the last lines of output. */
  detail: string
}
