import { UserError } from '../../core/user-error.ts'

/**
 * Splits a command line into words like a POSIX shell: quotes and backslashes join what they enclose. No shell runs, so
 * nothing is expanded, and what only a shell could do (a pipe, a redirection) is refused and not passed on as a word.
 */
export function splitWords(command: string): string[] {
  const words: string[] = []
  let word: string | null = null
  for (let at = 0; at < command.length; ) {
    const token = tokenAt(command, at)
    at += token.length
    if (token.kind === 'text') word = (word ?? '') + token.text
    if (token.kind !== 'space' || word === null) continue
    words.push(word)
    word = null
  }
  return word === null ? words : [...words, word]
}

type Token = { length: number } & ({ kind: 'space' | 'continuation' } | { kind: 'text'; text: string })

function tokenAt(command: string, at: number): Token {
  for (const [pattern, read] of TOKENS) {
    pattern.lastIndex = at
    const found = pattern.exec(command)
    if (found === null) continue
    return { length: found[0].length, ...read(found[1] ?? '') }
  }
  throw badCommand(command, command.charAt(at))
}

const asText = (text: string) => ({ kind: 'text', text }) as const

const TOKENS: [
  pattern: RegExp,
  read: (inner: string) => { kind: 'space' | 'continuation' } | ReturnType<typeof asText>,
][] = [
  [/[ \t\n]+/y, () => ({ kind: 'space' })],
  [/\\\n/y, () => ({ kind: 'continuation' })],
  [/'([^']*)'/y, asText],
  // Within double quotes a backslash escapes only these five characters.
  [/"((?:[^"\\]|\\.)*)"/sy, (inner) => asText(inner.replace(/\\(?:\n|([$`"\\]))/g, '$1'))],
  [/\\(.)/sy, asText],
  [/([^ \t\n'"\\|&;<>()`]+)/y, asText],
]

function badCommand(command: string, character: string): UserError {
  const problem = /['"\\]/.test(character) ? `its ${character} is not closed` : `${character} needs a shell`
  return new UserError('BAD_COMMAND', `Cannot run “${command}”: ${problem}`, {
    hint: 'Agents are started without a shell: put such a command into a script, and use the script here.',
    exitCode: 2,
  })
}
