import { commandLine } from '../../core/sentence.ts'
import { shellWord } from '../../core/text/shell-word.ts'
import { measureFolder } from '../../platform/files/disk.ts'
import { fileExists } from '../../platform/files/files.ts'
import { workplaceRoot } from '../../platform/git/workplace-root.ts'
import { listWorktrees } from '../../platform/git/worktrees.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { HolderView } from './list-holders.ts'

export interface WorktreeView {
  path: string
  branch: string | null
  /** gza made it for a run or a landing; otherwise it is the person's. */
  isOwn: boolean
  /** The run that works in it. */
  run: string | null
  /** Nothing works in it any more: the command that removes it, and why that is safe. */
  removal: { command: string; why: string } | null
}

export function worktreesOf({ repo, env }: Workspace, holders: readonly HolderView[]): WorktreeView[] {
  const root = `${workplaceRoot(repo, env)}/`
  return listWorktrees(repo).map(({ path, branch }) => {
    const isOwn = path.startsWith(root)
    const holder = holders.find(({ worktree }) => worktree === path)
    const isFree = isOwn && (holder === undefined || holder.isAbandoned)
    return { path, branch, isOwn, run: holder?.run ?? null, removal: isFree ? removalOf(path, holder) : null }
  })
}

function removalOf(path: string, holder: HolderView | undefined): WorktreeView['removal'] {
  if (holder !== undefined)
    return { command: commandLine`work`, why: 'Its run has died. The next work keeps what it did, and removes this.' }
  const command = `git worktree remove ${shellWord(path)}`
  return { command, why: 'No run has it. Git refuses to remove it if something in it is not committed.' }
}

export interface WorktreeSize {
  path: string
  /** Null: it cannot be measured, or it takes too long. */
  bytes: number | null
}

/** Looks at every file, so it is asked for once and not with every change. One after the other, to spare the disk. */
export async function measureWorktrees({ repo, env }: Workspace): Promise<WorktreeSize[]> {
  const sizes: WorktreeSize[] = []
  for (const { path } of listWorktrees(repo))
    sizes.push({ path, bytes: fileExists(path) ? await measureFolder(path, env) : null })
  return sizes
}
