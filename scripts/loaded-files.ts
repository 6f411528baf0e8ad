import { dirname, join, normalize } from 'node:path/posix'

interface Loaded {
  /** Our own files, each after those that it imports. */
  files: string[]
  /** Modules that are not ours. */
  modules: string[]
}

/**
 * Everything that is loaded before the first line of a file runs, and the file itself. Imports of types load nothing,
 * `import()` and `require()` load when they are called, which is inside a function.
 */
export function loadedBy(start: string, read: (path: string) => string): Loaded {
  const files = new Set<string>()
  const modules = new Set<string>()
  const seen = new Set<string>()
  const visit = (path: string): void => {
    if (seen.has(path)) return
    seen.add(path)
    for (const found of importedValues(path, read(path))) {
      if (!found.startsWith('.')) modules.add(found)
      else if (found.endsWith('.ts')) visit(normalize(join(dirname(path), found)))
    }
    files.add(path)
  }
  visit(start)
  return { files: [...files], modules: [...modules].sort() }
}

const transpiler = new Bun.Transpiler({ loader: 'ts' })

function importedValues(path: string, text: string): string[] {
  try {
    return transpiler.scanImports(text).flatMap(({ kind, path }) => (kind === 'import-statement' ? [path] : []))
  } catch (error) {
    throw new Error(`${path}: ${Bun.inspect(error)}`)
  }
}
