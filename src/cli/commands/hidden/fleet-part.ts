import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { readInput } from '../../terminal/input.ts'

export default async function fleetPart(
  this: CallContext,
  flags: GlobalFlags,
  part: string,
  about = '',
): Promise<void> {
  if (part === 'clerk') {
    const { runClerk } = await import('../../../fleet/clerk.ts')
    return runClerk(about, { env: this.env, report: (sentence) => printNow(this, sentence) })
  }
  if (part === 'watchdog') {
    const { watchRun } = await import('../../../fleet/watchdog.ts')
    await watchRun(Number(about))
  }
  if (part === 'fact') {
    const { askWorker } = await import('../../../fleet/fact-server.ts')
    this.out.write(await askWorker({ cwd: this.cwd, env: this.env }, readInput(this, '-')))
  }
  if (part === 'run') {
    const { runForFleet } = await import('./fleet-run.ts')
    await runForFleet(this, flags, about)
  }
}

function printNow({ err }: CallContext, sentence: string): void {
  err.write(`${sentence}\n`)
  err.flush()
}
