import { resolve } from 'node:path'
import { importFile, readImportSource } from '../../../exchange/import/import-file.ts'
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

export default async function importTasks(this: CallContext, flags: Flags, file: string): Promise<void> {
  const { format, from, update, 'dry-run': dryRun } = flags
  const path = file === '-' ? null : resolve(this.cwd, file)
  const request = { name: file, path, format, from, update, dryRun, detailed: flags.json || dryRun }
  const source = readImportSource(request, () => readInput(this, file))
  const result = await inWorkspace(this, flags, (ws) => importFile(ws, source, request))
  printResult(this, flags, result, renderImported(result, this.display, { dryRun }))
  if (!flags.json) printLines(this.err, renderSkipped(result))
}
