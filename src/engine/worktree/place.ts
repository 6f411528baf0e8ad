import type { Repo } from '../../platform/git/find-repo.ts'
import type { Env, GitPlace } from '../../platform/git/git.ts'

/** A work tree of the repository as a place for git, free of variables that would lead it to another one. */
export function placeAt(repo: Pick<Repo, 'env'>, path: string): GitPlace {
  return { dir: path, env: { ...staying(repo.env), GIT_LITERAL_PATHSPECS: '1' } }
}

/** The environment without what would lead git out of the folder it runs in. */
export function staying(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !LEADING_ELSEWHERE.includes(name)))
}

const LEADING_ELSEWHERE = [
  ...['GIT_DIR', 'GIT_WORK_TREE', 'GIT_COMMON_DIR', 'GIT_INDEX_FILE', 'GIT_PREFIX', 'GIT_NAMESPACE'],
  ...['GIT_AUTHOR_DATE', 'GIT_COMMITTER_DATE'],
]

/** The place with `Name <mail>` as author and committer. */
export function signedBy(place: GitPlace, identity: string): GitPlace {
  const [, name = identity, mail = ''] = /^(.*) <(.*)>$/.exec(identity) ?? []
  const author = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: mail }
  return { ...place, env: { ...place.env, ...author, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: mail } }
}

/**
 * Arguments for git as the runner itself calls it. All of the user's hooks stay out of it: a pre-commit that fails must
 * not cost the work it was meant to guard, and --no-verify would still run four others. They run for what the agent
 * commits itself. Nothing may ask for a passphrase, and no helper process may outlive the call.
 */
export function own(...args: string[]): string[] {
  return [...SETTINGS.flatMap((setting) => ['-c', setting]), ...args]
}

const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.safecrlf=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'rerere.enabled=false',
  'submodule.recurse=false',
  // Else `worktree remove` would look through the user's eyes and not see what is untracked.
  'status.showUntrackedFiles=all',
]
