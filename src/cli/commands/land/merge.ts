import { command, commandLine, sentence } from '../../../core/sentence.ts'
import { UserError } from '../../../core/user-error.ts'
import { type MergeOptions, type MergeReport, mergeTasks } from '../../../landing/merge-tasks.ts'
import { agreeToNumbers } from '../../agree-to-numbers.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderMerge } from '../../render/land/landing.ts'
import { asksYes } from '../../terminal/input.ts'
import { listenForStop } from '../../terminal/listen-for-stop.ts'
import { lastingOutputs } from '../../terminal/output.ts'
import { printResult } from '../../terminal/print.ts'
import { mergePrinter } from './print-merge.ts'

const METHODS = ['cherry-pick', 'merge', 'squash'] as const

type Flags = GlobalFlags &
  Record<(typeof METHODS)[number], boolean> & {
    all: boolean
    group?: string
    into?: string
    'dry-run': boolean
    yes: boolean
  }

export default async function merge(this: CallContext, flags: Flags, ...refs: string[]): Promise<void> {
  const options: MergeOptions = {
    refs,
    all: flags.all,
    group: flags.group,
    method: methodOf(flags),
    into: flags.into,
    dryRun: flags['dry-run'],
    yes: flags.yes,
  }
  await agreeToNumbers(this, flags, refs)
  const { close, ...printer } = mergePrinter({ ...this, ...lastingOutputs(this) }, flags.json)
  const stop = listenForStop(this, printer.reported, STOPPING)
  try {
    const agrees = (tasks: readonly number[]) => agreesToLand(this, flags, refs, tasks)
    const watcher = { ...printer, moved: () => {}, cancel: stop.stop, agrees }
    const landing = inWorkspace(this, flags, (ws) => mergeTasks(ws, options, watcher), { runsOnce: true })
    const report = await landing.finally(close)
    printResult(this, flags, report, renderMerge(report, this.display, { dryRun: flags['dry-run'] }))
    this.exitCode = stop.exitCode() ?? (isAllLanded(report) ? 0 : 1)
  } finally {
    stop.release()
  }
}

const STOPPING = `Stopping. What has not landed yet stays where it is; ${commandLine`queue`} shows it.`

async function agreesToLand(
  context: CallContext,
  { json }: GlobalFlags,
  refs: readonly string[],
  tasks: readonly number[],
): Promise<boolean> {
  const names = tasks.map((number) => `#${number}`).join(', ')
  if (!json && (await context.isTerminal(0))) return asksYes(context, `Land the branch of ${names} anyway?`)
  throw new UserError('NOT_AGREED', `Nothing has landed: agents did not finish the work on the branch of ${names}`, {
    hint: sentence`If it should land anyway: ${command`merge ${refs} --yes`}`,
  })
}

function methodOf(flags: Flags): MergeOptions['method'] {
  const chosen = METHODS.filter((method) => flags[method])
  if (chosen.length < 2) return chosen[0]
  throw new UserError('USAGE', 'Choose one way to land, not several', { hint: command`merge 3 --squash`, exitCode: 2 })
}

function isAllLanded({ refused, returned, waiting, stopped }: MergeReport): boolean {
  return refused.every(isLandedAlready) && returned.length === 0 && waiting === null && stopped === null
}

function isLandedAlready({ code }: { code: string }): boolean {
  return code === 'LANDED' || code === 'NOTHING_TO_LAND'
}
