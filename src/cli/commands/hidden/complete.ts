import { proposeCompletions } from '@stricli/core'
import { buildApp } from '../../build-app.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { readCompletionLine } from '../../flags/completion-line.ts'
import { printLines } from '../../terminal/print.ts'

/** Prints a line `candidate⇥description` for each candidate. No line means that the shell should propose file names. */
export default async function complete(this: CallContext, _flags: GlobalFlags, ...words: string[]): Promise<void> {
  const { inputs, partial, before, cwd } = readCompletionLine(words, this.cwd, this.env.HOME)
  const context: CallContext = { ...this, cwd }
  const proposals = await proposeCompletions(buildApp(this.display, inputs[0]), [...inputs, partial], context)
  const shown = proposals.filter(
    ({ kind, completion }) => wantsFlag(partial) === (kind === 'argument:flag') && completion !== '--',
  )
  printLines(
    this.out,
    shown.map(({ completion, brief }) => `${before}${completion}\t${brief}`),
  )
}

/** Flags are proposed only after a dash: before it, they would hide the tasks. */
function wantsFlag(partial: string): boolean {
  return partial.startsWith('-')
}
