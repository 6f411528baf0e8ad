/** Addresses that git would push to and that no setting named before. */
import { isChoiceOfRemote, isRemoteAddress, isRemoteOf, remoteOf } from './executing-keys.ts'
import type { Entry } from './neutral-settings.ts'
import type { SettingsState } from './settings-state.ts'

export interface NewAddress {
  /** The new remote, or the setting that has the address itself. */
  name: string
  address: string
}

/**
 * Those of new remotes, and those that a branch has in place of a remote's name. `isKnownBranch`: a branch that somebody
 * makes for a pull request of another repository brings the address of that along.
 */
export function newAddresses(
  before: readonly Entry[],
  now: readonly Entry[],
  isKnownBranch: (branch: string) => boolean,
): NewAddress[] {
  const known = new Set(before.map(({ value }) => value))
  return now.flatMap(({ key, value }) => {
    if (known.has(value)) return []
    if (isRemoteAddress(key)) return isRemoteOf(before, remoteOf(key)) ? [] : [{ name: remoteOf(key), address: value }]
    if (!isChoiceOfRemote(key) || !isAddress(value)) return []
    const branch = /^branch\.(.*)\.(push)?remote$/s.exec(key)?.[1]
    return branch === undefined || isKnownBranch(branch) ? [{ name: key, address: value }] : []
  })
}

/** Does no setting of that time have this address? */
export function isNewAddress({ settings }: Pick<SettingsState, 'settings'>, address: string): boolean {
  return !settings.some(({ key, value }) => (isRemoteAddress(key) || isChoiceOfRemote(key)) && value === address)
}

/** In place of a remote's name. */
export function isAddress(value: string): boolean {
  return /:|^[./~]./.test(value)
}
