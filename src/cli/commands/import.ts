import { importTasks, viewImported } from '../../app/import-tasks.ts'
import type { Face, GlobalFlags } from '../face.ts'
import { inWorkspace } from '../in-workspace.ts'
import { readInput } from '../input.ts'
import { printLines, printResult } from '../print.ts'
import { renderImported, renderSkipped } from '../render/imported.ts'

interface Flags extends GlobalFlags {
  format?: 'markdown' | 'jsonl'
  'dry-run': boolean
}

export default async function importFile(this: Face, flags: Flags, file: string): Promise<void> {
  const text = readInput(this, file)
  const dryRun = flags['dry-run']
  const result = await inWorkspace(this, flags, (ws) => {
    const imported = importTasks(ws, { text, name: file, format: flags.format, dryRun })
    return flags.json || dryRun ? viewImported(ws, imported) : imported
  })
  printResult(this, flags, result, renderImported(result, this.look, { dryRun }))
  if (!flags.json) printLines(this.err, renderSkipped(result))
}
