/** The configuration of a private git folder: the repository's own without secrets, addresses to push to, and commands. */

import { isExecutingChange, isRemoteAddress } from '../../../platform/git/settings/executing-keys.ts'
import type { Entry } from '../../../platform/git/settings/neutral-settings.ts'
import { splitKey } from '../../guard/git-settings.ts'

export interface ConfigPlaces {
  /** Replaces the repository's own; null: its default. */
  hooks: string | null
  /** The worktree's own excludes; null: it has none. */
  excludes: string | null
  /** Files have another owner inside of the box than outside. */
  hasOtherOwner: boolean
}

/** As the text of a configuration file. `entries`: those of the repository and the worktree, in git's order. */
export function privateConfig(entries: readonly Entry[], { hooks, excludes, hasOtherOwner }: ConfigPlaces): string {
  const kept = entries.flatMap((entry) => (isKept(entry) ? [withoutUser(entry)] : []))
  const own = [
    ...(hooks === null ? [] : [{ key: 'core.hookspath', value: hooks }]),
    ...(excludes === null ? [] : [{ key: 'core.excludesfile', value: excludes }]),
    // The index came with the owner outside. Otherwise git would take every file for changed, and store it again.
    ...(hasOtherOwner ? [{ key: 'core.checkstat', value: 'minimal' }] : []),
  ]
  return [formatVersion(kept), ...kept, ...own, ...OURS].map(configLines).join('')
}

/**
 * A pack or prune in the background would be killed with the agent. Signing needs a person's key, which is not in the
 * box: without this each commit would fail.
 */
const OURS: readonly Entry[] = [
  { key: 'core.bare', value: 'false' },
  { key: 'gc.auto', value: '0' },
  { key: 'maintenance.auto', value: 'false' },
  { key: 'commit.gpgsign', value: 'false' },
  { key: 'tag.gpgsign', value: 'false' },
]

function formatVersion(kept: readonly Entry[]): Entry {
  const isExtended = kept.some(({ key }) => key.startsWith('extensions.'))
  return { key: 'core.repositoryformatversion', value: isExtended ? '1' : '0' }
}

function isKept(entry: Entry): boolean {
  const { key, value } = entry
  if (REPLACED.test(key) || LEFT_OUT.test(key)) return false
  if (key.startsWith('extensions.')) return EXTENSIONS.test(key)
  return STILL_EXECUTED.test(key) || !isExecutingChange({ key, old: [], found: [value] }, [])
}

const REPLACED =
  /^(core\.(repositoryformatversion|bare|worktree|hookspath|fsmonitor)|gc\.auto|maintenance\..*|(commit|tag)\.gpgsign)$/s

/** Credentials, addresses to push to, what belongs to other places, and gza's own settings. */
const LEFT_OUT =
  /^(credential|http|include|includeif|branch|gza|receive|uploadpack|transfer|imap|sendemail|safe)\.|^remote\..*\.(pushurl|push|receivepack|proxy|proxyauthmethod)$|^remote\.pushdefault$|^lfs\.(storage|.*\.(access|key|cert))$/s

/** The private folder has refs as files and one configuration, whatever the real one has. */
const EXTENSIONS = /^extensions\.(objectformat|partialclone|compatobjectformat)$/

/**
 * They were there before and run only in the box. Without filters, LFS would store whole files; without merge drivers,
 * the agent's merges would differ from a person's.
 */
const STILL_EXECUTED =
  /^(filter\..*\.(clean|smudge|process|required)|merge\..*\.driver|diff\..*\.(textconv|command)|core\.attributesfile)$/s

/** `https://user:token@host/` without the part before the host. */
function withoutUser({ key, value }: Entry): Entry {
  const isAddress = isRemoteAddress(key) || /^(submodule\..*\.url|lfs\.(.*\.)?(push)?url)$/s.test(key)
  return isAddress ? { key, value: value.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1') } : { key, value }
}

function configLines({ key, value }: Entry): string {
  const { section, middle, name } = splitKey(key)
  const header = middle === '' ? `[${section}]` : `[${section} "${middle.replace(/["\\]/g, '\\$&')}"]`
  return `${header}\n\t${name} = "${value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"\n`
}
