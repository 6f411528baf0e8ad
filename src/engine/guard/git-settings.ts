import type { Repo } from '../../platform/git/find-repo.ts'
import { type Env, gitError, tryGit } from '../../platform/git/git.ts'
import { type FoundSetting, listSettings } from '../../platform/git/settings/list-settings.ts'
import { type Entry, neutralSettings } from '../../platform/git/settings/neutral-settings.ts'

export type { Entry }
export type Setting = Pick<FoundSetting, 'scope' | 'key' | 'value'>

/** All effective settings, in the order in which git reads them, without what an agent has planted meanwhile. */
export function readSettings(repo: Repo): Setting[] {
  const listed = listSettings(repo)
  if (listed === null) throw gitError(['config', '--list'], tryGit(repo, ['config', '--list']))
  return [...listed, ...neutralSettings().map((entry) => ({ scope: 'command', ...entry }))]
}

/** Settings as environment variables, which git and everything it starts read. */
export function settingsEnvironment(settings: readonly Entry[]): Env {
  const env: Env = { GIT_CONFIG_COUNT: String(settings.length), GIT_CONFIG_PARAMETERS: undefined }
  for (const [at, { key, value }] of settings.entries()) {
    env[`GIT_CONFIG_KEY_${at}`] = key
    env[`GIT_CONFIG_VALUE_${at}`] = value
  }
  return env
}

/** `remote.<middle>.<name>`: the middle can contain dots. */
export function splitKey(key: string): { section: string; middle: string; name: string } {
  const first = key.indexOf('.')
  const last = key.lastIndexOf('.')
  return {
    section: key.slice(0, first),
    middle: key.slice(first + 1, Math.max(first + 1, last)),
    name: key.slice(last + 1),
  }
}
