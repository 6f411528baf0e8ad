/** Which settings make git run a program, take settings from elsewhere, or talk to another address. */

import type { Entry } from './neutral-settings.ts'

/** Keys are as git prints them: section and name in lower case, the middle part as it is. */
export function isExecuting({ key, value }: Entry): boolean {
  if (key === 'core.fsmonitor') return !/^(true|false|yes|no|on|off|0|1|)$/i.test(value)
  if (/^submodule\..*\.update$/s.test(key)) return value.startsWith('!')
  // `ext::` and other addresses that name a program.
  if (/^remote\..*\.(push)?url$/s.test(key)) return /^[a-z0-9+-]+::/i.test(value)
  return EXECUTING.some((pattern) => pattern.test(key))
}

const EXECUTING = [
  /^core\.(hookspath|sshcommand|gitproxy|askpass|editor|pager|alternaterefscommand|attributesfile|worktree)$/,
  /^(filter|alias|hook|pager|difftool|mergetool|browser|man|guitool|sendemail|instaweb)\./,
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
