import { command, commandLine, sentence } from '../../../core/sentence.ts'
import { UserError } from '../../../core/user-error.ts'
import { followRun } from '../../../runs/watch/follow-run.ts'
import { type RunView, viewRuns } from '../../../runs/watch/list-and-kill.ts'
import { type LogPart, readLogs } from '../../../runs/watch/read-logs.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { logFields, logReader, rawLines } from '../../render/watch/logs.ts'
import { type JsonList, openJsonList, printLines } from '../../terminal/print.ts'

interface Flags extends GlobalFlags {
  follow: boolean
  raw: boolean
}

export default async function logs(this: CallContext, flags: Flags, ref?: string): Promise<void> {
  if (ref !== undefined) return printLog(this, flags, ref)
  if (flags.follow) return followAll(this, flags)
  throw new UserError('USAGE', 'ID is missing', {
    hint: sentence`${command`logs ID`} shows one task; ${command`logs -f`} follows all that run.`,
    exitCode: 2,
  })
}

async function printLog(context: CallContext, flags: Flags, ref: string): Promise<void> {
  const json = openJsonList(context.out, context.display.name)
  const read = flags.raw ? rawLines : logReader(context.display)
  let run = { number: 0, run: '' }
  const print = (part: LogPart) => {
    if (part.kind === 'run') run = part
    if (!flags.json) printLines(context.out, read(part))
    else if (part.kind === 'line') json.add(logFields(run, part))
    if (flags.follow) context.out.flush()
    if (part.kind === 'end' && part.end === null && !flags.follow && !flags.json)
      context.err.write(`It is still running: ${commandLine`logs -f ${ref}`} keeps reading.\n`)
  }
  await inWorkspace(context, flags, async (ws) => {
    for await (const part of readLogs(ws, ref, flags)) print(part)
  })
  if (flags.json) json.end()
}

const PAUSE_MS = 500

/** All that run, and what starts meanwhile. Every line begins with the number of its task. */
async function followAll(context: CallContext, flags: Flags): Promise<void> {
  const json = openJsonList(context.out, context.display.name)
  const stop = new AbortController()
  const stopped = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()))
  for (const signal of context.endingSignals()) process.on(signal, () => stop.abort())
  const followed = new Map<string, Promise<void>>()
  const follow = (run: RunView) =>
    inWorkspace(context, flags, async (ws) => {
      const print = runPrinter(context, flags, { run, json })
      for await (const part of followRun(ws, run, stop.signal)) print(part)
    })
  for (let isFirst = true; !stop.signal.aborted; isFirst = false) {
    // A new workspace each time: before the first run of a repository there is nothing to look into.
    const runs = await inWorkspace(context, flags, viewRuns)
    context.warnings.length = 0
    if (isFirst && runs.length === 0) waitForRuns(context)
    for (const run of runs) if (run.number > 0 && !followed.has(run.run)) followed.set(run.run, follow(run))
    // One that fails ends the command.
    await Promise.race([Bun.sleep(PAUSE_MS), stopped, ...[...followed.values()].map(onlyFailure)])
  }
  await Promise.all(followed.values())
  if (flags.json) json.end()
}

function onlyFailure(followed: Promise<void>): Promise<never> {
  return new Promise((_, reject) => followed.catch(reject))
}

function waitForRuns({ err }: CallContext): void {
  err.write('Nothing is running. What starts is followed, until Ctrl-C.\n')
  err.flush()
}

function runPrinter({ out, display }: CallContext, flags: Flags, { run, json }: { run: RunView; json: JsonList }) {
  const read = flags.raw ? rawLines : logReader(display)
  const name = display.style.yellow(`#${run.number}`)
  return (part: LogPart): void => {
    if (flags.json) {
      if (part.kind === 'line') json.add(logFields(run, part))
    } else
      for (const text of read(part))
        printLines(
          out,
          text.split('\n').map((line) => `${name}  ${line}`),
        )
    out.flush()
  }
}
