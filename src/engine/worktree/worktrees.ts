import { basename, dirname, join, resolve } from 'node:path'
import { listFolders, readTextsIn } from '../../platform/files/files.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { runGit } from '../../platform/git/git.ts'
import { own } from './place.ts'

/** A worktree that git lists, whether or not its folder still exists. */
export interface Worktree {
  path: string
  /** Always set if detached, otherwise only if git was called. */
  head: string
  /** null: detached. */
  branch: string | null
  /** Why it is locked; null if it is not. */
  lock: string | null
}

export function listWorktrees(repo: Repo): Worktree[] {
  return readWorktrees(repo) ?? askWorktrees(repo)
}

/** Reads git's own files if they have the simple form; null: git must be called. */
function readWorktrees({ commonDir, hasFileRefs }: Repo): Worktree[] | null {
  if (!hasFileRefs || basename(commonDir) !== '.git') return null
  const linked = listFolders(join(commonDir, 'worktrees')).map((folder) => {
    const [gitdir, lock, head] = readTextsIn(folder, ['gitdir', 'locked', 'HEAD'])
    const link = gitdir?.trimEnd()
    return link ? readWorktree(dirname(resolve(folder, link)), head, lock?.trim() ?? null) : null
  })
  const [ownHead] = readTextsIn(commonDir, ['HEAD'])
  const all = [readWorktree(dirname(commonDir), ownHead, null), ...linked]
  return all.every((worktree) => worktree !== null) ? all : null
}

function readWorktree(path: string, text: string | null | undefined, lock: string | null): Worktree | null {
  const head = text?.trimEnd() ?? ''
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1]
  if (branch !== undefined) return { path, head: '', branch, lock }
  return /^[0-9a-f]{40,64}$/.test(head) ? { path, head, branch: null, lock } : null
}

function askWorktrees(repo: Repo): Worktree[] {
  const text = runGit(repo, own('worktree', 'list', '--porcelain')).toString()
  return text.split('\n\n').flatMap((block) => {
    const worktree = readBlock(block)
    return worktree ? [worktree] : []
  })
}

function readBlock(block: string): Worktree | null {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([a-z]+|HEAD)(?: (.*))?$/s.exec(line) ?? []
    if (name !== '' && !fields.has(name)) fields.set(name, value)
  }
  const path = fields.get('worktree')
  if (path === undefined) return null
  return {
    path,
    head: fields.get('HEAD') ?? '',
    branch: fields.get('branch')?.replace(/^refs\/heads\//, '') ?? null,
    lock: fields.get('locked') ?? null,
  }
}
