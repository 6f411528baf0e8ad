import { readContext } from '../../../workspace/views/read-context.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags {
  plan?: string
  task?: string
  'max-tokens'?: number
  hook: boolean
}

export default async function context(this: CallContext, flags: Flags): Promise<void> {
  const input = { plan: flags.plan, ref: flags.task, maxTokens: flags['max-tokens'], cwd: this.cwd }
  const { markdown, ...rest } = await inWorkspace(this, flags, (ws) => readContext(ws, input))
  const additionalContext = markdown
  if (flags.hook)
    printResult(this, { json: true }, { hookSpecificOutput: { hookEventName: HOOK, additionalContext } }, [])
  else printResult(this, flags, { markdown, ...rest }, [markdown.trimEnd()])
}

const HOOK = 'SessionStart'
