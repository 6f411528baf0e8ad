import { readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { ROOT, type Source } from '../source.ts'
import { splitCode } from '../split-code.ts'

interface Exception {
  /** The whole name, of a declaration or of a file without its suffix. */
  name: RegExp
  /** The folder in which it is allowed; without one, everywhere. */
  folder?: string
  why: string
}

const EXCEPTIONS: readonly Exception[] = [
  { name: /^package_?manager/i, why: 'the established word for npm and the like' },
  { name: /^credential_?helper/i, why: 'git’s own word' },
  { name: /^heard$/, folder: 'src/state/live/', why: 'a column of the stored runs' },
  { name: /^heard$/, folder: 'src/engine/phase/', why: 'the field of that column’s JSON, and the column' },
]

/** The words that no name of ours contains: the section "Never in code" of the glossary. */
export function forbiddenWords(glossary = readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8')): string[] {
  const list = /^## Never in code\n\n([\s\S]*?)(?:\n\n|$(?![\s\S]))/m.exec(glossary)?.[1] ?? ''
  const words = list.split(/[,\n]/).map((word) =>
    word
      .replace(/^-|[`.]/g, '')
      .trim()
      .toLowerCase(),
  )
  if (words.length < 2) throw new Error('docs/glossary.md has no list under "## Never in code"')
  return words.filter((word) => word !== '')
}

/** Names with a forbidden word, of files and of what is declared in them. */
export function forbiddenNames(sources: readonly Source[], words: readonly string[] = forbiddenWords()): string[] {
  const forbidden = new Set(words.flatMap((word) => [word, `${word}s`]))
  const wordIn = (name: string, path: string): string | undefined =>
    EXCEPTIONS.some((exception) => exception.name.test(name) && path.startsWith(exception.folder ?? ''))
      ? undefined
      : wordsOf(name).find((word) => forbidden.has(word))
  return sources.flatMap(({ path, text }) => [
    ...pathProblems(path, wordIn),
    ...declaredNames(text).flatMap(({ name, line }) => {
      const word = wordIn(name, path)
      return word === undefined
        ? []
        : [`${path}:${line}: ${name} contains "${word}", a word that is never used in code (docs/glossary.md)`]
    }),
  ])
}

function pathProblems(path: string, wordIn: (name: string, path: string) => string | undefined): string[] {
  return path.split('/').flatMap((part) => {
    const word = wordIn(part.replace(/\.[a-z.]+$/, ''), path)
    return word === undefined
      ? []
      : [`${path}: the path contains "${word}", a word that is never used in code (docs/glossary.md)`]
  })
}

/**
 * Each name once, at its first place. A name after a dot is a member of something, which is declared elsewhere: by us,
 * where it is found, or by somebody else, and then it is not ours.
 */
function declaredNames(text: string): { name: string; line: number }[] {
  const lines = new Map<string, number>()
  for (const piece of splitCode(text)) {
    if (piece.kind !== 'code') continue
    for (const [index, code] of piece.text.split('\n').entries())
      for (const [name] of code.matchAll(/(?<![\w$]|(?<!\.\.)\.)[A-Za-z_$][\w$]*/g))
        if (!lines.has(name)) lines.set(name, piece.line + index)
  }
  return [...lines].map(([name, line]) => ({ name, line }))
}

/** `keepHeardRun`, `KEEP_HEARD`, `keep-heard`: its words in small letters. */
function wordsOf(name: string): string[] {
  return name
    .split(/[_$-]|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '')
}
