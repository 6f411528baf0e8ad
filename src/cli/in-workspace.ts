import { useWorkspace, type Workspace, type WorkspaceOptions } from '../workspace/workspace.ts'
import type { CallContext, GlobalFlags } from './call-context.ts'
import type { Progress } from './terminal/progress-line.ts'

/** Runs one use case in the folder of the call. It may run twice, so it must not print: the caller prints its result. */
export function inWorkspace<T>(
  context: CallContext,
  flags: GlobalFlags,
  work: (ws: Workspace) => T | Promise<T>,
  options: Pick<WorkspaceOptions, 'runsOnce' | 'spansLedgers' | 'unknownName'> = {},
): Promise<T> {
  let warnings: Workspace['warnings'] = []
  const run = (ws: Workspace): T | Promise<T> => {
    warnings = ws.warnings
    return work(ws)
  }
  let shown: Progress | undefined
  const indexing = (done: number, total: number): void => {
    shown ??= progress().indexProgress(context)
    shown(done, total)
  }
  const place = { cwd: context.cwd, env: context.env, branch: flags.branch, isLast: true, indexing }
  return useWorkspace({ ...place, ...options }, run).finally(() => {
    context.warnings.push(...warnings)
  })
}

/** Loaded for a large ledger that has no index yet, as after a clone. */
function progress(): typeof import('./terminal/progress-line.ts') {
  return require('./terminal/progress-line.ts')
}
