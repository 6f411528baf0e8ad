import type { ChangedFile } from '../../core/landing/guarded-files.ts'
import type { GitPlace } from '../../platform/git/git.ts'
import { runOwnGit } from '../../platform/git/own-git.ts'
import { GITLINK } from '../../platform/git/uncommitted.ts'

/**
 * The files that each tip has changed since it left the base. One git process answers for all tips: one process for
 * each was a third of all processes of a landing. A tip without common history has changed all files that differ.
 */
export function changedSince(place: GitPlace, base: string, tips: readonly string[]): Map<string, ChangedFile[]> {
  const changed = new Map(tips.map((tip): [string, ChangedFile[]] => [tip, []]))
  for (let at = 0; at < tips.length; at += AT_ONCE) {
    const some = tips.slice(at, at + AT_ONCE)
    const starts = forkPoints(place, base, some)
    const pairs = some.map((tip, index) => `${tip} ${starts[index] ?? base}\n`)
    for (const { tip, file } of diffPairs(place, pairs.join(''))) changed.get(tip)?.push(file)
  }
  return changed
}

/** The length of a command line is limited. */
const AT_ONCE = 500

/** For `a...b` git prints both ends, then each merge base with a caret. If there are several, a diff uses the first. */
function forkPoints(place: GitPlace, base: string, tips: readonly string[]): (string | null)[] {
  const lines = runOwnGit(place, ['rev-parse', ...tips.map((tip) => `${base}...${tip}`)])
    .toString()
    .split('\n')
  let at = 0
  return tips.map(() => {
    at += 2
    const first = at
    while (lines[at]?.startsWith('^')) at++
    return first === at ? null : (lines[first]?.slice(1) ?? null)
  })
}

/** Raw output, so that a file name cannot look like the line of another tip. */
function diffPairs(place: GitPlace, pairs: string): { tip: string; file: ChangedFile }[] {
  const args = ['diff-tree', '--stdin', '-r', '--raw', '--no-renames', '--ignore-submodules=none', '-z']
  const words = runOwnGit(place, args, pairs).toString().split('\0')
  const found: { tip: string; file: ChangedFile }[] = []
  let tip = ''
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word.startsWith(':')) {
      // `:old-mode new-mode …`, of a pair that names the tip first.
      const isNested = word.slice(1).split(' ', 2).includes(GITLINK)
      found.push({ tip, file: { path: words[++at] ?? '', isNested } })
    } else tip = word
  }
  return found
}
