import type { Section } from './command.ts'
import { type CommandDoc, commandIndex, type FlagDoc } from './command-docs.ts'
import { type Display, programOf } from './terminal/display.ts'
import { wrapText } from './terminal/fit-to.ts'

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
  const width = longest(shown.map((doc) => doc.name))
  const sections = SECTIONS.flatMap((section) => [
    '',
    display.style.bold(section),
    ...columns(
      shown.filter((doc) => doc.section === section).map((doc) => [doc.name.padEnd(width), doc.brief]),
      display,
    ),
  ])
  return [
    ...wrapText(`${program}: tasks for AI coding agents, kept in git`, display.width ?? 100),
    ...sections,
    '',
    `Start:  ${program} add "Refactor auth middleware to use JWT"`,
    `Help:   ${program} COMMAND ${display.name === 'git-tasks' ? '-h' : '--help'}`,
    ...wrapText(
      'Before the command: -C DIR runs it in another folder. On every command: --json, --branch NAME.',
      display.width ?? 100,
    ),
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
    ...wrapText(doc.description, Math.min(100, display.width ?? 100)),
    ...(doc.arguments.length === 0
      ? []
      : [...heading('ARGUMENTS'), ...columns(doc.arguments.map(argumentRow), display)]),
    ...heading('FLAGS'),
    ...columns(flags, display),
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

/** Names on the left, what they mean on the right. On a terminal it continues below itself; a narrow one has it below. */
function columns(rows: readonly [string, string][], { width }: Display): string[] {
  const left = longest(rows.map(([name]) => name)) + 2
  return rows.flatMap(([name, brief]) => {
    if (width === null) return [`  ${name.padEnd(left)}${brief}`]
    const isBelow = width - 2 - left < NARROWEST
    const indent = isBelow ? BELOW : 2 + left
    const room = Math.max(NARROWEST, width - indent)
    const isWide = brief.split(' ').some((word) => word.length > room)
    const [first = '', ...others] = wrapText(isWide ? brief.replaceAll('|', ' | ') : brief, room)
    const below = (line: string) => ' '.repeat(indent) + line
    return isBelow
      ? [`  ${name}`, ...[first, ...others].map(below)]
      : [`  ${name.padEnd(left)}${first}`, ...others.map(below)]
  })
}

/** Fewer columns are not readable beside the names. */
const NARROWEST = 24
const BELOW = 8

function longest(texts: readonly string[]): number {
  return Math.max(...texts.map((text) => text.length))
}
