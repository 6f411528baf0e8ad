import { loadedBy } from '../../../scripts/loaded-files.ts'
import { READING_COMMANDS } from '../../../scripts/shared-chunks.ts'
import type { Source } from '../source.ts'

/**
 * Commands that people and agents call all day, and the modules that they may load. node:zlib takes 4 ms,
 * node:child_process with its first call 2.5: a third of a command. Commands that write start git anyway; for those that
 * only read, even node:fs (0.9 ms) and node:path (0.2 ms) are slow.
 */
const FAST_COMMANDS: Record<string, readonly string[]> = {
  ...Object.fromEntries([...READING_COMMANDS, 'plan/add'].map((name) => [name, ['bun:sqlite']])),
  ...Object.fromEntries(['work/done', 'work/note'].map((name) => [name, ['bun:sqlite', 'node:fs', 'node:path']])),
}

const LAZY = 'load what few calls need with import()'

/** Modules that a fast command loads although they take long. */
export function heavyCommands(sources: readonly Source[]): string[] {
  return Object.entries(FAST_COMMANDS).flatMap(([name, light]) => {
    const path = `src/cli/commands/${name}.ts`
    const heavy = loaded(sources, path).modules.filter((module) => !light.includes(module))
    return heavy.map((module) => `${path} loads ${module}, which takes long: ${LAZY}`)
  })
}

/**
 * How much code a call of these commands may load, in thousands of characters without types and comments: the entry
 * point, the definition and the command. Their start is compared with a program that only reads a row (docs/bench.md), and
 * every function that is loaded counts, called or not. What few calls need is loaded when it is needed.
 */
const MOST_CODE: Record<string, { definition: string; most: number }> = {
  'look/list': { definition: 'look-list', most: 138 },
  'look/next': { definition: 'look', most: 111 },
  'look/ready': { definition: 'look', most: 109 },
  'look/show': { definition: 'look', most: 127 },
  'plan/add': { definition: 'plan-add', most: 241 },
}

/** Commands whose calls load more code than that. */
export function largeCommands(sources: readonly Source[], limits: typeof MOST_CODE = MOST_CODE): string[] {
  const texts = new Map(sources.map(({ path, text }) => [path, text]))
  return Object.entries(limits).flatMap(([name, { definition, most }]) => {
    const starts = ['main', `cli/tree/${definition}`, `cli/commands/${name}`].map((start) => `src/${start}.ts`)
    const files = new Set(starts.flatMap((start) => loaded(sources, start).files))
    const code = [...files].reduce((sum, file) => sum + codeOf(texts.get(file) ?? '').length, 0) / 1000
    return code <= most
      ? []
      : [`a call of ${name} loads ${code.toFixed(1)} thousand characters of code, at most ${most} are allowed: ${LAZY}`]
  })
}

const transpiler = new Bun.Transpiler({ loader: 'ts' })

function codeOf(text: string): string {
  return transpiler.transformSync(text)
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
