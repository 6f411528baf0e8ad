import type { Config } from '../../core/config/settings.ts'
import { byteSize } from '../../core/text/byte-size.ts'
import { plural } from '../../core/text/plural.ts'
import { strandedFolders } from '../../engine/isolation/private-git/dead-folders.ts'
import { diskNeeds } from '../../engine/set-up/disk-needs.ts'
import { whyRootVisible } from '../../engine/set-up/visible-root.ts'
import { leasesByLife } from '../../state/live/leases.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** How much disk the worktrees need, whether their folder is hidden, and what agents left beside them. */
export function checkWorktrees(ws: Workspace, config: Config): Finding[] {
  const visible = whyRootVisible(ws.repo, ws.env)
  const hidden = visible === null ? [] : [fail('worktrees', visible.message, visible.hint ?? null)]
  const needs = worktreeDisk(ws, config, config.parallel_workers)
  const next = 'Free some space, set worktree.root to a folder on another disk, or lower parallel_workers.'
  return [
    ...hidden,
    ...strandedWork(ws),
    needs.isEnough ? ok('worktrees', needs.text) : warn('worktrees', needs.text, next),
  ]
}

/** What an agent committed in a box and gza could not import. It is not suggested to look with git: an agent wrote it. */
function strandedWork(ws: Workspace): Finding[] {
  const { repo, env } = ws
  const leases = ws.live === null ? [] : leasesByLife(ws.live, ws.now()).held
  const held = leases.flatMap(({ path }) => path ?? [])
  return strandedFolders(repo, env, held).map(({ folder, about }) => {
    const fact = `${folder} contains commits of run ${about.run} for ${about.branch} that could not be imported`
    return warn('private git', fact, 'Keep this folder: these commits are nowhere else.')
  })
}

/** A sentence about the disk that so many worktrees at once will need. */
export function worktreeDisk(
  { repo, env }: Workspace,
  config: Config,
  count: number,
): { text: string; isEnough: boolean } {
  const { each, free } = diskNeeds(repo, env, config.worktree)
  const need = each * count
  const text = `${plural(count, 'worktree')} will need about ${byteSize(need)}; ${byteSize(free)} are free`
  return { text, isEnough: need < free }
}
