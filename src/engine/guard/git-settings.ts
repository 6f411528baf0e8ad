import type { Repo } from '../../platform/git/find-repo.ts'
import { type Env, runGitAsync } from '../../platform/git/git.ts'

export interface Entry {
  /** As git prints it, with section and name in lower case. */
  key: string
  value: string
}

export interface Setting extends Entry {
  /** `command` for settings from the environment. */
  scope: string
}

/** All effective settings, in the order in which git reads them. */
export async function readSettings(repo: Repo, env: Env): Promise<Setting[]> {
  const list = await runGitAsync({ dir: repo.dir, env }, ['config', '--list', '--show-scope', '-z'])
  const fields = list.toString().split('\0')
  const settings: Setting[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [key = '', ...value] = (fields[at + 1] ?? '').split('\n')
    // A key without a value, as in `-c a.b`, means true; an empty value would mean false.
    settings.push({ scope: fields[at] ?? '', key, value: value.length === 0 ? 'true' : value.join('\n') })
  }
  return settings
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
