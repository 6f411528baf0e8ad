/**
 * Which of a task's files import which others, read from their import lines. It is deliberately simple: it may miss an
 * import, but never invents one.
 */
import { dirname, extname, join, normalize } from 'node:path/posix'

/** Imports between these files; `texts` maps each path to its text. */
export function importsBetween(texts: ReadonlyMap<string, string>): Map<string, string[]> {
  const paths = [...texts.keys()]
  const found = [...texts].map(([path, text]): [string, string[]] => {
    const language = LANGUAGES[extname(path)]
    const targets = new Set(language?.read(text).flatMap((name) => language.find(name, path, paths)))
    return [path, paths.filter((target) => targets.has(target) && target !== path)]
  })
  return new Map(found.filter(([, targets]) => targets.length > 0))
}

export function canReadImports(path: string): boolean {
  return extname(path) in LANGUAGES
}

interface Language {
  /** The imported names, as written in the text. */
  read: (text: string) => string[]
  /** The files that the name refers to. */
  find: (name: string, from: string, paths: readonly string[]) => string[]
}

const script: Language = {
  read: (text) => [
    ...captures(text, /^\s*(?:import|export)\b[^'";]*?\bfrom\s*['"]([^'"\n]+)['"]/gm),
    ...captures(text, /^\s*import\s*['"]([^'"\n]+)['"]/gm),
    ...captures(text, /\b(?:require|import)\(\s*['"]([^'"\n]+)['"]/g),
  ],
  find: (name, from, paths) => {
    const bare = /^[@~]\//.test(name) ? name.slice(2) : null
    const places = bare !== null ? [bare, join('src', bare)] : name.startsWith('.') ? [join(dirname(from), name)] : []
    return paths.filter((path) => places.some((place) => isModule(path, place)))
  },
}

const python: Language = {
  read: (text) => [
    ...captures(text, /^\s*import\s+([\w., \t]+)/gm).flatMap((names) => names.split(',').map(firstWord)),
    ...[...text.matchAll(/^\s*from\s+([\w.]+)\s+import\s+(?:\(([^)]*)\)|([^\n#]*))/gm)].flatMap(
      ([, module = '', many, few]) => [
        module,
        ...(many ?? few ?? '').split(',').map((name) => `${module}${/\.$/.test(module) ? '' : '.'}${firstWord(name)}`),
      ],
    ),
  ],
  find: (name, from, paths) => {
    const dots = /^\.*/.exec(name)?.[0].length ?? 0
    const place = name.slice(dots).replaceAll('.', '/')
    if (place === '') return []
    const near = dots === 0 ? null : join(dirname(from), ...Array(dots - 1).fill('..'), place)
    return paths.filter((path) => {
      const module = path.replace(/(?:\/__init__)?\.py$/, '')
      return (
        path.endsWith('.py') && (near === null ? module === place || module.endsWith(`/${place}`) : module === near)
      )
    })
  },
}

const go: Language = {
  read: (text) => [
    ...captures(text, /^\s*import\s+(?:[\w.]+\s+)?"([^"\n]+)"/gm),
    ...captures(text, /^\s*import\s*\(([^)]*)\)/gm).flatMap((block) => captures(block, /"([^"\n]+)"/g)),
  ],
  find: (name, _from, paths) =>
    paths.filter((path) => path.endsWith('.go') && dirname(path) !== '.' && `/${name}`.endsWith(`/${dirname(path)}`)),
}

const LANGUAGES: Record<string, Language> = {
  ...Object.fromEntries(
    ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'].map((ending) => [ending, script]),
  ),
  '.py': python,
  '.go': go,
}

/** With or without its extension, as a folder's index, or with the .js that TypeScript writes for a .ts. */
function isModule(path: string, place: string): boolean {
  const wanted = normalize(place).replace(/\/$/, '')
  const stem = path.slice(0, path.length - extname(path).length)
  if (LANGUAGES[extname(path)] !== script) return false
  return [path, stem, stem.replace(/\/index$/, '')].includes(wanted) || wanted.replace(/\.[cm]?jsx?$/, '') === stem
}

function captures(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ([, name = '']) => name)
}

function firstWord(text: string): string {
  return text.trim().split(/\s/, 1)[0] ?? ''
}
