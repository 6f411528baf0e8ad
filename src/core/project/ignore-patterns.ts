/** Patterns with the syntax of .gitignore, relative to the top of the repository. */
export interface IgnorePattern {
  isNegated: boolean
  isOnlyFolder: boolean
  /** The pattern names a place and not a name at any depth. */
  isAnchored: boolean
  expression: RegExp
  /** The folders before the first wildcard, for an anchored pattern. */
  literalStart: readonly string[]
}

export function readPatterns(lines: readonly string[]): IgnorePattern[] {
  return lines.flatMap((line) => readPattern(line.replace(/\r$/, '')) ?? [])
}

function readPattern(line: string): IgnorePattern | null {
  // A trailing space counts only after a backslash.
  const text = line.replace(/(?<!\\) +$/, '')
  if (text === '' || text.startsWith('#')) return null
  const isNegated = text.startsWith('!')
  const whole = isNegated ? text.slice(1) : text
  const isOnlyFolder = whole.endsWith('/')
  const path = whole.replace(/\/+$/, '')
  if (path === '' || path === '/') return null
  const isAnchored = path.includes('/') && !path.startsWith('**/')
  const body = path.replace(/^\//, '')
  const prefix = isAnchored || path.includes('/') ? '' : '(?:.*/)?'
  const expression = new RegExp(`^${prefix}${toExpression(body)}$`, 's')
  return { isNegated, isOnlyFolder, isAnchored, expression, literalStart: isAnchored ? literalStart(body) : [] }
}

function literalStart(body: string): string[] {
  const parts = body.split('/')
  const wild = parts.findIndex((part) => /[*?[\\]/.test(part))
  return wild === -1 ? parts : parts.slice(0, wild)
}

/** One pass over the pattern: each wildcard becomes its expression, everything else matches itself. */
function toExpression(body: string): string {
  return body.replace(
    /(^|\/)\*\*(?=\/)\/?|\/\*\*$|\*+|\?|\[(!|\^)?(\]?(?:\\.|[^\]\\])*)\]|\\(.)|[^*?[\\/]+|./gs,
    (
      part,
      start: string | undefined,
      not: string | undefined,
      members: string | undefined,
      escaped: string | undefined,
    ) => {
      if (start !== undefined) return `${start}(?:.*/)?`
      if (part === '/**') return '/.+'
      if (part.startsWith('*')) return '[^/]*'
      if (part === '?') return '[^/]'
      if (members !== undefined) return `[${not === undefined ? '' : '^'}${members.replace(/[[\]]/g, '\\$&')}]`
      return RegExp.escape(escaped ?? part)
    },
  )
}

/** Whether a path matches: it itself or a folder above it. `path` has no trailing slash. */
export function isMatched(patterns: readonly IgnorePattern[], path: string, kind: 'file' | 'folder'): boolean {
  const parts = path.split('/')
  return parts.some((_, index) => {
    const isLast = index === parts.length - 1
    return isMatchedItself(patterns, parts.slice(0, index + 1).join('/'), isLast ? kind : 'folder')
  })
}

/** The last pattern that matches decides. */
function isMatchedItself(patterns: readonly IgnorePattern[], path: string, kind: 'file' | 'folder'): boolean {
  const last = patterns.findLast(
    ({ expression, isOnlyFolder }) => (kind === 'folder' || !isOnlyFolder) && expression.test(path),
  )
  return last !== undefined && !last.isNegated
}

/**
 * Whether a pattern names something inside a folder that itself does not match. A pattern for a name at any depth does
 * not: `.env*` must not search node_modules.
 */
export function namesSomethingIn(patterns: readonly IgnorePattern[], folder: string): boolean {
  const parts = folder.split('/')
  return patterns.some(({ isNegated, isAnchored, literalStart: start }) => {
    if (isNegated || !isAnchored || start.length === 0) return false
    return start.slice(0, parts.length).every((part, index) => part === parts[index])
  })
}

/** A pattern that matches exactly this path; null if no pattern can, because the name has a line break. */
export function patternFor(path: string): string | null {
  if (/[\r\n]/.test(path)) return null
  return `/${path.replace(/[\\*?[]/g, '\\$&').replace(/ +$/, (spaces) => spaces.replaceAll(' ', '\\ '))}`
}
