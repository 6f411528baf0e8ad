import type { Config } from '../core/config/settings.ts'
import { isolateRuns } from '../engine/isolation/agent-box/box-programs.ts'
import { copiedVariable } from '../engine/set-up/place-files.ts'
import { ownExecutable } from '../platform/files/scripts.ts'
import { guardSurroundings } from '../runs/watch/guard-surroundings.ts'
import { liveOf, type Workspace } from '../workspace/workspace.ts'
import type { TreeCheck } from './build/verify-tree.ts'

/** A check of what would land, or of the base. `marker`: the run of the landing. */
export async function treeCheck(
  ws: Workspace,
  { verify, worktree, isolation: wanted }: Config,
  { marker, cancel }: Pick<TreeCheck, 'marker' | 'cancel'>,
): Promise<TreeCheck> {
  const { ledger, now } = ws
  const env = { ...ws.env, ...copiedVariable(ws.repo, worktree) }
  const about = { env, ledger, now, binary: ownExecutable(), live: liveOf(ws) }
  const isolation = await isolateRuns(ws.repo, wanted)
  return { verify, worktree, isolation, marker, cancel, ...about, ...guardSurroundings(ws) }
}
