import { expect, test } from 'bun:test'
import { basename, join } from 'node:path'
import { READING_COMMANDS, sharedChunks } from '../../scripts/shared-chunks.ts'

const ROOT = join(import.meta.dir, '../..')

/** Each takes 25 µs to load. Without the plugin there are some fifty. */
const MOST_CHUNKS = 7

test('the start and a reading command together load few chunks', async () => {
  const chunks = await chunksOf(join(ROOT, 'src/main.ts'))
  const start = importedBy(chunks, chunkWith(chunks, 'src/main.ts'))
  const counts = READING_COMMANDS.map((command) => {
    const besides = importedBy(chunks, chunkWith(chunks, `src/cli/commands/${command}.ts`))
    return { command, chunks: new Set([...start, ...besides]).size }
  })
  expect(counts.filter((each) => each.chunks > MOST_CHUNKS)).toEqual([])
})

/** The text of each chunk, by its name. */
async function chunksOf(entry: string): Promise<Map<string, string>> {
  const config = { target: 'bun', format: 'esm', splitting: true } as const
  const { outputs } = await Bun.build({ ...config, entrypoints: [entry], plugins: [sharedChunks(ROOT)] })
  return new Map(await Promise.all(outputs.map(async (each) => [basename(each.path), await each.text()] as const)))
}

/** The bundler names each file in a comment above its code. */
function chunkWith(chunks: Map<string, string>, file: string): string {
  for (const [name, text] of chunks) if (new RegExp(`^// (.*/)?${RegExp.escape(file)}$`, 'm').test(text)) return name
  throw new Error(`No chunk contains ${file}`)
}

/** The chunk and all that are loaded with it. */
function importedBy(chunks: Map<string, string>, name: string, seen = new Set<string>()): string[] {
  if (seen.has(name)) return []
  seen.add(name)
  const text = chunks.get(name) ?? ''
  for (const { kind, path } of new Bun.Transpiler({ loader: 'js' }).scanImports(text)) {
    if (kind === 'import-statement' && path.startsWith('./')) importedBy(chunks, basename(path), seen)
  }
  return [...seen]
}
