import type { CommandDoc, FlagDoc } from '../../src/cli/command-docs.ts'
import { SECTIONS } from '../../src/cli/help.ts'
import { entry, heading, indented, literal, paragraphs, subheading, title } from './roff.ts'

export interface Program {
  /** The executable, as the page is named. */
  name: string
  /** What a person types. */
  typed: string
  /** The page of the other name. */
  other: string
  version: string
}

/** One complete page: everything about every command under one of the two names. */
export function manPage(program: Program, commands: readonly CommandDoc[]): string {
  const shown = commands.filter((command) => !command.hidden)
  const shared = sharedFlags(shown)
  return [
    title(program.name, program.version),
    heading('Name'),
    `${program.name.replaceAll('-', '\\-')} \\- a git repository as a work queue for coding agents\n`,
    heading('Synopsis'),
    literal([`${program.typed} COMMAND [OPTION]... [ARGUMENT]...`, `${program.typed} COMMAND --help`]),
    heading('Description'),
    paragraphs(DESCRIPTION),
    heading('Options'),
    paragraphs('Every command takes these.'),
    ...shared.map(describeFlag),
    heading('Commands'),
    ...SECTIONS.flatMap((section) => {
      const inSection = shown.filter((command) => command.section === section)
      return inSection.length === 0
        ? []
        : [subheading(section), ...inSection.map((command) => describeCommand(program, command, shared))]
    }),
    heading('Naming a task'),
    paragraphs(NAMING),
    heading('Environment'),
    ...ENVIRONMENT.map(([name, text]) => entry(name, text)),
    heading('Files'),
    ...FILES.map(([name, text]) => entry(name, text)),
    heading('Exit status'),
    ...EXIT_STATUS.map(([name, text]) => entry(name, text)),
    heading('See also'),
    `.BR ${program.other.replaceAll('-', '\\-')} (1),\n.BR git (1),\n.BR git\\-notes (1)\n`,
  ].join('')
}

function describeCommand(program: Program, command: CommandDoc, shared: readonly FlagDoc[]): string {
  const own = command.flags.filter((flag) => !shared.some((other) => other.name === flag.name))
  const words = command.arguments.map((argument) => {
    const name = argument.many ? `${argument.name}...` : argument.name
    return argument.optional ? `[${name}]` : name
  })
  const usage = [program.typed, command.name, ...(own.length > 0 ? ['[OPTION]...'] : []), ...words].join(' ')
  const details = [
    ...command.arguments.map((argument) => entry(argument.name, sentence(argument.brief))),
    ...own.map(describeFlag),
    command.examples.length === 0
      ? ''
      : paragraphs('Examples:') + literal(command.examples.map((example) => `${program.typed} ${example}`)),
  ]
  return entry(usage, command.description) + indented(details.join(''))
}

function describeFlag(flag: FlagDoc): string {
  const names = [...(flag.alias === null ? [] : [`-${flag.alias}`]), `--${flag.name}`].join(', ')
  const term = flag.value === null ? names : `${names} ${flag.value}`
  const values = flag.values.length === 0 ? '' : ` One of ${flag.values.join(', ')}.`
  return entry(term, `${sentence(flag.brief)}${values}${flag.repeatable ? ' May be repeated.' : ''}`)
}

/** Printed once at the top instead of under each command. */
function sharedFlags(commands: readonly CommandDoc[]): FlagDoc[] {
  const isShared = (flag: FlagDoc): boolean =>
    commands.every((command) => command.flags.some((other) => other.name === flag.name && other.brief === flag.brief))
  return commands[0]?.flags.filter(isShared) ?? []
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

const DESCRIPTION = `gza turns a git repository into a work queue for coding agents. Tasks are git objects under
refs/tasks/<branch>: they are versioned, pushed, fetched and merged like code, and never appear in the working tree.

The program has two names, gza and git-tasks, so that it can be called as gza and as git tasks. Every command exists
under both, on the same data.

An agent may file tasks, close them and add notes. It may not edit or delete tasks, start agents, or push or land work:
these commands are refused while an agent's marker is in the environment.`

const NAMING = `A task is named by its number (12 or #12), its id (task-a3f8), any unique prefix of its id, or its key
from a plan (T2-a).`

const ENVIRONMENT: [string, string][] = [
  ['GZA_BRANCH', 'The ledger to use, as --branch does.'],
  ['GZA_AGENT, ZAGI_AGENT', 'If set, the caller is an agent, and this value is the author of the tasks that it files.'],
  ['GZA_TRUST', 'If 1, configured commands run without gza trust. For scripts.'],
  ['NO_COLOR', 'If set, no colours are printed.'],
  ['VISUAL, EDITOR', 'The editor that gza add opens if no text is given.'],
]

const FILES: [string, string][] = [
  ['refs/tasks/<branch>', 'The ledger: a commit whose tree holds the tasks. git log -p shows its audit trail.'],
  ['refs/notes/tasks, refs/notes/prompt', 'The tasks and the prompt that a commit belongs to.'],
  ['.git/gza/state.db', 'An index of the ledgers. It is rebuilt if it is missing.'],
  ['.git/gza/live.db', 'What is happening now: leases, runs, agents.'],
  ['.gza/', 'Readable copies of plans, explorations and reviews; logs.'],
  ['gza.yaml', 'Configuration of the repository.'],
]

const EXIT_STATUS: [string, string][] = [
  ['0', 'Done.'],
  ['1', 'Refused, or a check found something wrong.'],
  ['2', 'The command line was wrong.'],
  ['70', 'A defect in gza itself.'],
]
