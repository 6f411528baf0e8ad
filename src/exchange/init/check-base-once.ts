import { UserError } from '../../core/user-error.ts'
import { verifyBase } from '../../landing/verify-base.ts'
import { loadConfiguration } from '../../workspace/config/configuration.ts'
import { assertTrusted } from '../../workspace/config/trust-config.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** How the checks went. The shape is public. */
export interface FirstCheck {
  base: string
  ok: boolean
  detail: string
  seconds: number
}

/** Sets a fresh worktree of the base up and runs the check there, as for every task. Null, or why it was not run. */
export async function checkBaseOnce(
  ws: Workspace,
  { cancel, started }: { cancel: AbortSignal; started: () => void },
): Promise<FirstCheck | string | null> {
  const config = await loadConfiguration(ws)
  if (config.verify.command === null) return null
  try {
    await assertTrusted(ws, { ...config, agents: new Map() })
    started()
    const began = performance.now()
    const build = await verifyBase(ws, config, cancel)
    if (build === null) return cancel.aborted ? 'stopped' : 'another process is landing there'
    const { base, ok, detail } = build
    return { base, ok, detail, seconds: Math.round((performance.now() - began) / 100) / 10 }
  } catch (error) {
    if (error instanceof UserError) return error.message
    throw error
  }
}
