import type { CliCommand, Flag, Parameters, Positional, Section } from './command.ts'
import { ALL_COMMANDS } from './tree/all-commands.ts'

/** The data from which help, manual pages and completion are made. */

export interface FlagDoc {
  name: string
  alias: string | null
  /** Placeholder of the value; null for a flag without a value. */
  value: string | null
  values: readonly string[]
  repeatable: boolean
  brief: string
}

export interface ArgumentDoc {
  name: string
  brief: string
  optional: boolean
  many: boolean
}

/** A command as plain data. Examples do not include the program's name. */
export interface CommandDoc {
  name: string
  section: Section
  hidden: boolean
  brief: string
  description: string
  arguments: readonly ArgumentDoc[]
  flags: readonly FlagDoc[]
  examples: readonly string[]
}

/** Every command, hidden ones included, in the order of the help. */
export const commandIndex: readonly CommandDoc[] = ALL_COMMANDS.map(describe)

function describe({ name, section, hidden, brief, description, examples, parameters }: CliCommand): CommandDoc {
  const { flags, aliases, positional } = parameters()
  return {
    name,
    section,
    hidden,
    brief,
    description: description ?? `${brief}.`,
    arguments: describeArguments(positional),
    flags: Object.entries(flags).map(([name, flag]) => describeFlag(name, flag, aliases)),
    examples,
  }
}

function describeFlag(name: string, flag: Flag, aliases: Parameters['aliases']): FlagDoc {
  const alias = Object.keys(aliases).find((letter) => aliases[letter] === name)
  return {
    name,
    alias: alias ?? null,
    value: flag.kind === 'boolean' ? null : (flag.placeholder ?? 'VALUE'),
    values: flag.values ?? [],
    repeatable: Boolean(flag.variadic),
    brief: flag.brief,
  }
}

function describeArguments(positional: Positional): ArgumentDoc[] {
  if (positional.kind === 'array') {
    const { brief, placeholder = 'VALUE' } = positional.parameter
    return [{ name: placeholder, brief, optional: !positional.minimum, many: true }]
  }
  return positional.parameters.map(({ brief, placeholder = 'VALUE', optional = false }) => ({
    name: placeholder,
    brief,
    optional,
    many: false,
  }))
}
