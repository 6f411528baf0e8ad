import { shellWord } from './text/shell-word.ts'

/**
 * A text for people that can name commands of this program. A command in it is data, because only the face that prints
 * the text knows which name the program was called by: `gza edit 3` or `git tasks edit 3`.
 */
export type Sentence = string | Command | readonly (string | Command)[]

/** A command line without the program's name. */
export interface Command {
  readonly command: readonly CommandWord[]
}

/** A string is quoted if a shell needs it; the rest is for the reader to fill in or to choose from. */
export type CommandWord = string | { readonly unquoted: string }

/** sentence`Read it, then: ${command`trust`}`. Commands stay data, and no other value is searched for commands. */
export function sentence(texts: TemplateStringsArray, ...values: readonly (Sentence | number)[]): Sentence {
  return texts.flatMap((text, at) => [text, ...partsOf(values[at] ?? '')]).filter((part) => part !== '')
}

/**
 * command`edit ${number} --reopen`. Each value is one word, a list is several words. Text of the template that a shell
 * would not accept, such as "…" and --fixed|--skip, is printed unquoted.
 */
export function command(texts: TemplateStringsArray, ...values: readonly (Value | readonly Value[])[]): Command {
  return { command: texts.flatMap((text, at) => [...typedWords(text), ...[values[at] ?? []].flat().map(wordOf)]) }
}

/** commandLine`retry ${number}` is the text `gza retry 3`: for records and JSON, which have no caller. */
export function commandLine(texts: TemplateStringsArray, ...values: readonly (Value | readonly Value[])[]): string {
  return sentenceText(command(texts, ...values))
}

type Value = CommandWord | number

function wordOf(value: Value): CommandWord {
  return typeof value === 'number' ? String(value) : value
}

function typedWords(text: string): CommandWord[] {
  const words = text.match(/"[^"]*"|\S+/g) ?? []
  return words.map((word) => (shellWord(word) === word ? word : { unquoted: word }))
}

/** The sentence as it is printed for someone who calls the program by this name. */
export function sentenceText(sentence: Sentence, program = 'gza'): string {
  return partsOf(sentence)
    .map((part) => (typeof part === 'string' ? part : commandTextOf(part, program)))
    .join('')
}

export function partsOf(value: Sentence | number): readonly (string | Command)[] {
  if (typeof value === 'number') return [String(value)]
  return typeof value === 'string' || 'command' in value ? [value] : value
}

export function commandTextOf(line: Command, program: string): string {
  return [program, ...line.command.map((word) => (typeof word === 'string' ? shellWord(word) : word.unquoted))].join(
    ' ',
  )
}
