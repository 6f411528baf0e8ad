import { basename } from 'node:path'
import { UserError } from '../../core/user-error.ts'
import type { Agent, AgentEvent, Invocation } from '../agent.ts'
import { limitReset } from '../reading/limit-reset.ts'
import { readPlainLine } from '../reading/plain-line.ts'
import { LONGEST_ARGUMENT, PROMPT_FILE } from './place-prompt.ts'
import { splitWords } from './split-words.ts'

/**
 * A command that the user configured, with `agents:` in gza.yaml or `--runner`. `{prompt}` in one of its words is
 * replaced by the prompt, `{prompt_file}` by the path of a file with the prompt.
 */
export interface CustomCommand {
  command: string
  /** Where the prompt goes if no word asks for it: it is the last argument, unless configured otherwise. */
  prompt?: 'argument' | 'stdin'
}

/** An agent that prints plain text. Git and verification judge its work. */
export function customAgent({ command, prompt = 'argument' }: CustomCommand, name?: string): Agent {
  const words = splitWords(command)
  const [program] = words
  if (!program) {
    throw new UserError('BAD_COMMAND', 'The agent’s command is empty', { hint: '--runner "aider --yes"', exitCode: 2 })
  }
  return {
    name: name ?? basename(program),
    label: command,
    words,
    canResume: false,
    speaksEvents: false,
    reports: [],
    invoke: (call) => placePrompt(words, prompt, call.prompt),
    reader: () => readText,
    limitReset,
  }
}

const PROMPT = '{prompt}'

function placePrompt(words: string[], place: 'argument' | 'stdin', prompt: string): Invocation {
  const inFile = words.some((word) => word.includes(PROMPT_FILE))
  const isPlaced = words.some((word) => word.includes(PROMPT))
  const isLast = !isPlaced && !inFile && place === 'argument'
  // No argument can contain this character.
  const text = prompt.replaceAll('\0', '')
  const isTooLong = (isPlaced || isLast) && Buffer.byteLength(text) > LONGEST_ARGUMENT
  const argument = isTooLong ? ELSEWHERE : text
  return {
    argv: isLast ? [...words, argument] : words.map((word) => word.replaceAll(PROMPT, () => argument)),
    env: {},
    ...((place === 'stdin' || isTooLong) && { stdin: prompt }),
    ...((inFile || isTooLong) && { promptFile: prompt }),
  }
}

/** An agent reads the file, a script its standard input. */
const ELSEWHERE =
  'Your instructions are too long for an argument. They are on standard input and, the same text, in the file ' +
  `${PROMPT_FILE}. Read all of them, then follow them.`

function readText(line: string): AgentEvent[] {
  const text = line.trimEnd()
  return text === '' ? [] : [{ kind: 'text', text }, ...readPlainLine(text)]
}
