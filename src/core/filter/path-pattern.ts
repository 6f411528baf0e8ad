/**
 * Does the path match? A pattern without `*` and `?` is a path or the beginning of one. In a pattern, `*` and `?` stand
 * for letters other than `/`, and `**` for any. What matches a folder matches everything in it. Without a `/`, a name or
 * pattern may be anywhere in the path.
 */
export function matchesPath(pattern: string, path: string): boolean {
  const wanted = pattern.replace(/^(?:\.\/)+/, '')
  const isPattern = /[*?]/.test(wanted)
  if (!isPattern && path.startsWith(wanted)) return true
  if (!wanted.includes('/')) return path.split('/').some((name) => isMatch(stepsOf(wanted), name))
  return isPattern && isMatch(stepsOf(wanted), path)
}

type Step = { letter: string } | 'one' | 'many' | 'all'

function stepsOf(pattern: string): Step[] {
  return Array.from(pattern.matchAll(/\*\*\/?|\*|\?|./gsu), ([part]) => {
    if (part.startsWith('**')) return 'all'
    if (part === '*') return 'many'
    return part === '?' ? 'one' : { letter: part }
  })
}

/**
 * Follows all ways to read the pattern at once: a regular expression with many stars would try them one after the other,
 * which can take minutes.
 */
function isMatch(steps: readonly Step[], path: string): boolean {
  let reached = withSkipped(steps, new Set([0]))
  for (const letter of path) {
    if (letter === '/' && reached.has(steps.length)) return true
    const next = new Set<number>()
    for (const at of reached) {
      const step = steps[at]
      if (step === undefined) continue
      if (isRepeated(step)) {
        if (step === 'all' || letter !== '/') next.add(at)
      } else if (step === 'one' ? letter !== '/' : step.letter === letter) next.add(at + 1)
    }
    reached = withSkipped(steps, next)
    if (reached.size === 0) return false
  }
  return reached.has(steps.length)
}

function isRepeated(step: Step): step is 'many' | 'all' {
  return step === 'many' || step === 'all'
}

/** A star may match nothing. */
function withSkipped(steps: readonly Step[], reached: Set<number>): Set<number> {
  for (const at of reached) {
    const step = steps[at]
    if (step !== undefined && isRepeated(step)) reached.add(at + 1)
  }
  return reached
}
