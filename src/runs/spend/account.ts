/** State of the person, shared by all repositories. */
import { join } from 'node:path'
import { UserError } from '../../core/user-error.ts'
import { fileExists } from '../../platform/files/files.ts'
import { userStateFolder } from '../../platform/files/user-folders.ts'
import type { Env } from '../../platform/git/git.ts'
import { type Account, openAccount } from '../../state/account/open-account.ts'

// Read for each task that might start. Opening it each time would take half a second for a thousand tasks.
const opened = new Map<string, Account>()

export function writeAccount(env: Env, write: (account: Account) => void): void {
  write(accountAt(accountPath(env)))
}

/** Returns `nothing` if nothing was ever written. */
export function readAccount<T>(env: Env, nothing: T, read: (account: Account) => T): T {
  const path = accountPath(env)
  return fileExists(path) ? read(accountAt(path)) : nothing
}

function accountAt(path: string): Account {
  const account = opened.get(path) ?? openOrExplain(path)
  opened.set(path, account)
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
