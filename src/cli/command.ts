import type { Aliases, BaseArgs, Command, FlagParametersForType, TypedPositionalParameters } from '@stricli/core'
import { buildCommand } from '@stricli/core'
import { text, toggle } from './flags/flags.ts'
import type { Face, GlobalFlags } from './terminal/face.ts'

export const SECTIONS = ['Plan', 'Look', 'Work', 'Run', 'Watch', 'Land', 'Share', 'Check', 'Set up'] as const
export type Section = (typeof SECTIONS)[number]

export interface FlagDoc {
  name: string
  alias: string | null
  /** Placeholder of the value; null for a flag that is only there or not. */
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

/** A command as help, manual pages and completion see it: plain data. Examples lack the program's name. */
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

/** Building one costs a tenth of a millisecond, so each is built only when it is called or described. */
export interface CliCommand {
  name: string
  hidden: boolean
  describe(): CommandDoc
  build(): Command<Face>
}

type Loader<FLAGS, ARGS extends BaseArgs> = () => Promise<{
  default: (this: Face, flags: FLAGS, ...args: ARGS) => void | Promise<void>
}>

type OwnFlag<FLAGS> = Exclude<keyof FLAGS, keyof GlobalFlags> & string

type FlagsOf<FLAGS> = [OwnFlag<FLAGS>] extends [never]
  ? { flags?: undefined }
  : { flags: FlagParametersForType<Pick<FLAGS, OwnFlag<FLAGS> & keyof FLAGS>, Face> }

type Definition<FLAGS extends GlobalFlags, ARGS extends BaseArgs> = {
  name: string
  section: Section
  hidden?: boolean
  brief: string
  description?: string
  examples: readonly string[]
  aliases?: Aliases<OwnFlag<FLAGS>>
  positional?: TypedPositionalParameters<ARGS, Face>
  loader: Loader<FLAGS, ARGS>
} & FlagsOf<FLAGS>

const GLOBAL_FLAGS: FlagParametersForType<GlobalFlags, Face> = {
  branch: text('NAME', 'The ledger of this branch instead of the current one'),
  json: toggle('Print one JSON value'),
}

/** Every flag of every command is described in one place, its definition, and parsed, completed and documented from it. */
export function defineCommand<FLAGS extends GlobalFlags, ARGS extends BaseArgs>(
  definition: NoInfer<Definition<FLAGS, ARGS>> & Pick<Definition<FLAGS, ARGS>, 'loader'>,
): CliCommand {
  const { name, hidden = false, brief, loader } = definition
  return {
    name,
    hidden,
    describe: () => describe(definition, parametersOf(definition)),
    // The definition was checked against FLAGS and ARGS above; the merge with the global flags loses that link.
    build: () =>
      buildCommand({ loader: loader as never, parameters: parametersOf(definition) as never, docs: { brief } }),
  }
}

function parametersOf(definition: { flags?: object; aliases?: object; positional?: unknown }): Parameters {
  return {
    // No prototype: `--constructor` must be an unknown flag, and stricli looks flags up by plain indexing.
    flags: Object.assign(Object.create(null), definition.flags, GLOBAL_FLAGS),
    aliases: { ...definition.aliases },
    positional: definition.positional ?? NO_ARGUMENTS,
  }
}

const NO_ARGUMENTS = { kind: 'tuple', parameters: [] } as const

interface Flag {
  kind: 'boolean' | 'counter' | 'enum' | 'parsed'
  brief: string
  placeholder?: string
  values?: readonly string[]
  variadic?: boolean | string
}
type Flags = Record<string, Flag>

interface Positional {
  brief: string
  placeholder?: string
  optional?: boolean
}

interface Parameters {
  flags: Flags
  aliases: Record<string, string>
  positional: unknown
}

function describe(
  definition: Omit<CommandDoc, 'arguments' | 'flags' | 'hidden' | 'description'> & {
    hidden?: boolean
    description?: string
  },
  parameters: Parameters,
): CommandDoc {
  return {
    name: definition.name,
    section: definition.section,
    hidden: definition.hidden ?? false,
    brief: definition.brief,
    description: definition.description ?? `${definition.brief}.`,
    arguments: describeArguments(parameters.positional as never),
    flags: Object.entries(parameters.flags).map(([name, flag]) => describeFlag(name, flag, parameters.aliases)),
    examples: definition.examples,
  }
}

function describeFlag(name: string, flag: Flag, aliases: Record<string, string>): FlagDoc {
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

function describeArguments(
  positional: { kind: 'array'; parameter: Positional; minimum?: number } | { kind: 'tuple'; parameters: Positional[] },
): ArgumentDoc[] {
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
