import { UserError } from '../core/user-error.ts'
import type { Repo } from '../platform/git/find-repo.ts'
import type { Env } from '../platform/git/git.ts'
import { readBranch, readHead, refExists } from '../platform/git/refs.ts'
import { findLedger, ledgerWithBranch } from '../state/index/ledger-rows.ts'
import type { State } from '../state/index/open-state.ts'
import { configuredLedger } from './config/configured-ledger.ts'

interface Place {
  repo: Repo
  env: Env
  state: State
}

/** `--branch`, otherwise GZA_BRANCH, otherwise `ledger:` in gza.yaml. */
export function nameOfLedger({ repo, env }: Place, branch: string | undefined): Maybe | Promise<Maybe> {
  return branch ?? (env.GZA_BRANCH || undefined) ?? configuredLedger(repo)
}

type Maybe = string | undefined

/**
 * The ledger with this name. Without one, the ledger of the task that the current branch was made for, otherwise the
 * current branch. Null: HEAD is detached, and nothing else names one.
 */
export function chooseLedger(place: Place, name: string | undefined): string | null {
  if (name !== undefined) return assertLedgerName(name)
  const branch = readBranch(place.repo)
  return branch === null ? null : (ledgerOfTaskBranch(place, branch) ?? branch)
}

export function noLedgerNamed(repo: Repo): UserError {
  const at = readHead(repo).oid?.slice(0, 7)
  return new UserError('DETACHED_HEAD', `HEAD is detached at ${at}, so no branch selects the tasks`, {
    hint: 'Check out a branch, or name the ledger: --branch main (or GZA_BRANCH=main, or `ledger: main` in gza.yaml)',
  })
}

/** On the branch of a task, that task's ledger is used, unless the branch has its own ledger. */
function ledgerOfTaskBranch({ repo, state }: Place, branch: string): string | null {
  return refExists(repo, `refs/tasks/${branch}`) ? null : ledgerWithBranch(state, branch)
}

/**
 * Has this repository a ledger or a branch with this name? Also a ledger that something other than gza has deleted since
 * the index read it: the command that uses it reports that.
 */
export function isKnownName({ repo, state }: Place, name: string): boolean {
  if (refExists(repo, `refs/tasks/${name}`) || refExists(repo, `refs/heads/${name}`)) return true
  return readBranch(repo) === name || Boolean(findLedger(state, name)?.tip)
}

/** Git's own rules for ref names, as far as a branch name can break them. */
export function assertLedgerName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git forbids control characters in ref names
  const isBad = name === '' || /[\u0000- ~^:?*[\\\u007f]|\.\.|@\{|\/\/|^[-/.]|[/.]$|\.lock(\/|$)|\/\./.test(name)
  if (!isBad) return name
  const fact = name.trim() === '' ? 'The name of the branch is empty' : `'${name}' cannot be the name of a branch`
  throw new UserError('BAD_BRANCH', fact, {
    hint: 'Name a branch such as main; git branch --list shows those that exist.',
    exitCode: 2,
  })
}
