import { loadedBy } from '../../../scripts/loaded-files.ts'
import { READING_COMMANDS } from '../../../scripts/shared-chunks.ts'
import type { Source } from '../source.ts'

/**
 * Commands that people and agents call all day, and the modules that they may load. node:zlib takes 4 ms,
 * node:child_process with its first call 2.5: a third of a command. Commands that write start git anyway; for those that
 * only read, even node:fs (0.9 ms) and node:path (0.2 ms) are slow.
 */
const FAST_COMMANDS: Record<string, readonly string[]> = {
  ...Object.fromEntries(READING_COMMANDS.map((name) => [name, ['bun:sqlite']])),
  ...Object.fromEntries(
    ['plan/add', 'work/done', 'work/note'].map((name) => [name, ['bun:sqlite', 'node:fs', 'node:path']]),
  ),
}

/** Modules that a fast command loads although they take long. */
export function heavyCommands(sources: readonly Source[]): string[] {
  return Object.entries(FAST_COMMANDS).flatMap(([name, light]) => {
    const path = `src/cli/commands/${name}.ts`
    const heavy = loaded(sources, path).modules.filter((module) => !light.includes(module))
    return heavy.map((module) => `${path} loads ${module}`)
  })
}

/** What the command tree may import: its own parts, files that only hold the names of things, and the user's errors. */
export const FILES_OF_NAMES = ['src/core/size/strategies.ts', 'src/core/task/task.ts', 'src/core/text/first-line.ts']
export const USER_ERROR = ['src/core/user-error.ts', 'src/core/sentence.ts', 'src/core/text/shell-word.ts']
const PARTS_OF_TREE = ['src/cli/tree/', 'src/cli/flags/', 'src/cli/command.ts']

/** What the command tree loads besides names. Every command pays for it at its start, whichever was called. */
export function heavyTree(sources: readonly Source[]): string[] {
  const trees = sources.filter(({ path }) => path.startsWith('src/cli/tree/'))
  return trees.flatMap(({ path }) => {
    const { files, modules } = loaded(sources, path)
    const isLight = (file: string): boolean =>
      [...FILES_OF_NAMES, ...USER_ERROR].includes(file) || PARTS_OF_TREE.some((part) => file.startsWith(part))
    return [...files.filter((file) => !isLight(file)), ...modules.filter((module) => module !== '@stricli/core')].map(
      (heavy) => `${path} loads ${heavy}`,
    )
  })
}

/** What the entry point loads before it knows which command was called. */
export function heavyStart(sources: readonly Source[]): string[] {
  const { files, modules } = loaded(sources, 'src/main.ts')
  const isHeavy = (file: string): boolean =>
    file.startsWith('src/cli/commands/') || (file.startsWith('src/cli/tree/') && !file.endsWith('/find-command.ts'))
  return [...files.filter(isHeavy), ...modules].map((each) => `src/main.ts loads ${each}`)
}

function loaded(sources: readonly Source[], start: string): ReturnType<typeof loadedBy> {
  const texts = new Map(sources.map(({ path, text }) => [path, text]))
  return loadedBy(start, (path) => texts.get(path) ?? '')
}
