import { command, commandLine, sentence } from '../../../core/sentence.ts'
import { UserError } from '../../../core/user-error.ts'
import { type Demo, openDemo } from '../../../scheduler/demo/open-demo.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { listenForStop } from '../../terminal/listen-for-stop.ts'
import { printResult } from '../../terminal/print.ts'

export default async function demo(this: CallContext, flags: GlobalFlags): Promise<void> {
  // Before the first file is created, so that Ctrl-C leaves nothing behind at any time.
  const stop = listenForStop(this, () => {})
  const shown = openDemo(this.env)
  try {
    await showSteps(this, flags, shown, stop.stop)
    if (stop.stop.aborted) this.exitCode = stop.exitCode() ?? 130
    else if (flags.json) printResult(this, flags, await shown.summary(), [])
    shown.close()
    if (!stop.stop.aborted && !flags.json) print(this, flags, ['', LAST_LINE])
  } finally {
    shown.close()
    stop.release()
  }
}

const LAST_LINE = `The repository was deleted. In one of yours: ${commandLine`init`}, ${commandLine`add "…"`}, then ${commandLine`work`}`

async function showSteps(context: CallContext, flags: GlobalFlags, demo: Demo, stop: AbortSignal): Promise<void> {
  for (const { text, commands } of demo.steps) {
    if (stop.aborted) return
    print(context, flags, ['', context.display.style.bold(text)])
    for (const words of commands) {
      if (stop.aborted) return
      print(context, flags, [context.display.style.dim(`$ ${words.map(quoted).join(' ')}`)])
      const end = await demo.run(words, { quiet: flags.json })
      if (stop.aborted || (end.kind === 'exited' && end.code === 0)) continue
      throw new UserError('DEMO_FAILED', `${words.join(' ')} failed, so the demonstration ends here`, {
        hint: sentence`${command`doctor`} shows what is missing.`,
      })
    }
  }
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
