import { useWorkspace, type Workspace, type WorkspaceOptions } from '../workspace/workspace.ts'
import type { Face, GlobalFlags } from './terminal/face.ts'

/** Runs one use case where the command was called. It may run twice, so it prints nothing: what it returns is printed. */
export function inWorkspace<T>(
  face: Face,
  flags: GlobalFlags,
  work: (ws: Workspace) => T | Promise<T>,
  options: Pick<WorkspaceOptions, 'runsOnce' | 'spansLedgers'> = {},
): Promise<T> {
  return useWorkspace({ cwd: face.cwd, env: face.env, branch: flags.branch, ...options }, async (ws) => {
    try {
      return await work(ws)
    } finally {
      face.warnings.push(...ws.warnings)
    }
  })
}
