import { AGENT_GUIDE } from '../../../core/client-setup/agent-guide.ts'
import { estimateTokens } from '../../../core/documents/estimate-tokens.ts'
import { BY_ID, BY_NUMBER } from '../../../core/documents/next-steps.ts'
import { sentenceText } from '../../../core/sentence.ts'
import { printable } from '../../../core/text/printable.ts'
import { MOST_CONTEXT_TOKENS, readContext } from '../../../workspace/views/context/read-context.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { programOf } from '../../terminal/display.ts'
import { wrapLines } from '../../terminal/hanging-lines.ts'
import { printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags {
  plan?: string
  task?: string
  'max-tokens'?: number
  hook: boolean
}

export default async function context(this: CallContext, flags: Flags): Promise<void> {
  const program = programOf(this.display.name)
  const maxTokens = flags['max-tokens'] ?? MOST_CONTEXT_TOKENS
  // The hook's output is the same as the text for a client without hooks, together with what that one asks for.
  const guide = flags.hook ? `${AGENT_GUIDE}\n` : ''
  const { markdown, ...rest } = await inWorkspace(this, flags, (ws) =>
    readContext(ws, {
      ...{ plan: flags.plan, ref: flags.task, cwd: this.cwd, maxTokens: maxTokens - estimateTokens(guide) },
      ...{ say: (sentence) => sentenceText(sentence, program), names: program === 'gza' ? BY_NUMBER : BY_ID },
    }),
  )
  const hookSpecificOutput = { hookEventName: HOOK, additionalContext: guide + markdown }
  if (flags.hook) printResult(this, { json: true }, { hookSpecificOutput }, [])
  else {
    const text = wrapLines(printable(markdown.trimEnd(), { multiline: true }), this.display)
    printResult(this, flags, { markdown, ...rest }, [text])
  }
}

const HOOK = 'SessionStart'
