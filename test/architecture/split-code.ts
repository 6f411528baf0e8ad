/** A stretch of a source file: code, the text between quotes, or something that the rules do not look at. */
export interface Piece {
  kind: 'code' | 'text' | 'comment' | 'pattern'
  text: string
  line: number
}

/**
 * Splits TypeScript into code, texts, comments and regular expressions. TypeScript 7 has no parser that a program can
 * call, and the rules need only this much.
 */
export function splitCode(source: string): Piece[] {
  const pieces: Piece[] = []
  /** For each `${` that is open, how many braces are open inside it. */
  const open: number[] = []
  let at = 0
  let line = 1
  const take = (kind: Piece['kind'], length: number): void => {
    const text = source.slice(at, at + length)
    const last = pieces.at(-1)
    if (last?.kind === 'code' && kind === 'code') last.text += text
    else pieces.push({ kind, text, line })
    line += text.split('\n').length - 1
    at += length
  }
  while (at < source.length) {
    const rest = source.slice(at, at + 2)
    if (rest === '//') take('comment', matchAt(/[^\n]*/y, source, at))
    else if (rest === '/*') take('comment', matchAt(/\/\*[\s\S]*?\*\//y, source, at))
    else if (rest[0] === "'" || rest[0] === '"') take('text', matchAt(/(['"])(?:\\.|(?!\1)[^\\\n])*\1/y, source, at))
    else if (rest[0] === '`' || (rest[0] === '}' && open.at(-1) === 0)) {
      if (rest[0] === '}') open.pop()
      take('text', matchAt(/[`}](?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y, source, at))
      if (pieces.at(-1)?.text.endsWith('${')) open.push(0)
    } else if (rest[0] === '/' && startsPattern(pieces)) {
      take('pattern', matchAt(/\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/[a-z]*/y, source, at))
    } else {
      if (rest[0] === '{' && open.length > 0) open.push((open.pop() ?? 0) + 1)
      if (rest[0] === '}' && open.length > 0) open.push((open.pop() ?? 1) - 1)
      take('code', 1)
    }
  }
  return pieces
}

function matchAt(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at
  return pattern.exec(source)?.[0].length ?? 1
}

/** A slash after a value divides; anywhere else it begins a regular expression. */
function startsPattern(pieces: readonly Piece[]): boolean {
  const last = pieces.findLast(({ kind, text }) => kind !== 'comment' && text.trim() !== '')
  if (last === undefined) return true
  if (last.kind !== 'code') return false
  return /(?:[([{,;:=!&|?+\-*%<>~^}]|\b(?:return|typeof|case|in|of))\s*$/.test(last.text)
}
