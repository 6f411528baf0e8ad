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
import { UserError } from '../core/user-error.ts'

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
      throw usageError(error, `${program} ${command} --help`)
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
  const nearest = corrections.map((name) => `${program} ${name.replaceAll('`', '')}`)
  return new UserError('UNKNOWN_COMMAND', `Unknown command ${input}`, {
    hint: nearest.length > 0 ? `Did you mean ${either(nearest)}?` : `All commands: ${program}`,
    exitCode: 2,
  })
}

function usageError(error: unknown, help: string): unknown {
  if (error instanceof UserError) return error
  const usage = (message: string, hint = help): UserError => new UserError('USAGE', message, { hint, exitCode: 2 })
  if (error instanceof FlagNotFoundError) return unknownFlag(error, help)
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
    return usage(`--${error.externalFlagNameOrPlaceholder} cannot be ${quote(error.input)}: ${why}`)
  }
  if (error instanceof UnexpectedFlagError) return usage(`--${error.externalFlagName} is given twice`)
  if (error instanceof UnsatisfiedFlagError) return usage(`--${error.externalFlagName} needs a value`)
  if (error instanceof UnexpectedPositionalError) return unexpectedArgument(error, help)
  if (error instanceof UnsatisfiedPositionalError) return usage(`${error.placeholder} is missing`)
  return error
}

function unknownFlag(error: FlagNotFoundError, help: string): UserError {
  const nearest = error.corrections.map((name) => `--${name}`)
  return new UserError('UNKNOWN_FLAG', `Unknown flag --${error.input}`, {
    hint: nearest.length > 0 ? `Did you mean ${either(nearest)}? See ${help}` : help,
    exitCode: 2,
  })
}

function unexpectedArgument(error: UnexpectedPositionalError, help: string): UserError {
  const hint = error.expectedCount === 1 ? `Put quotes around text with spaces. See ${help}` : help
  return new UserError('USAGE', `Unexpected argument ${quote(error.input)}`, { hint, exitCode: 2 })
}

function either(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

function quote(input: string): string {
  return `"${input}"`
}
