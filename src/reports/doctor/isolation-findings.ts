import type { Config } from '../../core/config/settings.ts'
import { howToGetABox } from '../../core/isolation/how-to-get-a-box.ts'
import { isBox, type Level } from '../../core/isolation/levels.ts'
import { command, commandLine, sentence } from '../../core/sentence.ts'
import { printable } from '../../core/text/printable.ts'
import { findLevel } from '../../engine/isolation/box/find-level.ts'
import { readMachineFacts } from '../../engine/isolation/box/machine-facts.ts'
import { thisMachine } from '../../engine/isolation/box/this-machine.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { listSettings } from '../../platform/git/settings/list-settings.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** Which level this machine has, what does not work inside, and how to get a stronger one. */
export async function checkIsolation(repo: Repo, { isolation }: Config): Promise<Finding[]> {
  const { env } = repo
  const { level, missing } = findLevel('auto', await thisMachine(env))
  const wanted = isolation.level
  const reasons = missing.map((each) => `${each.level}: ${each.why}`).join('; ')
  const detail = `${wanted === 'off' ? 'off; this machine has' : `${wanted}:`} ${LEVEL_WORDS[level]}`
  const inside = level === 'none' ? [] : [ok('isolation', insideWords(level, isolation.allow))]
  if (isBox(level)) return [ok('isolation', detail), ...inside, ...(wanted === 'off' ? [] : checkPartialClone(repo))]
  const what = `${detail} (${reasons})`
  const next = missing.some(({ why }) => why === 'only Linux has it')
    ? null
    : howToGetABox(readMachineFacts(env)).join(' ')
  if (wanted === 'off') return [{ ...ok('isolation', what), next }, ...inside]
  const found = wanted === 'required' ? fail('isolation', what, next) : warn('isolation', what, next)
  return [found, ...inside, ...(level === 'landlock' ? [inOwnTree()] : [])]
}

/** The level that holds agents in worktrees of gza does not hold them in the person's own tree. */
function inOwnTree(): Finding {
  const why = 'Landlock cannot protect .git inside a folder in which an agent may make files'
  const detail = `${commandLine`run`} is not held: ${why}. Its agents run under the guard alone`
  return warn('isolation', detail, sentence`${command`work`} is held: its agents have worktrees of their own.`)
}

/** Git fetches missing files when it needs them. In a box there are no keys, and repositories on this machine are hidden. */
function checkPartialClone(repo: Repo): Finding[] {
  const settings = listSettings(repo) ?? []
  const remotes = settings.flatMap(({ key, value }) => {
    const name = /^remote\.(.+)\.promisor$/s.exec(key)?.[1]
    return name !== undefined && value !== 'false' ? [name] : []
  })
  return remotes.map((name) => {
    const address = settings.findLast(({ key }) => key === `remote.${name}.url`)?.value ?? ''
    const what = `this is a partial clone: in a box, git cannot fetch files of older commits from ${printable(name)}`
    if (/^https?:\/\//.test(address)) return ok('isolation', `${what} if it needs a login`)
    return warn('isolation', what, `git fetch --refetch --no-filter ${name} gets all of them.`)
  })
}

const LEVEL_WORDS: Record<Level, string> = {
  bubblewrap: 'a box made by bubblewrap',
  unshare: 'a box made by unshare',
  landlock: 'no box; Landlock refuses writes',
  none: 'no box, and no Landlock',
}

function insideWords(level: Level, allow: readonly string[]): string {
  const closed = [
    'sudo and setuid programs',
    ...(allow.includes('docker') || !isBox(level) ? [] : ["docker's socket"]),
    ...(allow.includes('ssh-agent') || !isBox(level) ? [] : ['the ssh agent']),
    ...(isBox(level) ? [] : ["a client's own sandbox (codex's)", 'making new files directly in your home folder']),
  ]
  const open = allow.length === 0 ? '' : `; allowed: ${allow.join(', ')}`
  const less = isBox(level)
    ? ''
    : '; nothing is hidden, and sockets such as those of docker and the ssh agent stay open'
  return `these do not work inside: ${closed.join(', ')}${open}${less}`
}
