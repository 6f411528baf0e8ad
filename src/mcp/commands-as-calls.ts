import { type Command, commandTextOf, partsOf, type Sentence } from '../core/sentence.ts'

/** A sentence whose commands are printed as calls of the tools that do the same; the others stay commands. */
export function commandsAsCalls(sentence: Sentence): string {
  return partsOf(sentence)
    .map((part) => (typeof part === 'string' ? part : (callOf(part) ?? commandTextOf(part, 'gza'))))
    .join('')
}

function callOf({ command }: Command): string | null {
  const [name = '', ...words] = command.map((word) => (typeof word === 'string' ? word : word.unquoted))
  const input = inputOf(name, words)
  return input === null ? null : `${TOOL_NAMES[name] ?? name} ${JSON.stringify(input)}`
}

/** Commands whose tool has another name. */
const TOOL_NAMES: Readonly<Record<string, string>> = { ask: 'note', ready: 'next' }

function inputOf(name: string, words: readonly string[]): object | null {
  const [ref = 'ID', ...rest] = words
  switch (name) {
    case 'context':
    case 'next':
    case 'ready':
      return {}
    case 'list':
      return words.includes('--all') ? { status: ALL } : {}
    case 'claim':
      return words.includes('--next') ? {} : { ref }
    case 'show':
      return rest.includes('--branch') ? null : { ref, ...(rest.includes('--text') && { text: 'newest' }) }
    case 'why':
    case 'release':
    case 'done':
      return { ref }
    case 'note':
      return { ref, text: '…' }
    case 'ask':
      return { ref, text: '…', ask: true }
    case 'add':
      return { tasks: [{ content: '…' }] }
    default:
      return null
  }
}

const ALL = 'open,completed,failed,skipped'
