import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import { type PreviewedPhase, type PromptPreview, previewPrompt } from '../../../runs/preview-prompt.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { hangingLines, wrapLines } from '../../terminal/hanging-lines.ts'
import { printLines, printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags {
  phase?: PreviewedPhase
}

/** The prompt alone goes to stdout, so that it can be saved or piped. The counts go to stderr. */
export default async function prompt(this: CallContext, flags: Flags, ref: string): Promise<void> {
  const preview = await inWorkspace(this, flags, (ws) => previewPrompt(ws, ref, flags.phase ?? 'work'))
  const text = printable(preview.prompt, { multiline: true }).trimEnd()
  printResult(this, flags, preview, [wrapLines(text, this.display)])
  if (!flags.json)
    printLines(
      this.err,
      [...countLines(preview)].flatMap((line) => hangingLines(line, 10, this.display)),
    )
}

function* countLines({ agent, estimated_tokens, parts }: PromptPreview): Iterable<string> {
  yield `For ${printable(agent)}, about ${plural(estimated_tokens, 'token')}:`
  for (const part of parts) {
    const { estimated_tokens: kept, estimated_tokens_uncut: whole } = part
    const cut = kept < whole ? ` of ${whole}` : ''
    yield `${String(kept).padStart(8)}${cut}  ${printable(part.name)}`
  }
  const rest = estimated_tokens - parts.reduce((sum, part) => sum + part.estimated_tokens, 0)
  if (rest > 0) yield `${String(rest).padStart(8)}  the lines around these parts`
}
