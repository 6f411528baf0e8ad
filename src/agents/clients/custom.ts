import { basename } from 'node:path'
import { UserError } from '../../core/user-error.ts'
import type { Agent, AgentEvent, Invocation, PhaseCall } from '../agent.ts'
import { limitReset } from '../reading/limit-reset.ts'
import { readPlainLine } from '../reading/plain-line.ts'
import { LONGEST_ARGUMENT } from './place-prompt.ts'
import { splitWords } from './split-words.ts'

/** A command that the user configured, with `agents:` in gza.yaml or `--runner`. */
export interface CustomCommand {
  command: string
  /** Where the prompt goes: the last argument, unless configured otherwise. */
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
    canResume: false,
    speaksEvents: false,
    invoke: (call) => (prompt === 'stdin' ? { argv: words, env: {}, stdin: call.prompt } : withArgument(words, call)),
    reader: () => readText,
    limitReset,
  }
}

function withArgument(words: string[], { prompt }: PhaseCall): Invocation {
  // Characters that no argument can contain are removed from the text, and a prompt that is too long is refused before
  // the system does it.
  const argument = prompt.replaceAll('\0', '')
  if (Buffer.byteLength(argument) > LONGEST_ARGUMENT) {
    const size = Math.ceil(Buffer.byteLength(argument) / 1000)
    throw new UserError(
      'PROMPT_TOO_LONG',
      `The prompt has ${size} KB, but an argument can have at most ${LONGEST_ARGUMENT / 1000} KB`,
      {
        hint: 'Give the agent its prompt on standard input: `stdin: true` next to its command in gza.yaml.',
      },
    )
  }
  return { argv: [...words, argument], env: {} }
}

function readText(line: string): AgentEvent[] {
  const text = line.trimEnd()
  return text === '' ? [] : [{ kind: 'text', text }, ...readPlainLine(text)]
}
