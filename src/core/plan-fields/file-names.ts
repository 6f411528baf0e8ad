import { posix } from 'node:path'
import { shorten } from '../text/shorten.ts'

/** The files that a part of a plan names. */
export interface NamedFiles {
  files: { path: string; role: 'create' | 'modify' | 'test' | null }[]
  /** Paths that lead out of the repository. */
  outside: string[]
  /** Paths with blanks that are not quoted. */
  spaced: string[]
}

/** `` `a.ts`, `b.ts` ``, `a.ts (new) - the parser`, `Create a.ts and b.ts`, `src/x.py:12-40`. */
export function readFileNames(text: string): NamedFiles {
  const found: NamedFiles = { files: [], outside: [], spaced: [] }
  // Parts at even indices are outside backticks; the last one may be unclosed.
  const parts = text
    .split('`')
    .map((part, at) => (at % 2 === 0 ? backquote(part) : part))
    .join('`')
    .split('`')
  const isQuoted = parts.some((part, at) => at % 2 === 1 && at + 1 < parts.length && isNamed(part))
  if (!isQuoted) for (const piece of text.split(SEVERAL)) readPiece(piece.trim(), found)
  else
    for (const [at, part] of parts.entries()) {
      if (at % 2 === 1) addQuoted(part, roleIn(untilNextPath(parts[at + 1] ?? '')) ?? roleIn(parts[0] ?? ''), found)
      // Between quoted names, only text that is a path and nothing else.
      else for (const piece of part.split(SEVERAL)) if (isAlone(piece.trim())) readPiece(piece.trim(), found)
    }
  return found
}

/** In `` `a.ts`, src/b.ts (new) `` only the second is new. */
function untilNextPath(text: string): string {
  const pieces = text.split(SEVERAL)
  const next = pieces.findIndex((piece) => isPath(piece.trim().split(/\s/, 1)[0] ?? ''))
  return (next === -1 ? pieces : pieces.slice(0, next)).join(',')
}

function isAlone(piece: string): boolean {
  const [first = '', ...others] = piece.split(/\s+/)
  return others.length === 0 || isNamed(piece) || (first.includes('/') && isPath(first))
}

/** `"src/a b.ts"` is quoted just as with backticks. */
function backquote(text: string): string {
  return text.replace(QUOTES, (whole, ...inner: unknown[]) => {
    const path = inner.slice(0, 3).find((part) => typeof part === 'string')
    return path !== undefined && isNamed(path as string) ? `\`${path}\`` : whole
  })
}

const QUOTES = /"([^"]+)"|[“„]([^“”„]+)[“”]|(?<!\w)'([^']+)'(?!\w)/g

function isNamed(text: string): boolean {
  return isOutside(text) || isQuotedPath(text)
}

function addQuoted(path: string, role: NamedFiles['files'][number]['role'], { files, outside }: NamedFiles): void {
  if (isOutside(path)) outside.push(path.trim())
  else if (isQuotedPath(path)) files.push({ path: tidyPath(path), role })
}

export function isQuotedPath(text: string): boolean {
  return isPath(text) || isSpacedPath(text)
}

