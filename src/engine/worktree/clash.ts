import { type GitPlace, tryGit } from '../../platform/git/git.ts'
import { own } from './place.ts'

/** Whether two commits cannot be merged without a hand. A git before 2.38 cannot tell: then the merge itself will. */
export function doClash(repo: GitPlace, one: string, other: string): boolean {
  return tryGit(repo, own('merge-tree', '--write-tree', '--name-only', '--no-messages', one, other)).code === 1
}
