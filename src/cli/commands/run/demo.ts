import { command, commandLine, sentence } from '../../../core/sentence.ts'
import { printable } from '../../../core/text/printable.ts'
import { UserError } from '../../../core/user-error.ts'
import { type Demo, openDemo } from '../../../scheduler/demo/open-demo.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { listenForStop, type StopSignals } from '../../terminal/listen-for-stop.ts'
import { printResult } from '../../terminal/print.ts'
import { VERSION } from '../../version.ts'

interface Flags extends GlobalFlags {
  web: boolean
  'no-open': boolean
}

export default async function demo(this: CallContext, flags: Flags): Promise<void> {
  if (flags['no-open'] && !flags.web) throw new UserError('USAGE', '--no-open needs --web', { exitCode: 2 })
  // Before the first file is created, so that Ctrl-C leaves nothing behind at any time.
  const stop = listenForStop(this, () => {})
  const shown = openDemo(this.env)
  try {
    await showSteps(this, flags, shown, stop.stop)
    const isComplete = !stop.stop.aborted
    if (!isComplete) this.exitCode = stop.exitCode() ?? 130
    else if (flags.web) await servePage(this, flags, shown, stop)
    else if (flags.json) printResult(this, flags, await shown.summary(), [])
    shown.close()
    if (isComplete && !flags.json) print(this, flags, ['', LAST_LINE])
  } finally {
    shown.close()
    stop.release()
  }
}

const LAST_LINE = `The repository was deleted. In one of yours: ${commandLine`init`}, ${commandLine`add "…"`}, then ${commandLine`work`}`

async function showSteps(context: CallContext, flags: Flags, demo: Demo, stop: AbortSignal): Promise<void> {
  for (const { text, commands, needsPerson = false } of flags.web ? demo.pageSteps : demo.steps) {
    if (stop.aborted) return
    print(context, flags, ['', context.display.style.bold(text)])
    for (const words of commands) {
      if (stop.aborted) return
      print(context, flags, [context.display.style.dim(`$ ${words.map(quoted).join(' ')}`)])
      const end = await demo.run(words, { quiet: flags.json })
      if (stop.aborted || (end.kind === 'exited' && (end.code === 0 || needsPerson))) continue
      throw new UserError('DEMO_FAILED', `${words.join(' ')} failed, so the demonstration ends here`, {
        hint: sentence`${command`doctor`} shows what is missing.`,
      })
    }
  }
}

/** Until Ctrl-C. What a person has started in the page ends with it. */
async function servePage(
  context: CallContext,
  flags: Flags,
  demo: Demo,
  { stop, exitCode }: StopSignals,
): Promise<void> {
  const report = (sentence: string): void => print(context, flags, [printable(sentence)])
  try {
    await demo.startLongTask()
    const { serve } = await context.web(demo.env)
    await serve({
      ...{ folders: [demo.dir], env: demo.env, version: VERSION, port: 0, readOnly: false, stop, report },
      isOpening: !flags['no-open'] && !flags.json,
      opened: (address, { inBrowser, already }) => {
        if (flags.json) return printAddress(context, { address, already })
        const lines = ['', context.display.style.bold('The same work in a browser:'), address]
        if (!inBrowser) lines.push('Open it within a minute. It works once.')
        print(context, flags, [...lines, 'Ctrl-C ends it, and deletes the repository.'])
      },
    })
  } finally {
    await demo.endWork()
    context.exitCode = exitCode() ?? 0
  }
}

/** As `gza web --json` does. */
function printAddress({ out }: CallContext, given: { address: string; already: boolean }): void {
  out.write(`${JSON.stringify(given)}\n`)
  out.flush()
}

/** The commands of the steps write to the terminal themselves, so these lines must not stay in a buffer. */
function print(context: CallContext, flags: GlobalFlags, lines: readonly string[]): void {
  const output = flags.json ? context.err : context.out
  output.write(lines.map((line) => `${line}\n`).join(''))
  output.flush()
}

function quoted(word: string): string {
  return /^[\w./=-]+$/.test(word) ? word : `"${word}"`
}
