/**
 * Where gza must leave the writing of objects to git: somebody has settled how, where, or with which rights they are
 * written, or what else a repository may have that gza does not know.
 */
import type { Env } from '../git.ts'
import type { Entry } from '../settings/neutral-settings.ts'

const KNOWN_EXTENSIONS = ['extensions.objectformat', 'extensions.refstorage', 'extensions.worktreeconfig']

const BY_GIT = [/^core\.(sharedrepository|createobject|fsync)/, /^remote\..*\.(promisor|partialclonefilter)$/]

/** Settings by which objects are written in another way than gza knows; keys as git prints them. */
export function settingsNeedGit(settings: readonly Entry[]): boolean {
  return settings.some(({ key }) =>
    key.startsWith('extensions.') ? !KNOWN_EXTENSIONS.includes(key) : BY_GIT.some((pattern) => pattern.test(key)),
  )
}

/** The objects are elsewhere, or they are not accepted yet (git sets the last for hooks that run before a push is). */
const ELSEWHERE = ['GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES', 'GIT_QUARANTINE_PATH']

export function environmentNeedsGit(env: Env): boolean {
  return ELSEWHERE.some((name) => env[name] !== undefined)
}
