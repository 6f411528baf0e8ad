import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'

export const ROOT = join(import.meta.dir, '../..')

/** A source file as the rules see it; `path` begins with `src/`. */
export interface Source {
  path: string
  text: string
}

export interface Import {
  line: number
  /** As it is written. */
  specifier: string
  /** The path of the imported file from the root, or null for a module that is not ours. */
  target: string | null
  isLazy: boolean
}

/** Every file of `src`, without the tests beside them. */
export function readSources(): Source[] {
  const paths = [...new Bun.Glob('src/**/*.ts').scanSync(ROOT)].sort()
  return withoutTests(paths.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') })))
}

export function withoutTests(sources: readonly Source[]): Source[] {
  return sources.filter(({ path }) => !path.endsWith('.test.ts'))
}

/** The folder of `src` that a file is in, or the file itself if it is in none. */
export function areaOf(path: string): string {
  return path.split('/')[1] ?? ''
}

export function linesOf(text: string): string[] {
  return text.trimEnd().split('\n')
}

export function importsOf({ path, text }: Source): Import[] {
  return linesOf(text).flatMap((line, index) => {
    const found = isComment(line) ? null : importedBy(line)
    if (found === null) return []
    const target = found.specifier.startsWith('.') ? normalize(join(dirname(path), found.specifier)) : null
    return [{ ...found, target, line: index + 1 }]
  })
}

/** The formatter puts the end of every import on a line of its own or on the line it begins on. */
function importedBy(line: string): Pick<Import, 'specifier' | 'isLazy'> | null {
  const atOnce =
    /^(?:import|export)\b.*\bfrom ['"]([^'"]+)['"]/.exec(line) ??
    /^\} from ['"]([^'"]+)['"]/.exec(line) ??
    /^import ['"]([^'"]+)['"]/.exec(line)
  if (atOnce !== null) return { specifier: atOnce[1] ?? '', isLazy: false }
  const lazy = /\b(?:import|require)\(['"]([^'"]+)['"]/.exec(line)
  return lazy === null ? null : { specifier: lazy[1] ?? '', isLazy: true }
}

export function isComment(line: string): boolean {
  return /^\s*(?:\/\/|\/\*|\*)/.test(line)
}
