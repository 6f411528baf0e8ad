/**
 * Settings that every git which gza starts gets in its environment, beside those of the person: they undo what an agent
 * has planted in configuration files and hooks. Every command loads this file, so it only keeps who finds them.
 */

type Env = Record<string, string | undefined>

/** As git prints a setting: section and name in lower case. */
export interface Entry {
  key: string
  value: string
}

let find: (() => readonly Entry[]) | null = null
let isFinding = false

/** From now on every git of this process gets the settings that `finder` returns. Null: none any more. */
export function neutralizeWith(finder: (() => readonly Entry[]) | null): void {
  find = finder
}

export function withNeutralSettings(env: Env): Env {
  return withSettings(env, neutralSettings())
}

/** None while the finder itself calls git: that git only lists settings, which runs nothing. */
export function neutralSettings(): readonly Entry[] {
  if (find === null || isFinding) return []
  isFinding = true
  try {
    return find()
  } finally {
    isFinding = false
  }
}

/** Appended to the settings that the environment already has. */
export function withSettings(env: Env, entries: readonly Entry[]): Env {
  if (entries.length === 0) return env
  const first = Number(env.GIT_CONFIG_COUNT || 0)
  const more = entries.flatMap(({ key, value }, at) => [
    [`GIT_CONFIG_KEY_${first + at}`, key],
    [`GIT_CONFIG_VALUE_${first + at}`, value],
  ])
  return { ...env, ...Object.fromEntries(more), GIT_CONFIG_COUNT: String(first + entries.length) }
}
