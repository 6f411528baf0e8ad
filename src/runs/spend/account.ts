/** State of the person, shared by all repositories. */
import { join } from 'node:path'
import { UserError } from '../../core/user-error.ts'
import { fileExists } from '../../platform/files/files.ts'
import { userStateFolder } from '../../platform/files/user-folders.ts'
import type { Env } from '../../platform/git/git.ts'
import { type Account, openAccount } from '../../state/account/open-account.ts'
import { followStore, type StoreChanges } from '../../state/open-versioned.ts'

// Read for each task that might start. Opening it each time would take half a second for a thousand tasks.
const opened = new WeakMap<Env, Account>()

export function writeAccount(env: Env, write: (account: Account) => void): void {
  write(opened.get(env) ?? open(env, accountPath(env)))
}

/** Returns `nothing` if nothing was ever written. */
export function readAccount<T>(env: Env, nothing: T, read: (account: Account) => T): T {
  const known = opened.get(env)
  if (known !== undefined) return read(known)
  const path = accountPath(env)
  return fileExists(path) ? read(open(env, path)) : nothing
}

/** Tells whether somebody has written to it. */
export function openAccountChanges(env: Env): StoreChanges {
  const path = accountPath(env)
  return followStore(() => (fileExists(path) ? openOrExplain(path) : null))
}

function open(env: Env, path: string): Account {
  const account = openOrExplain(path)
  opened.set(env, account)
  return account
}

function openOrExplain(path: string): Account {
  try {
    return openAccount(path)
  } catch (error) {
    throw new UserError('ACCOUNT_UNUSABLE', `${path} cannot be used: ${(error as Error).message}`, {
      hint: 'It stores pauses and the cost of the day. If you move it elsewhere, both start from zero.',
    })
  }
}

function accountPath(env: Env): string {
  return join(userStateFolder(env), 'account.db')
}
