import type { Section } from './command.ts'
import { type CommandDoc, commandIndex, type FlagDoc } from './command-docs.ts'
import { type Display, programOf } from './terminal/display.ts'

/** The help for one command, or for the program. */
export function helpFor(command: string | undefined, display: Display): string[] {
  const doc = commandIndex.find(({ name }) => name === command)
  return doc ? commandHelp(doc, display) : overview(commandIndex, display)
}

export const SECTIONS: readonly Section[] = ['Plan', 'Look', 'Work', 'Run', 'Watch', 'Land', 'Share', 'Check', 'Set up']

/** What `gza` without arguments prints: all commands, by section. */
function overview(docs: readonly CommandDoc[], display: Display): string[] {
  const program = programOf(display.name)
  const shown = docs.filter((doc) => !doc.hidden)
  const width = longest(shown.map((doc) => doc.name)) + 2
  const sections = SECTIONS.flatMap((section) => [
    '',
    display.style.bold(section),
    ...shown.filter((doc) => doc.section === section).map((doc) => `  ${doc.name.padEnd(width)}${doc.brief}`),
  ])
  return [
    `${program}: tasks for AI coding agents, kept in git`,
    ...sections,
    '',
    `Start:  ${program} add "Refactor auth middleware to use JWT"`,
    `Help:   ${program} COMMAND ${display.name === 'git-tasks' ? '-h' : '--help'}`,
    `Before the command: -C DIR runs it in another folder. On every command: --json, --branch NAME.`,
  ]
}

/** What `gza add --help` prints. */
function commandHelp(doc: CommandDoc, display: Display): string[] {
  const program = programOf(display.name)
  const heading = (title: string): string[] => ['', display.style.bold(title)]
  const flags = [...doc.flags, HELP_FLAG].map(flagRow)
  return [
    display.style.bold('USAGE'),
    `  ${usageLine(doc, program)}`,
    '',
    ...wrap(doc.description, 100),
    ...(doc.arguments.length === 0 ? [] : [...heading('ARGUMENTS'), ...columns(doc.arguments.map(argumentRow))]),
    ...heading('FLAGS'),
    ...columns(flags),
    ...heading('EXAMPLES'),
    ...doc.examples.map((example) => `  ${program} ${example}`),
  ]
}

function usageLine(doc: CommandDoc, program: string): string {
  const args = doc.arguments.map(({ name, optional, many }) => {
    const shown = many ? `${name}...` : name
    return optional ? `[${shown}]` : shown
  })
  return [program, doc.name, '[FLAGS]', ...args].join(' ')
}

const HELP_FLAG: FlagDoc = {
  name: 'help',
  alias: 'h',
  value: null,
  values: [],
  repeatable: false,
  brief: 'Print this help',
}

function flagRow(flag: FlagDoc): [string, string] {
  const name = `${flag.alias ? `-${flag.alias}, ` : '    '}--${flag.name}`
  const details = [
    ...(flag.repeatable ? ['can be repeated'] : []),
    ...(flag.values.length > 0 ? [flag.values.join('|')] : []),
  ]
  return [
    flag.value ? `${name} ${flag.value}` : name,
    details.length > 0 ? `${flag.brief} (${details.join('; ')})` : flag.brief,
  ]
}

function argumentRow(argument: { name: string; brief: string }): [string, string] {
  return [argument.name, argument.brief]
}

function columns(rows: readonly [string, string][]): string[] {
  const width = longest(rows.map(([left]) => left)) + 2
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`)
}

function longest(texts: readonly string[]): number {
  return Math.max(...texts.map((text) => text.length))
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
