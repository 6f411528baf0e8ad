import { command, sentence } from '../core/sentence.ts'
import { UserError } from '../core/user-error.ts'
import { checkedRemote, defaultRemote } from '../ledger/remote.ts'
import { tryGit } from '../platform/git/git.ts'
import { knowSettings } from '../platform/git/remote-git.ts'
import { heldRecords } from '../platform/git/settings/held-settings.ts'
import { neutralSettings } from '../platform/git/settings/neutral-settings.ts'
import { isNewAddress } from '../platform/git/settings/new-addresses.ts'
import { mattersOf, REMOTE_ADDED } from '../state/live/matters.ts'
import { inLock } from '../state/write-lock.ts'
import type { Workspace } from './workspace.ts'
import { findWriteSettings, keepWriteSettings } from './write-settings.ts'

/** From now on git is not asked for what is set about remotes, if the person's settings are known. */
export function knowRemotes({ repo, state }: Workspace): void {
  const { remotes, fresh } = findWriteSettings(repo, state)
  // While something is held back, git reads other values.
  if (remotes === null || neutralSettings().length > 0) return
  knowSettings(repo, remotes)
  if (fresh === null) return
  try {
    inLock(state, () => keepWriteSettings(repo, state), KEEP_WAIT_MS)
  } catch {
    // Not kept: the next command asks again.
  }
}

const KEEP_WAIT_MS = 50

/**
 * The remote that a person names, or the usual one. A remote that appeared while an agent ran may be the agent's: gza
 * exchanges nothing with it until a person has named it, or has dismissed it from the inbox.
 */
export function chooseRemote(ws: Workspace, branch: string | null, named?: string): string {
  if (named !== undefined) return checkedRemote(named)
  const remote = defaultRemote(ws.repo, branch)
  const isUnconfirmed = unconfirmed(ws)
  const address = isUnconfirmed === null ? undefined : addressesOf(ws, remote).find(isUnconfirmed)
  if (address === undefined) return remote
  throw new UserError('NEW_REMOTE', `${remote} (${address}) was added while an agent ran`, {
    hint: sentence`Nothing was exchanged. If it is yours, name it once: ${command`sync ${remote}`}`,
  })
}

/** Null if nothing is in doubt, which is the usual case. */
function unconfirmed({ repo, live }: Workspace): ((address: string) => boolean) | null {
  const held = heldRecords(repo).map(({ state }) => state)
  const matters = live === null ? [] : mattersOf(live, null).filter(({ code }) => code === REMOTE_ADDED)
  if (held.length + matters.length === 0) return null
  // Git reads a changed address as the old one while that is held.
  const isReplaced = (address: string) => neutralSettings().some(({ value }) => value === address)
  const isAdded = (address: string) => held.length > 0 && held.every((state) => isNewAddress(state, address))
  const isReported = (address: string) => matters.some(({ facts }) => facts.address === address)
  return (address) => isReported(address) || (isAdded(address) && !isReplaced(address))
}

function addressesOf({ repo }: Workspace, remote: string): string[] {
  const pattern = `^remote\\.${remote.replace(/[^\w-]/g, '\\$&')}\\.(push)?url$`
  const lines = tryGit(repo, ['config', '--null', '--get-regexp', pattern])
    .stdout.toString()
    .split('\0')
    .filter(Boolean)
  return lines.length === 0 ? [remote] : lines.map((line) => line.slice(line.indexOf('\n') + 1))
}
