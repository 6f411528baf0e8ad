import type { Repo } from '../find-repo.ts'
import type { GitPlace } from '../git.ts'
import { placeAt } from '../own-git.ts'
import { neutralEntries } from './executing-keys.ts'
import { listSettings } from './list-settings.ts'

/**
 * A worktree with an agent's files, for a git that only reads them. No filter of the person runs there: it may be a
 * program of the tree. A file that a filter would change then seems to differ from its commit.
 */
export function withoutFilters(repo: Repo, path: string): GitPlace & Required<Pick<GitPlace, 'settings'>> {
  const filters = (listSettings(repo) ?? []).filter(({ key }) => key.startsWith('filter.'))
  return { ...placeAt(repo, path), settings: filters.flatMap(neutralEntries) }
}
