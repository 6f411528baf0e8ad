import { commandLine } from '../../../core/sentence.ts'
import { type LogPart, readLogs } from '../../../runs/watch/read-logs.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { logReader, rawLines } from '../../render/watch/logs.ts'
import { openJsonList, printLines } from '../../terminal/print.ts'

interface Flags extends GlobalFlags {
  follow: boolean
  raw: boolean
}

export default async function logs(this: CallContext, flags: Flags, ref: string): Promise<void> {
  const json = openJsonList(this.out)
  const read = flags.raw ? rawLines : logReader(this.display)
  const print = (part: LogPart) => {
    if (!flags.json) printLines(this.out, read(part))
    else if (part.kind === 'line') json.add(part.record)
    if (flags.follow) this.out.flush()
    if (part.kind === 'end' && part.end === null && !flags.follow && !flags.json)
      this.err.write(`It is still running: ${commandLine`logs -f ${ref}`} keeps reading.\n`)
  }
  await inWorkspace(this, flags, async (ws) => {
    for await (const part of readLogs(ws, ref, flags)) print(part)
  })
  if (flags.json) json.end()
}
