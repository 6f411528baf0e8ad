import { makeRedact, type Redact } from '../../engine/guard/redact.ts'
import { copiedVariable } from '../../engine/set-up/place-files.ts'
import { loadConfiguration } from '../../workspace/config/configuration.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/**
 * Takes the same secrets out of what is shown as out of logs: those of the environment, those of the `.env` files that
 * worktrees get a copy of, and whatever has the shape of a well-known token.
 */
export async function redactShown(ws: Pick<Workspace, 'repo' | 'env'>): Promise<Redact> {
  return makeRedact(ws.env, await copiedFiles(ws))
}

/** A mistake in the configuration must not keep anything from being shown: no agent is started with it. */
async function copiedFiles({ repo, env }: Pick<Workspace, 'repo' | 'env'>) {
  try {
    return copiedVariable(repo, (await loadConfiguration({ repo, env })).worktree)
  } catch {
    return {}
  }
}
