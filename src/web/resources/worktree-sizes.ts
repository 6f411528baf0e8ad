import { measureWorktrees } from '../../reports/machine/list-worktrees.ts'
import { defineResource } from './resource.ts'

/** Takes long where worktrees are large: the page asks for it once. */
export default defineResource({ path: 'worktree-sizes', read: measureWorktrees })
