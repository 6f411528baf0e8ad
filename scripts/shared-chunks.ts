import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadedBy } from './loaded-files.ts'

/** Commands that only read, and that people and agents call all day. */
export const READING_COMMANDS = ['look/list', 'look/next', 'look/ready', 'look/show']

/**
 * Makes five chunks of what the commands load that are called all day: the program's start, what `next` and `ready` need,
 * what `show` needs besides, what `list` does, and what `add` does.
 *
 * The bundler makes a chunk of all files that the same lazy imports reach. There are 290 lazy imports, so `gza next`
 * loaded 47 chunks, and each takes 25 µs. Files that import each other in a circle are reached by the same imports:
 * here each file of a chunk imports the list of all of them, in which a file follows those that it needs.
 */
export function sharedChunks(root: string): Bun.BunPlugin {
  const chunks = filesOfChunks((path) => readFileSync(join(root, path), 'utf8'))
  const absolute = chunks.map((files) => files.map((path) => join(root, path)))
  const chunkOf = new Map(absolute.flatMap((files, index) => files.map((path) => [path, index])))
  return {
    name: NAME,
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${NAME}:`) }, ({ path }) => ({ path, namespace: NAME }))
      build.onLoad({ filter: /.*/, namespace: NAME }, ({ path }) => {
        const files = absolute[Number(path.slice(NAME.length + 1))] ?? []
        return { contents: files.map((file) => `import ${JSON.stringify(file)}`).join('\n'), loader: 'ts' }
      })
      build.onLoad({ filter: /\.ts$/ }, (file) => {
        const { path } = file
        // The page for browsers is bundled by itself. Bun says so, but its types do not.
        const isPage = (file as { side?: string }).side === 'client'
        const chunk = isPage ? undefined : chunkOf.get(path)
        // On the first line, so that the lines of stack traces stay right.
        const contents = `import '${NAME}:${chunk}';${readFileSync(path, 'utf8')}`
        return chunk === undefined ? undefined : { contents, loader: 'ts' }
      })
    },
  }
}

const NAME = 'shared-chunk'

/** In each chunk a file follows those that it imports, and no file is in two. */
function filesOfChunks(read: (path: string) => string): string[][] {
  const loaded = (name: string) => new Set(loadedBy(`src/${name}.ts`, read).files)
  const loadedBesides = (name: string) => loaded(name).difference(new Set([`src/${name}.ts`]))
  const seen = new Set<string>()
  const parts = [
    loadedBesides('main'),
    loaded('cli/tree/look')
      .union(loadedBesides('cli/commands/look/next'))
      .union(loadedBesides('cli/commands/look/ready')),
    loadedBesides('cli/commands/look/show'),
    loaded('cli/tree/look-list').union(loadedBesides('cli/commands/look/list')),
    loaded('cli/tree/plan-add').union(loadedBesides('cli/commands/plan/add')),
  ]
  return parts.map((files) => {
    const added = [...files.difference(seen)]
    for (const file of added) seen.add(file)
    return added
  })
}
