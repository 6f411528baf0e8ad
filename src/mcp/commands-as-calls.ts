/** Texts for a client that has tools instead of a shell: their commands become calls, or are left out. */

import { factForAgent, hintForAgent, type Reader } from '../core/documents/agent-advice.ts'
import { type Command, partsOf, type Sentence } from '../core/sentence.ts'
import { isForPeople } from '../core/task/agent-mode.ts'

/** Who reads what the server answers. */
export function toolReader(isInRun: boolean): Reader {
  return { isInRun, canUse: (line) => callOf(line) !== null && !isForPeople(wordsOf(line), isInRun) }
}

/** The next step after an error, as calls of tools. A step that no tool can do is replaced by one that a tool can. */
export function hintAsCalls(hint: Sentence, fact: Sentence, reader: Reader): string {
  return commandsAsCalls(hintForAgent(hint, fact, reader))
}

/** A fact or a warning. What it says about commands that are not tools is left out. */
export function factAsCalls(fact: Sentence, reader: Reader): string {
  return commandsAsCalls(factForAgent(fact, reader))
}

/** Only a fact about nothing but a command can still name one that is not a tool: by its bare name. */
export function commandsAsCalls(sentence: Sentence): string {
  return partsOf(sentence)
    .map((part) => (typeof part === 'string' ? part : (callOf(part) ?? wordsOf(part).join(' '))))
    .join('')
}

function wordsOf({ command }: Command): string[] {
  return command.map((word) => (typeof word === 'string' ? word : word.unquoted))
}

/** The call that does the same, or one for each task; null if no tool does. A server has one ledger. */
function callOf(line: Command): string | null {
  const [name = '', ...words] = wordsOf(line)
  if (!Object.hasOwn(CALLS, name) || words.includes('--branch')) return null
  const args = words.filter((word) => !word.startsWith('-'))
  const refs = FOR_EACH.includes(name) && args.length > 1 ? args : [args[0] ?? 'ID']
  const calls = refs.map((ref) => CALLS[name]?.({ ref, args, words }) ?? null)
  if (calls.includes(null)) return null
  return calls.map((call) => `${call?.tool ?? name} ${JSON.stringify(call?.input)}`).join('; ')
}

/** Commands that take several tasks, where the tool takes one. */
const FOR_EACH: readonly string[] = ['done']

interface Given {
  ref: string
  args: readonly string[]
  words: readonly string[]
}

interface ToolCall {
  /** The command's own name if it is not given. */
  tool?: string
  input: object
}

const list = (status?: string, type?: string): ToolCall => {
  return { tool: 'list', input: { ...(status !== undefined && { status }), ...(type !== undefined && { type }) } }
}
const ALL = 'open,completed,failed,skipped'

/** What each command is as a call. Null, or no entry: no tool does it. */
const CALLS: Readonly<Record<string, (given: Given) => ToolCall | null>> = {
  context: () => ({ input: {} }),
  next: () => ({ input: {} }),
  ready: () => ({ tool: 'next', input: {} }),
  list: ({ words }) => {
    if (words.includes('--all-branches')) return null
    const type = words.includes('--type') ? words[words.indexOf('--type') + 1] : undefined
    return list(words.includes('--all') ? ALL : undefined, type)
  },
  search: ({ args }) => ({ tool: 'list', input: { text: args.join(' ').replace(/^"(.*)"$/, '$1') || '…' } }),
  ps: () => list('in_progress'),
  status: () => list(ALL),
  tree: ({ args, ref }) => (args.length === 0 ? list() : { tool: 'show', input: { ref } }),
  graph: ({ args, ref }) => (args.length === 0 ? list() : { tool: 'show', input: { ref } }),
  claim: ({ args, ref, words }) => {
    if (words.includes('--take-over')) return null
    return { input: args.length === 0 ? {} : { ref } }
  },
  show: ({ ref, args, words }) => ({
    input: { ref, ...(words.includes('--text') && { text: args[1] ?? 'newest' }) },
  }),
  why: ({ ref }) => ({ input: { ref } }),
  release: ({ ref, words }) => (words.includes('--run') ? null : { input: { ref } }),
  done: ({ ref }) => ({ input: { ref } }),
  note: ({ ref }) => ({ input: { ref, text: '…' } }),
  ask: ({ ref }) => ({ tool: 'note', input: { ref, text: '…', ask: true } }),
  add: () => ({ input: { tasks: [{ content: '…' }] } }),
}
