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
    ({ kind, completion }) =>
      wantsFlag(partial) === (kind === 'argument:flag') && completion !== '--' && !isGiven(completion, inputs),
  )
  printLines(
    this.out,
    shown.map((proposal) => before + described(proposal)),
  )
}

/** Commands that take several tasks take each once. */
function isGiven(completion: string, inputs: readonly string[]): boolean {
  const [name = '', title] = completion.split('\t')
  return title !== undefined && inputs.includes(name)
}

/** A task that is proposed has its title beside its name already. */
function described({ completion, brief }: { completion: string; brief: string }): string {
  return completion.includes('\t') ? completion : `${completion}\t${brief}`
}

/** Flags are proposed only after a dash: before it, they would hide the tasks. */
function wantsFlag(partial: string): boolean {
  return partial.startsWith('-')
}
