import { useWorkspace, type Workspace, type WorkspaceOptions } from '../workspace/workspace.ts'
import type { CallContext, GlobalFlags } from './call-context.ts'

/** Runs one use case in the folder of the call. It may run twice, so it must not print: the caller prints its result. */
export function inWorkspace<T>(
  context: CallContext,
  flags: GlobalFlags,
  work: (ws: Workspace) => T | Promise<T>,
  options: Pick<WorkspaceOptions, 'runsOnce' | 'spansLedgers'> = {},
): Promise<T> {
  return useWorkspace({ cwd: context.cwd, env: context.env, branch: flags.branch, ...options }, async (ws) => {
    try {
      return await work(ws)
    } finally {
      context.warnings.push(...ws.warnings)
    }
  })
}
