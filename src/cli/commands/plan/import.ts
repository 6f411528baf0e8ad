import { resolve } from 'node:path'
import { command } from '../../../core/sentence.ts'
import { importFile, readImportSource } from '../../../exchange/import/import-file.ts'
import type { CallContext, CreateFlag, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { importFields, renderImported, renderSkipped } from '../../render/plan/import.ts'
import { readInput } from '../../terminal/input.ts'
import { printLines, printResult } from '../../terminal/print.ts'

interface Flags extends GlobalFlags, CreateFlag {
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
  const result = await inWorkspace(this, flags, (ws) => importFile(ws, source, request), {
    unknownName: flags.create ? 'use' : () => command`import ${file}`,
  })
  printResult(this, flags, importFields(result), renderImported(result, this.display, { dryRun }))
  if (!flags.json) printLines(this.err, renderSkipped(result))
}
