import { command } from '../../../core/sentence.ts'
import { printable, printableJson } from '../../../core/text/printable.ts'
import { UserError } from '../../../core/user-error.ts'
import { exportTasks, exportViews } from '../../../exchange/export-tasks.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { printResult } from '../../terminal/print.ts'

const FORMATS = ['jsonl', 'markdown', 'csv', 'json'] as const
type Format = (typeof FORMATS)[number]

type Flags = GlobalFlags & Record<Exclude<Format, 'json'>, boolean>

export default async function exportAll(this: CallContext, flags: Flags): Promise<void> {
  const format = formatOf(flags)
  if (format === 'json') return printResult(this, flags, await inWorkspace(this, flags, exportViews), [])
  const text = await inWorkspace(this, flags, (ws) => exportTasks(ws, format))
  // JSON has escapes for every character. The other formats have none, so hidden characters are made visible.
  const shown = format === 'jsonl' ? printableJson(text) : printableRows(text)
  this.out.write(shown === '' || shown.endsWith('\n') ? shown : `${shown}\n`)
}

/** The line ends of CSV stay; a carriage return elsewhere does not. */
function printableRows(text: string): string {
  return text
    .split('\r\n')
    .map((part) => printable(part, { multiline: true }))
    .join('\r\n')
}

function formatOf(flags: Flags): Format {
  const asked = FORMATS.filter((format) => flags[format])
  if (asked.length < 2) return asked[0] ?? 'jsonl'
  throw new UserError('USAGE', `--${asked.join(' and --')} cannot be combined`, {
    hint: command`export --help`,
    exitCode: 2,
  })
}
