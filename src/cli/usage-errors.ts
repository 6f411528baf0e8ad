import {
  AliasNotFoundError,
  type ApplicationText,
  ArgumentParseError,
  EnumValidationError,
  FlagNotFoundError,
  text_en,
  UnexpectedFlagError,
  UnexpectedPositionalError,
  UnsatisfiedFlagError,
  UnsatisfiedPositionalError,
} from '@stricli/core'
import { either, givenTwice, unknownFlag, usage, withoutValue } from '../core/flag-faults.ts'
import { UserError } from '../core/user-error.ts'
import { mayPropose, mayProposeFlag } from './tree/effects.ts'
import { meantBy } from './tree/other-words.ts'

/**
 * stricli prints errors itself and does not rethrow them. Here each one becomes an exception instead, so that one place
 * words and prints all errors, with and without --json.
 */
export function throwingTexts(program: string, command: string | undefined): ApplicationText {
  const rethrow = (error: unknown): never => {
    throw error
  }
  return {
    ...text_en,
    noCommandRegisteredForInput: ({ input, corrections }) => {
      throw unknownCommand(program, input, corrections)
    },
    exceptionWhileParsingArguments: (error) => {
      throw usageError(error, command ?? '', `${program} ${command} --help`)
    },
    exceptionWhileLoadingCommandFunction: rethrow,
    exceptionWhileLoadingCommandContext: rethrow,
    exceptionWhileRunningCommand: rethrow,
    commandErrorResult: rethrow,
    exceptionWhileRunningIntegrationHook: ({ exception }) => rethrow(exception),
    exceptionWhileRunningIntegrationFlag: ({ exception }) => rethrow(exception),
  }
}

function unknownCommand(program: string, input: string, corrections: readonly string[]): UserError {
  const names = corrections.map((name) => name.replaceAll('`', '')).filter(mayPropose)
  const nearest = names.map((name) => `${program} ${name}`)
  const known = nearest.length > 0 ? `Did you mean ${either(nearest)}?` : `All commands: ${program}`
  return new UserError('UNKNOWN_COMMAND', `Unknown command ${input}`, { hint: meantBy(input) ?? known, exitCode: 2 })
}

function usageError(error: unknown, command: string, help: string): unknown {
  if (error instanceof UserError) return error
  if (error instanceof FlagNotFoundError) {
    const nearest = error.corrections.filter((name) => mayProposeFlag(command, name))
    return unknownFlag(error.input, nearest, help)
  }
  if (error instanceof AliasNotFoundError)
    return new UserError('UNKNOWN_FLAG', `Unknown flag -${error.input}`, { hint: help, exitCode: 2 })
  if (error instanceof EnumValidationError) {
    return usage(
      `--${error.externalFlagName} cannot be ${quote(error.input)}`,
      `Allowed values: ${error.values.join(', ')}.`,
    )
  }
  if (error instanceof ArgumentParseError) {
    const why = error.exception instanceof Error ? error.exception.message : String(error.exception)
    return usage(`--${error.externalFlagNameOrPlaceholder} cannot be ${quote(error.input)}: ${why}`, help)
  }
  if (error instanceof UnexpectedFlagError) return givenTwice(error.externalFlagName, help)
  if (error instanceof UnsatisfiedFlagError) return withoutValue(error.externalFlagName, help)
  if (error instanceof UnexpectedPositionalError) return unexpectedArgument(error, help)
  if (error instanceof UnsatisfiedPositionalError) return usage(`${error.placeholder} is missing`, help)
  return error
}

function unexpectedArgument(error: UnexpectedPositionalError, help: string): UserError {
  const hint = error.expectedCount === 1 ? `Put quotes around text with spaces. See ${help}` : help
  return usage(`Unexpected argument ${quote(error.input)}`, hint)
}

function quote(input: string): string {
  return `"${input}"`
}
