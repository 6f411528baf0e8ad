import { type Entry, type Setting, splitKey } from './git-settings.ts'
import { REFUSING_TRANSPORT } from './install-guard.ts'

/**
 * Settings that make git send every push to a transport that refuses it, so that `--no-verify` and aliases do not help.
 * Git uses the longest prefix that matches an address: the empty one matches all, and a remote's whole address takes
 * precedence over any prefix that the user has configured.
 *
 * A remote with a pushurl ignores pushInsteadOf, so insteadOf is used there, unless the same address is also used to
 * fetch. In that case, and for every transport except HTTP, the program at the other end is replaced.
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