/** Not the stars of `src/**` and of `**` before a slash. */
const BOLD = /(?<![\w/*])\*\*([^*\s/][^*]*)\*\*(?![\w/*])/g
const SEVERAL = /,|;|\s+(?:and|&|\+)\s+/

function readPiece(piece: string, found: NamedFiles): void {
  if (piece === '') return
  const bare = piece
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(BOLD, '$1')
    .replace(/^\*\*(?!\/)|(?<!\/)\*\*$|[`"']/g, '')
  const words = bare.split(/\s+/)
  // Among the words of a sentence, and/or is not a file.
  const isSentence = bare.replace(/\s(?:[-–—(#]|\/\/).*$/, '').split(/\s+/).length > 3
  const away = words.find(isOutside)
  if (away !== undefined) {
    found.outside.push(away)
    return
  }
  const spaced = spacedPath(bare)
  if (spaced !== null) {
    found.files.push({ path: tidyPath(spaced), role: roleIn(bare.replace(spaced, ' ')) })
    found.spaced.push(spaced)
    return
  }
  if (words.every((word) => isPath(word) && /\.\w+$/.test(tidyPath(word)))) {
    for (const word of words) found.files.push({ path: tidyPath(word), role: null })
    return
  }
  const path = words.find((word) => isPath(word) && !(isSentence && !/\.\w+$/.test(tidyPath(word))))
  if (path !== undefined) found.files.push({ path: tidyPath(path), role: roleIn(bare.replace(path, ' ')) })
}

function roleIn(words: string): 'create' | 'modify' | 'test' | null {
  if (/\b(?:new|create[sd]?|add(?:ed)?)\b/i.test(words)) return 'create'
  if (/\b(?:modif(?:y|ied|ies)|updated?|edit(?:ed)?|changed?|extend(?:ed)?|existing)\b/i.test(words)) return 'modify'
  return /\btests?\b/i.test(words) ? 'test' : null
}

const BARE_NAMES =
  /^(?:Makefile|Dockerfile|Containerfile|Justfile|Rakefile|Gemfile|Procfile|LICENSE|README|CHANGELOG|CODEOWNERS)$/

/** `../x`, `~/x`, `C:\\x`, `/etc/x`: no task may ask to write there. A slash before a folder means the top. */
export function isOutside(word: string): boolean {
  const path = word.trim().replaceAll('\\', '/')
  return (
    /^(?:~[\w.-]*\/|[A-Za-z]:\/|\/\/\w|file:\/\/)/.test(path) ||
    SYSTEM.test(path) ||
    /^\/*\.\.(?:\/|$)/.test(posix.normalize(path))
  )
}

export function describeOutside(path: string): string {
  return `'${shorten(path, 60)}' is outside the repository; it is ignored`
}

/** One word with a slash or an extension that is not an address, version, call or ellipsis. */
function isPath(word: string): boolean {
  const bare = word
    .trim()
    .replace(/^(?:\.?\/)+(?=.*\.\w|.*\/)/, '')
    .replace(LINE_NUMBERS, '')
    .replace(/[,;:)\]]+$/, '')
    .replaceAll('\\', '/')
  if (bare.length > 300 || /\s/.test(bare) || /^(?:https?:|www\.|--?\w|@[\w-]+\/[\w-]+$)/.test(bare)) return false
  if (/[<>|"'=!?;]|\.\.\.|^v?\d+(?:\.\d+)+$/.test(bare)) return false
  if (BARE_NAMES.test(bare)) return true
  return IN_FOLDER.test(bare) || NAMED.test(bare)
}

const LETTER = String.raw`\p{L}\p{M}\p{N}_`
const IN_FOLDER = new RegExp(
  String.raw`^[${LETTER}.@~*{}\[\]$+,\-]*[${LETTER}*\]}](?:\/[${LETTER}.@~*{}\[\]$+,()\-]+)+\/?$`,
  'u',
)
const NAMED = new RegExp(
  String.raw`^[.+$\[]?[${LETTER}*\-][${LETTER}.*@$\[\]+\-]*\.[A-Za-z]\w{0,9}$|^\.[a-z][\w.\-]+$`,
  'u',
)

/** In unquoted words, the ones from a folder to an extension: `Update src/my file.ts (new)`. */
function spacedPath(piece: string): string | null {
  const words = piece.split(' ')
  const start = words.findIndex((word) => word.includes('/'))
  const end = words.findIndex((word, at) => at > start && /\.[A-Za-z]\w{0,9}$/.test(word))
  if (start === -1 || end === -1 || end - start > 3) return null
  const path = words.slice(start, end + 1)
  return path.every((word) => !LINKS.test(word)) && isSpacedPath(path.join(' ')) ? path.join(' ') : null
}

/** Between a folder and a file, these words mean that there are two names. */
const LINKS = /^(?:in|for|with|the|to|of|from|into|as|via|or|by|on|that|is|are|[^\p{L}\p{N}]+)$/iu

/** `` `docs/my file.md` ``: one path, not a command or several files. */
function isSpacedPath(quoted: string): boolean {
  const words = quoted.trim().split(/ +/)
  if (words.length < 2 || !/\.[A-Za-z]\w{0,9}$/.test(words.at(-1) ?? '')) return false
  const isNamedAlone = words.length < 5 && !words.some((word) => WORDS_BEFORE.test(word))
  if (!words[0]?.includes('/') && !isNamedAlone) return false
  return isPath(words.join('_')) && words.slice(0, -1).every((word) => !/\.\w+$|^-/.test(word))
}

/** Words that precede a file name in commands and in sentences. */
const WORDS_BEFORE =
  /^(?:npm|npx|pnpm|yarn|bun|bunx|node|deno|tsx|tsc|python3?|pytest|pip|uv|go|cargo|make|git|bash|sh|cat|ruby|php|java|docker|jest|vitest|mocha|rspec|phpunit|mvn|gradle|dotnet|poetry|tox|ruff|eslint|prettier|create[sd]?|add(?:ed)?|new|update[sd]?|modif(?:y|ied)|edit|extend|change[sd]?|tests?|run|see|file|in|for|with|the|to|of|from|and|or)$/i

const SYSTEM =
  /^\/(?:etc|usr|tmp|var|home|opt|s?bin|dev|proc|root|sys|boot|mnt|srv|run|private|Users|Library|Applications|Volumes)\//
const LINE_NUMBERS = /:(?:L?\d+(?:[-–,:]L?\d+)*)$/

export function tidyPath(path: string): string {
  const bare = path
    .trim()
    .replace(/[,;:)]+$/, '')
    .replace(LINE_NUMBERS, '')
    .replaceAll('\\', '/')
  return posix.normalize(bare.replace(/^\/+/, ''))
}
