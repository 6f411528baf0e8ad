import type { Repo } from '../../platform/find-repo.ts'
import { runGit } from '../../platform/git.ts'
import { own } from './place.ts'

/** One work tree that git knows of, whether or not its folder is still there. */
export interface Worktree {
  path: string
  head: string
  /** null: detached. */
  branch: string | null
  /** Why it is locked; null where it is not. */
  lock: string | null
}

export function listWorktrees(repo: Repo): Worktree[] {
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
