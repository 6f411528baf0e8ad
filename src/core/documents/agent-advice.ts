/** Next steps as an agent can use them: what only people may do is left out, and what the agent may do is in its place. */
import { type Command, command, partsOf, type Sentence, sentence, sentenceText } from '../sentence.ts'
import { isForPeople } from '../task/agent-mode.ts'

export interface Reader {
  /** Whether the agent can do what this command does. */
  canUse(command: Command): boolean
  /** In a run of gza: the agent has its task, and cannot take another. */
  isInRun: boolean
}

/** Who reads what the command line prints. */
export function commandLineReader(isInRun: boolean): Reader {
  return { isInRun, canUse: (line) => !isForPeople(wordsOf(line), isInRun) }
}

/** The hint of an error with this fact, for an agent. */
export function hintForAgent(hint: Sentence, fact: Sentence, reader: Reader): Sentence {
  const { left, dropped } = withoutUnusable(hint, reader)
  if (dropped.length === 0) return hint
  const isEnough = left.some((part) => typeof part !== 'string')
  return isEnough ? left : sentence`${joined(left)}${insteadOf(dropped, sentenceText(fact), reader)}`
}

/** A fact or a warning, for an agent. It is kept as it is if nothing would be left of it. */
export function factForAgent(fact: Sentence, reader: Reader): Sentence {
  const { left, dropped } = withoutUnusable(fact, reader)
  return dropped.length === 0 || left.length === 0 ? fact : left
}

function joined(left: readonly (string | Command)[]): Sentence {
  return left.length === 0 ? '' : [...left, ' ']
}

/** Something that an agent may always do. */
function insteadOf(dropped: readonly Command[], fact: string, { canUse, isInRun }: Reader): Sentence {
  const lines = dropped.map(wordsOf)
  if (!lines.some((words) => isForPeople(words, isInRun))) return command`context`
  // A number that the fact does not mention is one of an example.
  const named = new Set(fact.match(/(?<=#)\d+|\btask-\w+/g))
  const ref = lines.flatMap((words) => words.slice(1)).find((word) => named.has(word))
  const note = command`note ${ref ?? 'ID'} "…"`
  const explain = sentence`Only people can change that. To explain why it is needed: ${note}.`
  const next = command`claim --next`
  if (!isInRun && canUse(next)) return sentence`${explain} To take another task: ${next}`
  return sentence`${explain} Continue with your own task.`
}

function wordsOf({ command: words }: Command): string[] {
  return words.map((word) => (typeof word === 'string' ? word : word.unquoted))
}

interface Cleaned {
  left: (string | Command)[]
  dropped: Command[]
}

/** Without the clauses that name a command which the agent cannot use. */
function withoutUnusable(text: Sentence, { canUse }: Reader): Cleaned {
  const dropped: Command[] = []
  const clauses = clausesOf(withoutAsides(partsOf(text), canUse, dropped))
  const kept: (string | Command)[][] = []
  for (const [at, clause] of clauses.entries()) {
    const unusable = clause.filter((part) => typeof part !== 'string' && !canUse(part)) as Command[]
    dropped.push(...unusable)
    if (unusable.length === 0) kept.push(clause)
    else if (at < clauses.length - 1) endSentence(kept.at(-1))
  }
  return { left: dropped.length === 0 ? [...partsOf(text)] : tidied(kept.flat()), dropped }
}

/** What follows the clause is gone: it no longer ends with `, or`. */
function endSentence(clause: (string | Command)[] | undefined): void {
  const last = clause?.at(-1)
  if (clause && isText(last)) clause[clause.length - 1] = last.replace(/(?:[;,]|, or) $/, '. ')
}

/** A command in parentheses only adds to its clause: `Wait until it ends (gza ps)`. */
function withoutAsides(
  parts: readonly (string | Command)[],
  canUse: Reader['canUse'],
  dropped: Command[],
): (string | Command)[] {
  const left: (string | Command)[] = []
  for (const [at, part] of parts.entries()) {
    const before = left.at(-1)
    const after = parts[at + 1]
    const isAside =
      typeof part !== 'string' && isText(before) && / ?\($/.test(before) && isText(after) && after.startsWith(')')
    if (isAside && !canUse(part)) {
      dropped.push(part)
      left[left.length - 1] = before.replace(/ ?\($/, '')
    } else if (isText(part) && at > 1 && isText(before) && part.startsWith(')'))
      left[left.length - 1] = before + part.slice(1)
    else left.push(part)
  }
  return left
}

function isText(part: string | Command | undefined): part is string {
  return typeof part === 'string'
}

const AFTER_END = /(?<=[.;] |, or )/
const ENDED = /(?:[.;] |, or )$/

/** The parts between full stops, semicolons and `, or`, each with what ends it. */
function clausesOf(parts: readonly (string | Command)[]): (string | Command)[][] {
  const clauses: (string | Command)[][] = [[]]
  for (const part of parts) {
    for (const piece of isText(part) ? part.split(AFTER_END) : [part]) {
      clauses.at(-1)?.push(piece)
      if (isText(piece) && ENDED.test(piece)) clauses.push([])
    }
  }
  return clauses
}

/** What is left begins like a sentence, and does not end in the middle of one. */
function tidied(parts: (string | Command)[]): (string | Command)[] {
  const left = parts.filter((part) => part !== '')
  const first = left[0]
  if (isText(first)) left[0] = first.trimStart().replace(/^[a-z]/, (letter) => letter.toUpperCase())
  const last = left.at(-1)
  if (isText(last)) left[left.length - 1] = last.replace(/(?:[;,:]|, or)?\s*$/, '')
  return left.some((part) => !isText(part) || /\p{L}/u.test(part)) ? left : []
}
