import { type Entry, type Setting, splitKey } from './git-settings.ts'
import { REFUSING_TRANSPORT } from './install-guard.ts'

/**
 * Settings under which git sends every push to a transport that refuses, so that `--no-verify` and aliases change
 * nothing. Git takes the longest prefix that matches an address: the empty one matches all, and a remote's whole address
 * beats whatever prefix the user has configured.
 *
 * A remote with a pushurl ignores pushInsteadOf; there insteadOf does it, unless the same address is also fetched from.
 * Then, and over any transport but HTTP, the program at the other end is replaced.
 */
export function refusePushes(settings: readonly Setting[]): Entry[] {
  const remotes = settings.map((setting) => ({ ...splitKey(setting.key), value: setting.value })).filter(isRemote)
  const fetched = remotes.filter(({ name }) => name === 'url').map(({ value }) => value)
  const pushed = remotes.filter(({ name }) => name === 'pushurl')
  return [
    ...['', ...new Set(fetched)].map((value) => ({ key: `url.${REFUSING_TRANSPORT}::.pushinsteadof`, value })),
    ...pushed
      .filter(({ value }) => !fetched.some((url) => url.startsWith(value)))
      .map(({ value }) => ({ key: `url.${REFUSING_TRANSPORT}::.insteadof`, value })),
    ...new Set(pushed.map(({ middle }) => middle)).values().map((remote) => ({
      key: `remote.${remote}.receivepack`,
      value: `git remote-${REFUSING_TRANSPORT}`,
    })),
  ]
}

function isRemote({ section, middle }: { section: string; middle: string }): boolean {
  return section === 'remote' && middle !== ''
}
