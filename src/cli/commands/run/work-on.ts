import { workOnTasks } from '../../../scheduler/work-on-tasks.ts'
import type { WorkOptions } from '../../../scheduler/work-options.ts'
import type { BaseEvents, WorkReport } from '../../../scheduler/work-report.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { checkedLine, checkingLine, heldLines } from '../../render/run/base.ts'
import { endFields, inLedger } from '../../render/run/end.ts'
import { workFields } from '../../render/run/report-fields.ts'
import { renderWorkReport } from '../../render/run/work.ts'
import type { Display } from '../../terminal/display.ts'
import { listenForStop } from '../../terminal/listen-for-stop.ts'
import { lastingOutputs } from '../../terminal/output.ts'
import { printResult } from '../../terminal/print.ts'
import { askAboutEditedTexts } from './ask-about-edited-texts.ts'
import { printEnd } from './print-end.ts'
import { printFault } from './print-fault.ts'
import { workPrinter } from './print-work.ts'
import type { WorkPrinter } from './printer-interface.ts'

/** Runs agents, prints what happens, and ends with the results. */
export async function workOn(context: CallContext, flags: GlobalFlags, options: WorkOptions): Promise<void> {
  await askAboutEditedTexts(context, flags)
  const printer = workPrinter({ ...context, ...lastingOutputs(context) }, flags.json)
  const stop = listenForStop(context, printer.warned)
  try {
    const isWatched = !flags.json && (await context.isTerminal(2))
    const night = options.all === true && options.refs.length === 0
    const before = isWatched ? { before: { night, announced: printer.warned } } : {}
    const base = basePrinter(printer, context.display)
    const idle = printer.idle === undefined ? {} : { idle: printer.idle }
    const watcher = { events: printer, base, ...stop, ...before, ...idle }
    const working = inWorkspace(context, flags, (ws) => workOnTasks(ws, options, watcher), { runsOnce: true })
    const report = await working.finally(printer.close)
    const { display } = context
    const end = inLedger(report.end, flags.branch)
    const done = { ...workFields(report), end: endFields(end, display) }
    const lines = renderWorkReport(report, display, stop.stop.aborted)
    if (report.fault === null) printResult(context, flags, { ...done, error: null }, lines)
    else printFault(context, flags, { fault: report.fault, done })
    if (!flags.json) printEnd(context, end)
    context.exitCode = stop.exitCode() ?? (hasFailed(report) ? 1 : 0)
  } finally {
    stop.release()
  }
}

/** What a check of the base does is progress, as that of a merge is. */
function basePrinter({ warned, reported }: WorkPrinter, display: Display): BaseEvents {
  return {
    checking: (check) => warned(checkingLine(check)),
    checked: (check, isGreen, seconds) => warned(checkedLine(check, isGreen, seconds)),
    held(red) {
      if (red !== null) for (const line of heldLines(red, display)) reported(line)
    },
  }
}

/**
 * A task failed for good, was interrupted, has a question, could not start or cannot land without a person, the base is
 * red, a landing failed or met a lock that a dead process has left, or open tasks are left and none can run, also because their agents
 * are paused. A failed review that was added with its task is only a warning.
 */
function hasFailed(report: WorkReport): boolean {
  const { failed, interrupted, asked, refused, paused, down, landing, deadlock, baseRed, fault } = report
  if (fault !== null || deadlock !== null || interrupted.length + asked.length > 0) return true
  if (baseRed !== null || landing?.build?.ok === false || landing?.stopped?.code === 'BASE_RED') return true
  if (landing?.failure != null || landing?.waiting?.lock != null) return true
  if (landing?.returned.some(({ sent_back }) => !sent_back)) return true
  return (
    failed.some(({ isFinal, isFollowUp }) => isFinal && !isFollowUp) ||
    [refused, paused, down].some(({ length }) => length > 0)
  )
}
