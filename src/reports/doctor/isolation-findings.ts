import type { Config } from '../../core/config/settings.ts'
import { howToGetABox } from '../../core/isolation/how-to-get-a-box.ts'
import { isBox, type Level } from '../../core/isolation/levels.ts'
import { findLevel } from '../../engine/isolation/box/find-level.ts'
import { readMachineFacts } from '../../engine/isolation/box/machine-facts.ts'
import { thisMachine } from '../../engine/isolation/box/this-machine.ts'
import type { Env } from '../../platform/git/git.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** Which level this machine has, what does not work inside, and how to get a stronger one. */
export async function checkIsolation(env: Env, { isolation }: Config): Promise<Finding[]> {
  const { level, missing } = findLevel('auto', await thisMachine(env))
  const wanted = isolation.level
  const reasons = missing.map((each) => `${each.level}: ${each.why}`).join('; ')
  const detail = `${wanted === 'off' ? 'off; this machine has' : `${wanted}:`} ${LEVEL_WORDS[level]}`
  const inside = level === 'none' ? [] : [ok('isolation', insideWords(level, isolation.allow))]
  if (isBox(level)) return [ok('isolation', detail), ...inside]
  const what = `${detail} (${reasons})`
  const next = missing.some(({ why }) => why === 'only Linux has it')
    ? null
    : howToGetABox(readMachineFacts(env)).join(' ')
  if (wanted === 'off') return [{ ...ok('isolation', what), next }, ...inside]
  return [wanted === 'required' ? fail('isolation', what, next) : warn('isolation', what, next), ...inside]
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
