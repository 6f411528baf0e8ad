import { type OfferToRun, runOffer } from '../../../fleet/run-offer.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { listenForStop } from '../../terminal/listen-for-stop.ts'
import { workPrinter } from '../run/print-work.ts'

/** What happens goes to stderr, for the worker's log, and how it ended to stdout. */
export async function runForFleet(context: CallContext, flags: GlobalFlags, offer: string): Promise<void> {
  const printer = workPrinter(context, true)
  const signals = listenForStop(context, printer.warned)
  try {
    const { stop, cancel } = signals
    const run = JSON.parse(offer) as OfferToRun
    const work = inWorkspace(context, flags, (ws) => runOffer(ws, run, { events: printer, stop, cancel }), {
      runsOnce: true,
      unknownName: 'use',
    })
    const end = await work.finally(printer.close)
    context.out.write(`${JSON.stringify(end)}\n`)
    context.exitCode = signals.exitCode() ?? 0
  } finally {
    signals.release()
  }
}
