/** The files that a piece of a plan names, and the rest of what it says. */
export interface NamedFiles {
  files: { path: string; role: 'create' | 'modify' | 'test' | null }[]
  /** What was given as a file and is none. */
  others: string[]
}

/** `` `a.ts`, `b.ts` ``, `a.ts (new) - the parser`, `Create a.ts and b.ts`, `src/x.py:12-40`. */
export function readFileNames(text: string): NamedFiles {
  const found: NamedFiles = { files: [], others: [] }
  const [before = '', ...quoted] = text.split('`')
  // Odd places stand between backticks, even ones behind them.
  for (let at = 0; at + 1 < quoted.length; at += 2) {
    const path = quoted[at] ?? ''
    const role = roleIn(quoted[at + 1] ?? '') ?? roleIn(before)
    if (isPath(path)) found.files.push({ path: tidyPath(path), role })
  }
  if (found.files.length > 0) return found
  for (const piece of text.split(/,|;|\s+(?:and|&|\+)\s+/)) readPiece(piece.trim(), found)
  return found
}

function readPiece(piece: string, found: NamedFiles): void {
  if (piece === '') return
  const bare = piece.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/^\*\*|\*\*$|[`"']/g, '')
  const words = bare.split(/\s+/)
  // Among words of a sentence, and/or is no file.
  const isSentence = bare.replace(/\s(?:[-–—(#]|\/\/).*$/, '').split(/\s+/).length > 3
  const path = words.find((word) => isPath(word) && !(isSentence && !/\.\w+$/.test(tidyPath(word))))
  if (path === undefined) found.others.push(piece)
  else found.files.push({ path: tidyPath(path), role: roleIn(bare.replace(path, ' ')) })
}

function roleIn(words: string): 'create' | 'modify' | 'test' | null {
  if (/\b(?:new|create[sd]?|add(?:ed)?)\b/i.test(words)) return 'create'
  if (/\b(?:modif(?:y|ied|ies)|updated?|edit(?:ed)?|changed?|extend(?:ed)?|existing)\b/i.test(words)) return 'modify'
  return /\btests?\b/i.test(words) ? 'test' : null
}

const BARE_NAMES =
  /^(?:Makefile|Dockerfile|Containerfile|Justfile|Rakefile|Gemfile|Procfile|LICENSE|README|CHANGELOG|CODEOWNERS)$/

/** One word with a slash or an ending, that is no address, version, call or ellipsis. */
function isPath(word: string): boolean {
  const bare = word
    .trim()
    .replace(/^(?:\.?\/)+(?=.*\.\w|.*\/)/, '')
    .replace(LINE_NUMBERS, '')
    .replace(/[,;:)\]]+$/, '')
  if (bare.length > 300 || /\s/.test(bare) || /^(?:https?:|www\.|--?\w|@[\w-]+\/[\w-]+$)/.test(bare)) return false
  if (/[<>|"'=!?;]|\.\.\.|^v?\d+(?:\.\d+)+$/.test(bare) || SYSTEM.test(word)) return false
  if (BARE_NAMES.test(bare)) return true
  return /^[\w.@~*{}[\]$+,-]*[\w*\]}](?:\/[\w.@~*{}[\]$+,()-]+)+\/?$|^\.?[\w*-][\w.*@-]*\.[A-Za-z][\w]{0,9}$|^\.[a-z][\w.-]+$/.test(
    bare,
  )
}

const SYSTEM = /^\s*\/(?:etc|usr|tmp|var|home|opt|bin|dev|proc)\//
const LINE_NUMBERS = /:(?:L?\d+(?:[-–,:]L?\d+)*)$/

function tidyPath(path: string): string {
  return path
    .trim()
    .replace(/[,;:)]+$/, '')
    .replace(LINE_NUMBERS, '')
    .replace(/^(?:\.?\/)+/, '')
    .replaceAll('\\', '/')
}
