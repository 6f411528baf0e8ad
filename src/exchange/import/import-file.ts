import { command, sentence } from '../../core/sentence.ts'
import type { Task } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { nameFromTop, STANDARD_INPUT } from '../../planning/import/plan-source.ts'
import { recordPlanCycles } from '../../planning/import/record-plan-cycles.ts'
import { viewChanged } from '../../workspace/views/view-changed.ts'
import type { TaskView } from '../../workspace/views/views.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { type ForeignSource, gatherFolder, recogniseFile } from './gather-foreign.ts'
import { importForeign } from './import-foreign.ts'
import { type Imported, importTasks } from './import-tasks.ts'
import type { Tool } from './tools/importer.ts'

export interface ImportRequest {
  /** As the caller names it. */
  name: string
  /** A file or a folder; null for standard input. */
  path: string | null
  format?: 'markdown' | 'jsonl' | undefined
  from?: Tool | undefined
  update: boolean
  dryRun: boolean
  /** With all details of each task: they take as long as the import. */
  detailed: boolean
}

/** The tasks of another tool, or the text of a checklist or of gza's own lines. */
type ImportSource = { foreign: ForeignSource } | { text: string }

/** Read before the workspace is opened: a use case may run twice, and standard input can be read only once. */
export function readImportSource(request: ImportRequest, readText: () => string): ImportSource {
  const { name, path, format, from, update } = request
  if (format !== undefined && from !== undefined)
    throw new UserError('USAGE', '--format and --from cannot be combined', {
      hint: command`import --help`,
      exitCode: 2,
    })
  const folder = path === null ? null : gatherFolder(path, from)
  if (folder !== null) return { foreign: folder }
  const text = readText()
  const foreign = format === undefined ? recogniseFile({ name, text }, from) : null
  if (foreign !== null) return { foreign }
  if (update)
    throw new UserError('USAGE', '--update works only with the tasks of another tool', {
      hint: sentence`A checklist adds what is new; JSONL of ${command`export`} is joined with what is here.`,
      exitCode: 2,
    })
  return { text }
}

/** Imports everything in one commit, or nothing of it. */
export function importFile(ws: Workspace, source: ImportSource, request: ImportRequest): Imported<Task | TaskView> {
  const { path, format, from, dryRun } = request
  const file = path === null ? '-' : nameFromTop(ws, path)
  const again = [...(format ? ['--format', format] : []), ...(from ? ['--from', from] : [])]
  const about = { subject: path === null ? STANDARD_INPUT : file, command: ['import', file, ...again], dryRun }
  const imported = recordPlanCycles(ws, about, () => importSource(ws, source, request))
  if (!request.detailed) return imported
  return {
    ...imported,
    created: viewChanged(ws, imported.created),
    updated: viewChanged(ws, imported.updated),
  }
}

function importSource(ws: Workspace, source: ImportSource, request: ImportRequest): Imported<Task> {
  const { name, format, dryRun, update } = request
  if ('foreign' in source) return importForeign(ws, source.foreign, { dryRun, update })
  return importTasks(ws, { text: source.text, name, format, dryRun })
}
