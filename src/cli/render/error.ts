import { hintForAgent, type Reader } from '../../core/documents/agent-advice.ts'
import { type Sentence, sentenceText } from '../../core/sentence.ts'
import { firstLine } from '../../core/text/first-line.ts'
import { printable, printableJson } from '../../core/text/printable.ts'
import { UserError } from '../../core/user-error.ts'
import { type ProgramName, programOf } from '../terminal/display.ts'

interface Options {
  json: boolean
  name: ProgramName
  /** Set if an agent reads it. */
  agent?: Reader | undefined
}

/** What an error prints on stdout and on stderr: a user's error two lines, a bug also its stack. */
export function errorLines(error: unknown, options: Options): { out: string; err: string } {
  const fields = errorFields(error, options.name, options.agent)
  const { message, hint } = fields
  const out = options.json ? `${printableJson(JSON.stringify({ error: fields }))}\n` : ''
  if (!(error instanceof UserError)) return { out, err: `${block(stackOf(error))}\n${REPORT}\n` }
  return { out, err: out === '' ? `Error: ${block(message)}\n${hint === null ? '' : `  ${block(hint)}\n`}` : '' }
}

/** The value of `error` in JSON. */
export function errorFields(
  error: unknown,
  name: ProgramName,
  agent?: Reader | undefined,
): { code: string; message: string; hint: string | null } {
  if (!(error instanceof UserError)) return { code: 'INTERNAL', message: firstLineOf(error), hint: REPORT }
  const { code, fact } = error
  const hint = agent === undefined || error.hint === undefined ? error.hint : hintForAgent(error.hint, fact, agent)
  const program = programOf(name)
  return { code, message: sentenceText(fact, program), hint: hint === undefined ? null : sentenceText(hint, program) }
}

export function exitCodeOf(error: unknown): number {
  return error instanceof UserError ? error.exitCode : 70
}

export function warningText(warnings: readonly Sentence[], name: ProgramName): string {
  return [...new Set(warnings.map((warning) => sentenceText(warning, programOf(name))))]
    .map((warning) => `Warning: ${block(warning)}\n`)
    .join('')
}

const REPORT = 'This is a bug in gza. Please report it with the lines above and the command that was run.'

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function firstLineOf(error: unknown): string {
  return firstLine(error instanceof Error ? error.message : String(error))
}

function block(text: string): string {
  return printable(text, { multiline: true })
}
