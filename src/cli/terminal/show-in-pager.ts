import { sentence } from '../../core/sentence.ts'
import { detectActor } from '../../core/task/agent-mode.ts'
import type { CallContext } from '../call-context.ts'

/** False if the parts are to be printed as they are. An agent would wait for ever at a pager. */
export async function showInPager(context: CallContext, parts: readonly Uint8Array[]): Promise<boolean> {
  if (detectActor(context.env, () => '').mode === 'agent') return false
  const end = await context.page({ dir: context.cwd, env: context.env }, parts)
  if (end.kind === 'failed')
    context.warnings.push(
      sentence`The pager ${end.pager} could not be started. GZA_PAGER names another one; cat means none.`,
    )
  return end.kind === 'shown'
}
