import type { Aliases, BaseArgs, FlagParametersForType, TypedPositionalParameters } from '@stricli/core'
import type { CallContext, GlobalFlags } from './call-context.ts'
import { branchFlag, toggle } from './flags/flags.ts'

export type Section = 'Plan' | 'Look' | 'Work' | 'Run' | 'Watch' | 'Land' | 'Share' | 'Check' | 'Set up'

/** A command of the tree: its name, its parameters, and where its code is. */
export interface CliCommand {
  name: string
  section: Section
  /** A hidden command is not listed. */
  hidden: boolean
  brief: string
  /** For commands that the brief does not fully explain. */
  description?: string
  /** Without the program's name. */
  examples: readonly string[]
  parameters(): Parameters
  loader: Loader<never, never[]>
}

export interface Parameters {
  flags: Record<string, Flag>
  aliases: Record<string, string>
  positional: Positional
}

/** The parts of stricli's parameters that the commands use. */
export interface Flag {
  kind: 'boolean' | 'counter' | 'enum' | 'parsed'
  brief: string
  parse?: (value: string) => unknown
  placeholder?: string
  values?: readonly string[]
  default?: unknown
  optional?: boolean
  variadic?: boolean | string
}

export interface Argument {
  brief: string
  parse: (value: string) => unknown
  placeholder?: string
  optional?: boolean
}

export type Positional =
  | { kind: 'array'; parameter: Argument; minimum?: number }
  | { kind: 'tuple'; parameters: readonly Argument[] }

type Loader<FLAGS, ARGS extends BaseArgs> = () => Promise<{
  default: (this: CallContext, flags: FLAGS, ...args: ARGS) => void | Promise<void>
}>

type OwnFlag<FLAGS> = Exclude<keyof FLAGS, keyof GlobalFlags> & string

type FlagsOf<FLAGS> = [OwnFlag<FLAGS>] extends [never]
  ? { flags?: undefined }
  : { flags: MadeLater<FlagParametersForType<Pick<FLAGS, OwnFlag<FLAGS> & keyof FLAGS>, CallContext>> }

/** A function for flags that other commands of the section, which are called all day, should not pay for. */
type MadeLater<T> = T | (() => T)

type Definition<FLAGS extends GlobalFlags, ARGS extends BaseArgs> = {
  name: string
  section: Section
  hidden?: boolean
  brief: string
  description?: string
  examples: readonly string[]
  aliases?: Aliases<OwnFlag<FLAGS>>
  positional?: TypedPositionalParameters<ARGS, CallContext>
  loader: Loader<FLAGS, ARGS>
} & FlagsOf<FLAGS>

const GLOBAL_FLAGS: FlagParametersForType<GlobalFlags, CallContext> = {
  branch: branchFlag('NAME', 'The ledger of this branch instead of the current one'),
  json: toggle('Print one JSON value'),
}

/** A flag is defined in one place, and this definition is used to parse, complete and document it. */
export function defineCommand<FLAGS extends GlobalFlags, ARGS extends BaseArgs>(
  definition: NoInfer<Definition<FLAGS, ARGS>> & Pick<Definition<FLAGS, ARGS>, 'loader'>,
): CliCommand {
  // The definition was checked against FLAGS and ARGS above; the merge with the global flags loses these types.
  return { hidden: false, ...definition, parameters: () => parametersOf(definition as never) } as never
}

type PartialParameters = Partial<Omit<Parameters, 'flags'>> & { flags?: MadeLater<Parameters['flags']> }

function parametersOf({ flags, aliases, positional }: PartialParameters): Parameters {
  const own = typeof flags === 'function' ? flags() : flags
  return {
    // No prototype: `--constructor` must be an unknown flag, and stricli looks flags up by plain indexing.
    flags: Object.assign(Object.create(null), own, GLOBAL_FLAGS),
    aliases: { ...aliases },
    positional: positional ?? NO_ARGUMENTS,
  }
}

const NO_ARGUMENTS = { kind: 'tuple', parameters: [] } as const
