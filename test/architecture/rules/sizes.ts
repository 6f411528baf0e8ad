import { dirname } from 'node:path/posix'
import { areaOf, importsOf, linesOf, type Source } from '../source.ts'

const LONGEST_FILE = 400
const MOST_FILES = 18
const SHORTEST_LONE_FILE = 25

/** Files that are too long. */
export function longFiles(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) => {
    const { length } = linesOf(text)
    if (length <= LONGEST_FILE) return []
    return [
      `${path}:${LONGEST_FILE + 1}: the file has ${length} lines, at most ${LONGEST_FILE} are allowed: split it by subject`,
    ]
  })
}

/** Folders with too many files; those of folders inside them are not counted. */
export function fullFolders(sources: readonly Source[]): string[] {
  return Object.entries(Object.groupBy(sources, ({ path }) => dirname(path))).flatMap(([folder, files = []]) =>
    files.length <= MOST_FILES
      ? []
      : [
          `${folder}: ${files.length} files, at most ${MOST_FILES} are allowed: move those of one subject into a folder inside it`,
        ],
  )
}

/**
 * Short files with a single importer, which they should join. A file that is loaded lazily has a reason to be one, and
 * so has one whose importer is in another folder of the table.
 */
export function loneFiles(sources: readonly Source[]): string[] {
  const importers = new Map<string, Set<string>>()
  const lazy = new Set<string>()
  for (const source of sources)
    for (const { target, isLazy } of importsOf(source)) {
      if (target === null) continue
      if (isLazy) lazy.add(target)
      importers.set(target, (importers.get(target) ?? new Set()).add(source.path))
    }
  return sources.flatMap(({ path, text }) => {
    const [importer, ...others] = importers.get(path) ?? []
    if (importer === undefined || others.length > 0 || lazy.has(path)) return []
    if (areaOf(importer) !== areaOf(path) || linesOf(text).length >= SHORTEST_LONE_FILE) return []
    return [`${path}: a file under ${SHORTEST_LONE_FILE} lines with one importer: move its code into ${importer}`]
  })
}
