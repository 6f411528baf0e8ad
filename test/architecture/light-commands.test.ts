import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')

/** Modules from outside that are loaded before the file's first line runs. */
function loadedBy(file: string): string[] {
  const seen = new Set<string>()
  const outside = new Set<string>()
  const waiting = [join(ROOT, file)]
  const transpiler = new Bun.Transpiler({ loader: 'ts' })
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    for (const found of transpiler.scanImports(readFileSync(path, 'utf8'))) {
      if (found.kind === 'dynamic-import') continue
      if (found.path.startsWith('.')) waiting.push(join(dirname(path), found.path))
      else outside.add(found.path)
    }
  }
  return [...outside].sort()
}

// node:zlib takes 4 ms to load, node:child_process with its first call 2.5: a third of what these take.
test.each(['plan/add', 'work/done', 'look/list', 'look/next', 'work/note', 'look/ready', 'look/show'])(
  'gza %s loads nothing that takes long to load',
  (name) => {
    expect(loadedBy(`src/cli/commands/${name}.ts`)).toEqual([
      'bun:sqlite',
      'node:buffer',
      'node:fs',
      'node:os',
      'node:path',
      'zod/mini',
    ])
  },
)
