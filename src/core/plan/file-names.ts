import { posix } from 'node:path'

/** The files that a piece of a plan names. */
export interface NamedFiles {
  files: { path: string; role: 'create' | 'modify' | 'test' | null }[]
  /** Paths that lead out of the repository. */
  outside: string[]
}

/** `` `a.ts`, `b.ts` ``, `a.ts (new) - the parser`, `Create a.ts and b.ts`, `src/x.py:12-40`. */
export function readFileNames(text: string): NamedFiles {
  const found: NamedFiles = { files: [], outside: [] }
  // Even places stand outside backticks; the last one may be open.
  const parts = text.split('`')
  const isQuoted = parts.some(
    (part, at) => at % 2 === 1 && at + 1 < parts.length && (isOutside(part) || isQuotedPath(part)),
  )
  if (!isQuoted) for (const piece of text.split(SEVERAL)) readPiece(piece.trim(), found)
  else
    for (const [at, part] of parts.entries()) {
      if (at % 2 === 1) addQuoted(part, roleIn(parts[at + 1] ?? '') ?? roleIn(parts[0] ?? ''), found)
      // Between the quoted ones only what is a path and nothing else.
      else for (const piece of part.split(SEVERAL)) if (!/\s/.test(piece.trim())) readPiece(piece.trim(), found)
    }
  return found
}

function addQuoted(path: string, role: NamedFiles['files'][number]['role'], { files, outside }: NamedFiles): void {
  if (isOutside(path)) outside.push(path.trim())
  else if (isQuotedPath(path)) files.push({ path: tidyPath(path), role })
}

function isQuotedPath(text: string): boolean {
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
  // Among words of a sentence, and/or is no file.
  const isSentence = bare.replace(/\s(?:[-–—(#]|\/\/).*$/, '').split(/\s+/).length > 3
  const away = words.find(isOutside)
  if (away !== undefined) {
    found.outside.push(away)
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

/** `../x`, `~/x`, `C:\\x`, `/etc/x`: no task may be told to write there. A slash before a folder means the top. */
export function isOutside(word: string): boolean {
  const path = word.trim().replaceAll('\\', '/')
  return (
    /^(?:~[\w.-]*\/|[A-Za-z]:\/|\/\/\w|file:\/\/)/.test(path) ||
    SYSTEM.test(path) ||
    /^\/*\.\.(?:\/|$)/.test(posix.normalize(path))
  )
}

export function describeOutside(path: string): string {
  return `'${path.length > 60 ? `${path.slice(0, 59)}…` : path}' is outside the repository; it is left out`
}

/** One word with a slash or an ending, that is no address, version, call or ellipsis. */
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

/** `` `docs/my file.md` ``: one path, not a command or several files. */
function isSpacedPath(quoted: string): boolean {
  const words = quoted.trim().split(/ +/)
  if (words.length < 2 || !words[0]?.includes('/') || !/\.[A-Za-z]\w{0,9}$/.test(words.at(-1) ?? '')) return false
  return isPath(words.join('_')) && words.slice(0, -1).every((word) => !/\.\w+$|^-/.test(word))
}

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
