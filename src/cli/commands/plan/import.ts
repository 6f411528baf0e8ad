import { resolve } from 'node:path'
import { command, sentence } from '../../../core/sentence.ts'
import { UserError } from '../../../core/user-error.ts'
import { gatherFolder, recogniseFile } from '../../../exchange/import/gather-foreign.ts'
import { importForeign } from '../../../exchange/import/import-foreign.ts'
import { importTasks, viewImported } from '../../../exchange/import/import-tasks.ts'
import { nameFromTop } from '../../../planning/import/plan-source.ts'
import { recordPlanCycles, STANDARD_INPUT } from '../../../planning/import/record-plan-cycles.ts'
import type { Workspace } from '../../../workspace/workspace.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderImported, renderSkipped } from '../../render/plan/import.ts'
import { readInput } from '../../terminal/input.ts'
import { printLines, printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags {
  format?: 'markdown' | 'jsonl'
  from?: 'beads' | 'task-master' | 'backlog' | 'github'
  'dry-run': boolean
  update: boolean
}

export default async function importFile(this: CallContext, flags: Flags, file: string): Promise<void> {
  const dryRun = flags['dry-run']
  const take = importerFor(this, flags, file)
  const again = [...(flags.format ? ['--format', flags.format] : []), ...(flags.from ? ['--from', flags.from] : [])]
  const result = await inWorkspace(this, flags, (ws) => {
    const path = file === '-' ? file : nameFromTop(ws, resolve(this.cwd, file))
    const subject = file === '-' ? STANDARD_INPUT : path
    const imported = recordPlanCycles(ws, { subject, command: ['import', path, ...again], dryRun }, () => take(ws))
    return flags.json || dryRun ? viewImported(ws, imported) : imported
  })
  printResult(this, flags, result, renderImported(result, this.display, { dryRun }))
  if (!flags.json) printLines(this.err, renderSkipped(result))
}

/** Everything is read before the workspace is opened: standard input can be read only once. */
function importerFor(context: CallContext, flags: Flags, name: string) {
  const { format, from, update, 'dry-run': dryRun } = flags
  if (format !== undefined && from !== undefined)
    throw new UserError('USAGE', '--format and --from exclude each other', {
      hint: command`import --help`,
      exitCode: 2,
    })
  const folder = name === '-' ? null : gatherFolder(resolve(context.cwd, name), from)
  if (folder !== null) return (ws: Workspace) => importForeign(ws, folder, { dryRun, update })
  const text = readInput(context, name)
  const source = format === undefined ? recogniseFile({ name, text }, from) : null
  if (source !== null) return (ws: Workspace) => importForeign(ws, source, { dryRun, update })
  if (update)
    throw new UserError('USAGE', '--update is for the tasks of another tool', {
      hint: sentence`A checklist adds what is new; JSONL of ${command`export`} is joined with what is here.`,
      exitCode: 2,
    })
  return (ws: Workspace) => importTasks(ws, { text, name, format, dryRun })
}
