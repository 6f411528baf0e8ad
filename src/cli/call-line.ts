import { command, type Sentence, sentence } from '../core/sentence.ts'
import { UserError } from '../core/user-error.ts'

/** The command line after the words before the command have been sorted out. */
export interface CallLine {
  /** Command, flags and arguments, in the form stricli takes. */
  words: string[]
  /** The folders of `-C`, each relative to the one before. */
  folders: string[]
  /** Known before parsing, because an error in the flags must be printed as JSON too. */
  json: boolean
  /** False with `--no-pager` before the command, where every command accepts it, as with git. */
  isPaged: boolean
}

export function readCallLine(argv: readonly string[]): CallLine {
  const { folders, early, rest, isPaged } = splitAtCommand(argv)
  const words = rest.length === 0 ? early : [...rest.slice(0, 1), ...early, ...rest.slice(1)]
  const flags = flagsOf(words)
  const normal: string[] = []
  for (const word of flags) {
    if (word.includes('=')) normal.push(...splitValue(word))
    else normal.push(word)
  }
  normal.push(...words.slice(flags.length))
  return { words: resolveHelp(normal), folders, json: flagsOf(normal).includes('--json'), isPaged }
}

interface Split {
  folders: string[]
  /** `--json` and `--branch NAME`, which are moved to after the command. */
  early: string[]
  rest: string[]
  isPaged: boolean
}

function splitAtCommand(argv: readonly string[]): Split {
  const folders: string[] = []
  const early: string[] = []
  const rest = [...argv]
  let isPaged = true
  while (rest[0]?.startsWith('-')) {
    const word = rest.shift() as string
    if (ENDS.includes(word)) return { folders, early, rest: [word, ...rest], isPaged }
    const [name = '', value] = splitOnce(word)
    if (name === '-C' || name === '--cwd') folders.push(value ?? takeValue(name, rest))
    else if (name === '--branch') early.push(`--branch=${value ?? takeValue(name, rest)}`)
    else if (word === '--json') early.push(word)
    else if (word === '--no-pager') isPaged = false
    else
      throw new UserError('UNKNOWN_FLAG', `Unknown flag ${word} before the command`, {
        hint: whatComesFirst(),
        exitCode: 2,
      })
  }
  return { folders, early, rest, isPaged }
}

/** Made only where it is needed: every call would pay for it. */
function whatComesFirst(): Sentence {
  return sentence`Before the command: -C DIR, --branch NAME, --json, --no-pager. Flags of a command follow it, as in ${command`list --all`}`
}

const ENDS = ['--', '-h', '--help', '-v', '--version']

function takeValue(name: string, rest: string[]): string {
  const value = rest.shift()
  if (value !== undefined) return value
  throw new UserError('USAGE', `${name} needs a value`, { hint: whatComesFirst(), exitCode: 2 })
}

function splitOnce(word: string): [string, string?] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)]
}

/** stricli would read `--group=` and `--content=two⏎lines` as arguments, so they become two words. */
function splitValue(word: string): string[] {
  const [name, value] = splitOnce(word)
  return value === '' || (value?.includes('\n') && FLAG_NAME.test(name)) ? [name, value] : [word]
}

const FLAG_NAME = /^--[a-z][a-z-]*$/

/** `gza help add` is `gza add --help`. */
function resolveHelp(words: string[]): string[] {
  if (words[0] !== 'help') return words
  return words[1] === undefined ? ['--help'] : [words[1], '--help']
}

function flagsOf(words: string[]): string[] {
  const end = words.indexOf('--')
  return end < 0 ? words : words.slice(0, end)
}
