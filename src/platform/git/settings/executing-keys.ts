/** Which settings make git run a program, take settings from elsewhere, or talk to another address. */

import type { Entry } from './neutral-settings.ts'

/**
 * Whether a value of this key could make git run something. Keys are as git prints them: section and name in lower case,
 * the middle part as it is.
 */
export function mayExecute(key: string): boolean {
  return SOMETIMES.some(([pattern]) => pattern.test(key)) || EXECUTING.some((pattern) => pattern.test(key))
}

/**
 * Whether a change of this key counts. `before`: all settings as they were. People set an alias, an editor or a new remote
 * while agents run. But what is pushed to a remote must not go elsewhere.
 */
export function isExecutingChange(
  { key, old, found }: { key: string; old: readonly string[]; found: readonly string[] },
  before: readonly Entry[],
): boolean {
  if ([...old, ...found].some((value) => isExecuting({ key, value }))) return true
  return isRemoteAddress(key) && isRemoteOf(before, remoteOf(key)) && found.some((value) => !old.includes(value))
}

/** People change the address of a remote too: it does not show who did it, unless a push would run something. */
export function isDoubtful(key: string, values: readonly string[]): boolean {
  return isRemoteAddress(key) && !values.some((value) => isPath(value) || isExecuting({ key, value }))
}

export function isRemoteAddress(key: string): boolean {
  return /^remote\..*\.(push)?url$/s.test(key)
}

/** `NAME` of `remote.NAME.url`. */
export function remoteOf(key: string): string {
  return key.slice('remote.'.length, key.lastIndexOf('.'))
}

export function isRemoteOf(settings: readonly Entry[], remote: string): boolean {
  return settings.some(({ key }) => isRemoteAddress(key) && remoteOf(key) === remote)
}

/** A setting that names the remote of a branch, or of all pushes. Git takes an address there too. */
export function isChoiceOfRemote(key: string): boolean {
  return CHOICE_OF_REMOTE.test(key)
}

const CHOICE_OF_REMOTE = /^(branch\..*\.(push)?remote|remote\.pushdefault)$/s

export function valuesOf(settings: readonly Entry[], key: string): string[] {
  return settings.flatMap((setting) => (setting.key === key ? [setting.value] : []))
}

function isExecuting({ key, value }: Entry): boolean {
  const sometimes = SOMETIMES.find(([pattern]) => pattern.test(key))
  return sometimes === undefined ? EXECUTING.some((pattern) => pattern.test(key)) : sometimes[1](value)
}

function isPath(address: string): boolean {
  return /^(file:|[./~]|[^:]*$)/i.test(address)
}

/** Keys of which some values execute nothing. */
const SOMETIMES: [key: RegExp, isExecuting: (value: string) => boolean][] = [
  [/^core\.fsmonitor$/, (value) => !/^(true|false|yes|no|on|off|0|1|)$/i.test(value)],
  [/^submodule\..*\.update$/s, (value) => value.startsWith('!')],
  // `ext::` and other addresses that name a program.
  [/^remote\..*\.url$/s, (value) => /^[a-z0-9+-]+::/i.test(value)],
  [/^remote\..*\.pushurl$/s, (value) => /^[a-z0-9+-]+::/i.test(value) || isPath(value)],
  // No command works in a repository that has become bare.
  [/^core\.bare$/, (value) => !/^(false|no|off|0|)$/i.test(value)],
  [/^alias\./s, (value) => !PLAIN_ALIAS.test(value) || RUNNING_OPTION.test(value)],
  [/^core\.(editor|pager)$/, (value) => !PLAIN_PROGRAM.test(value)],
  [CHOICE_OF_REMOTE, () => false],
]

/** An alias for a command of git that only reads or records. */
const PLAIN_ALIAS =
  /^(add|blame|branch|checkout|cherry-pick|commit|diff|fetch|log|merge|pull|push|reflog|reset|restore|rev-parse|revert|shortlog|show|stash|status|switch|tag|worktree)(\s|$)/

const RUNNING_OPTION = /(^|\s)['"]?(--e(x|\s|=|$)|--textconv|--upl|--rec|-[a-z]*[cx]\b|--config|--show-sig|--output)/

/** Well-known editors and pagers, with plain options. */
const PLAIN_PROGRAM =
  /^(vim?|nvim|nano|pico|emacs|emacsclient|micro|hx|kak|code|codium|subl|zed|less|more|most|cat|bat|delta|diff-so-fancy)(\s+-[\w-]+)*$/

const EXECUTING = [
  /^core\.(hookspath|sshcommand|gitproxy|askpass|alternaterefscommand|attributesfile|worktree)$/,
  /^(filter|hook|pager|difftool|mergetool|browser|man|guitool|sendemail|instaweb)\./,
  /^credential\.(.*\.)?helper$/s,
  /^diff\.(external|.*\.(command|textconv))$/s,
  /^merge\..*\.driver$/s,
  /^include(if\..*)?\.path$/s,
  /^url\..*\.(push)?insteadof$/s,
  /^remote\..*\.(uploadpack|receivepack|vcs)$/s,
  /^protocol\.(.*\.)?allow$/s,
  /^gpg\.(.*\.)?(program|defaultkeycommand)$/s,
  /^trailer\..*\.(command|cmd)$/s,
  /^(sequence\.editor|interactive\.difffilter|init\.templatedir|gc\.recentobjectshook|imap\.tunnel)$/,
  /^uploadpack\.packobjectshook$/,
]

/**
 * What takes the place of such a setting if it was not there before. An alias cannot replace a command of git, and an
 * include is undone by its single settings: neither needs a value.
 */
export function neutralEntries({ key }: Entry): Entry[] {
  const [section = ''] = key.split('.', 1)
  const middle = key.slice(0, key.lastIndexOf('.'))
  if (section === 'filter')
    return [
      ...['clean', 'smudge', 'process'].map((name) => ({ key: `${middle}.${name}`, value: '' })),
      ...notRequired(middle),
    ]
  if (section === 'hook') return [{ key: `${middle}.enabled`, value: 'false' }]
  // Git's own merge of texts. An empty driver would count as a merge without conflict.
  if (section === 'merge') return [{ key, value: 'git merge-file --quiet %A %O %B' }]
  if (isRemoteAddress(key)) return []
  if (section === 'alias' || section.startsWith('include') || section === 'url' || section === 'remote')
    return remoteEntries(key)
  return [{ key, value: PLAIN.get(key) ?? (section === 'protocol' ? 'never' : '') }]
}

function notRequired(middle: string): Entry[] {
  return [{ key: `${middle}.required`, value: 'false' }]
}

function remoteEntries(key: string): Entry[] {
  const program = /^remote\..*\.(upload|receive)pack$/s.exec(key)?.[1]
  return program === undefined ? [] : [{ key, value: `git-${program}-pack` }]
}

const PLAIN: ReadonlyMap<string, string> = new Map([
  ['core.hookspath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.sshcommand', 'ssh'],
  ['core.gitproxy', 'none'],
  ['core.editor', ':'],
  ['core.pager', 'cat'],
  ['core.attributesfile', '/dev/null'],
  ['sequence.editor', ':'],
  ['gpg.program', 'gpg'],
  ['gpg.openpgp.program', 'gpg'],
  ['gpg.x509.program', 'gpgsm'],
  ['gpg.ssh.program', 'ssh-keygen'],
])
