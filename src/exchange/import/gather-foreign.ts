import { basename, join } from 'node:path'
import { command } from '../../core/sentence.ts'
import { UserError } from '../../core/user-error.ts'
import { isFolder, listFiles, readTextIfThere } from '../../platform/files/files.ts'
import type { ForeignFile, Importer, Tool } from './tools/importer.ts'
import { IMPORTERS, importerOf } from './tools/importers.ts'

/** Another tool's files, read. */
export interface ForeignSource {
  tool: Tool
  files: ForeignFile[]
}

/** A text that another tool wrote; null for a checklist or for gza's own lines. */
export function recogniseFile(file: ForeignFile, from?: Tool): ForeignSource | null {
  const found = from === undefined ? IMPORTERS.find((importer) => importer.recognises(file)) : importerOf(from)
  return found === undefined ? null : { tool: found.tool, files: [file] }
}

/** The files of the tool that a folder belongs to; null if the path is not a folder. */
export function gatherFolder(path: string, from?: Tool): ForeignSource | null {
  if (!isFolder(path)) return null
  const candidates = from === undefined ? IMPORTERS : [importerOf(from)]
  const found = candidates
    .map((importer) => ({ importer, paths: pathsFor(importer, path) }))
    .filter(({ paths }) => paths.length > 0)
  const [first, second] = found
  if (first === undefined) throw nothingFound(path)
  if (second !== undefined) throw severalFound(path, first.importer.tool, second.importer.tool)
  const files = first.paths.map((name) => ({ name, text: readTextIfThere(join(path, name)) ?? '' }))
  return { tool: first.importer.tool, files }
}

function pathsFor(importer: Importer, path: string): string[] {
  const below = importer.folders.flatMap((folder) =>
    listFiles(join(path, folder)).map((file) => join(folder, basename(file))),
  )
  return importer.pick(below)
}

function nothingFound(path: string): UserError {
  return new UserError('NOTHING_TO_IMPORT', `${path} contains no tasks of beads, Task Master or Backlog.md`, {
    hint: 'Name the file instead, or the folder that contains .beads, .taskmaster or backlog.',
  })
}

function severalFound(path: string, ...tools: Tool[]): UserError {
  return new UserError('SEVERAL_TOOLS', `${path} contains tasks of ${tools.join(' and ')}`, {
    hint: command`import ${basename(path) || '.'} --from ${tools[0] ?? 'TOOL'}`,
    exitCode: 2,
  })
}
