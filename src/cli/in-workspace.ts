import { useWorkspace, type Workspace, type WorkspaceOptions } from '../workspace/workspace.ts'
import type { CallContext, GlobalFlags } from './call-context.ts'

/** Runs one use case where the command was called. It may run twice, so it prints nothing: what it returns is printed. */
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
