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

/** How git runs the person's filters and merge drivers, and the variables that these commands use. */
export interface Programs {
  settings: readonly Entry[]
  env: Env
}

let findPrograms: ((tree: string) => Programs) | null = null
let isListing = false

/**
 * From now on every git of this process runs the person's filters and merge drivers as `finder` says: in a box, because an
 * agent may have written them. Null: as the person's own git does.
 */
export function runProgramsAs(finder: ((tree: string) => Programs) | null): void {
  findPrograms = finder
}

/** `dir`: where git is started. */
export function withPrograms(env: Env, dir: string): Env {
  if (findPrograms === null || isListing) return env
  const { settings, env: used } = findPrograms(env.GIT_WORK_TREE ?? dir)
  return { ...withSettings(env, settings), ...used }
}

/** A git that lists settings shows the person's own. */
export function asPersonsSettings<T>(list: () => T): T {
  const before = isListing
  isListing = true
  try {
    return list()
  } finally {
    isListing = before
  }
}

/**
 * A program's command as a setting: the variable has the words that run it in a box. Git replaces `%f` and the like first,
 * quoted for a shell, so that the command reaches the shell in the box as a text: as a here-document. `end` must be new
 * for each git: a program that saw it could otherwise commit a file whose name ends the text, and continue outside.
 */
export function boxedSetting(command: string, { variable, end }: { variable: string; end: string }): string {
  return `${READ} <<'${end}'\n${command}\n${end}\neval "exec \${${variable}:?}"`
}

/** No program is searched for: an agent may have put one of that name on PATH. */
const READ = 'command=; while IFS= read -r line; do command="$command$line\n"; done'

/** What git says about a program names it as the person's setting does. */
export function asSet(words: string): string {
  return words.includes(READ) ? words.replaceAll(`${READ} `, '').replace(BOXED, '$2') : words
}

const BOXED = /<<'(gza-\w+)'\n([\s\S]*?)\n\1\neval "exec \$\{\w+:\?\}"/g

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
