import { UserError } from '../../../core/user-error.ts'
import { type InTreeOptions, runTasksInTree } from '../../../scheduler/in-tree/run-tasks-in-tree.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { endFields, inLedger } from '../../render/run/end.ts'
import { inTreeFields } from '../../render/run/report-fields.ts'
import { renderRunReport } from '../../render/run/work.ts'
import { listenForStop } from '../../terminal/listen-for-stop.ts'
import { lastingOutputs } from '../../terminal/output.ts'
import { printResult } from '../../terminal/print.ts'
import { askAboutEditedTexts } from './ask-about-edited-texts.ts'
import { printEnd } from './print-end.ts'
import { printFault } from './print-fault.ts'
import { workPrinter } from './print-work.ts'
import type { WorkPrinter } from './printer-interface.ts'

const CLIENTS = ['claude', 'opencode', 'codex', 'gemini', 'qwen', 'copilot'] as const

type Flags = GlobalFlags &
  Record<(typeof CLIENTS)[number], boolean> & {
    runner?: string
    model?: string
    once: boolean
    'dry-run': boolean
    delay?: number
    'max-tasks'?: number
  }

export default async function run(this: CallContext, flags: Flags): Promise<void> {
  const named = CLIENTS.filter((client) => flags[client])
  if (named.length + (flags.runner === undefined ? 0 : 1) > 1) {
    throw new UserError('USAGE', 'Name one agent, not several', { hint: 'git tasks run --claude', exitCode: 2 })
  }
  const options: InTreeOptions = {
    agent: named[0],
    runner: flags.runner,
    model: flags.model,
    once: flags.once,
    dryRun: flags['dry-run'],
    delaySeconds: flags.delay,
    maxTasks: flags['max-tasks'],
  }
  if (!flags['dry-run']) await askAboutEditedTexts(this, flags)
  const printer = printingActions(workPrinter({ ...this, ...lastingOutputs(this) }, flags.json))
  const stop = listenForStop(this, printer.warned)
  try {
    const working = inWorkspace(this, flags, (ws) => runTasksInTree(ws, options, { events: printer, ...stop }), {
      runsOnce: true,
    })
    const { fault, end: ended, ...report } = await working.finally(printer.close)
    const end = ended && inLedger(ended, flags.branch)
    const done = { ...inTreeFields(report), end: end && endFields(end, this.display) }
    if (fault === null) printResult(this, flags, { ...done, error: null }, renderRunReport(report, this.display))
    else printFault(this, flags, { fault, done })
    // The last line on stdout is the next command already.
    if (end !== null && !flags.json) printEnd(this, report.isAllDone ? { ...end, next: null } : end)
    const isLeftUndone =
      fault !== null ||
      report.stopped !== null ||
      report.paused !== null ||
      report.skipped.length + report.failed.length + report.asked.length > 0
    this.exitCode = stop.exitCode() ?? (isLeftUndone ? 1 : 0)
  } finally {
    stop.release()
  }
}

const LONGEST_LINE = 1000

/** Also prints what the agent does, as it happens. */
function printingActions(printer: WorkPrinter): WorkPrinter {
  return {
    ...printer,
    progress(plan, progress) {
      printer.progress(plan, progress)
      if (progress.phase !== undefined || progress.action === undefined) return
      for (const line of progress.action.split('\n')) {
        if (line.trim() !== '') printer.reported(`  ${line.slice(0, LONGEST_LINE)}`)
      }
    },
  }
}
