import type { z } from 'zod'
import type { Reader } from '../core/documents/agent-advice.ts'
import { asUserError } from '../core/machine-error.ts'
import { firstLine } from '../core/text/first-line.ts'
import { UserError } from '../core/user-error.ts'
import { factAsCalls, hintAsCalls, toolReader } from './commands-as-calls.ts'
import type { Tool } from './tools/tool.ts'

/** What an agent gets: a stable code, what is wrong, and the call or the step that helps. */
export interface AnsweredError {
  code: string
  message: string
  hint: string | null
}

export function answeredError(thrown: unknown, reader: Reader = toolReader(false)): AnsweredError {
  const error = asUserError(thrown)
  if (!(error instanceof UserError)) return { code: 'INTERNAL', message: firstLine(String(error)), hint: REPORT }
  const { code, fact, hint } = error
  return { code, message: factAsCalls(fact, reader), hint: hint === undefined ? LOOK : hintAsCalls(hint, fact, reader) }
}

/** After an error without a next step of its own. */
const LOOK = 'context {}'
const REPORT = 'This is a bug in gza. Continue without this call, and tell a person.'

export function badArguments({ name, example }: Tool, { issues }: z.ZodError): UserError {
  const problems = issues.slice(0, 5).map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
  return new UserError('BAD_ARGUMENTS', `${name}: ${problems.join('; ')}`, {
    hint: `${name} ${JSON.stringify(example)}`,
  })
}

export function noSuchTool(name: string): UserError {
  return new UserError('NO_SUCH_TOOL', `gza has no tool '${name.slice(0, 50)}'`, { hint: 'context {}' })
}
