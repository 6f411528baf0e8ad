import { command } from '../../../core/sentence.ts'
import { UserError } from '../../../core/user-error.ts'
import type { FleetEvent } from '../../../fleet/follow-work.ts'
import { planWork } from '../../../scheduler/choose/plan-work.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { type RalphFlags, ralphOptions } from '../../flags/ralph-options.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { renderWorkPlan } from '../../render/run/work-plan.ts'
import { listenForStop } from '../../terminal/listen-for-stop.ts'
import { printResult } from '../../terminal/print.ts'
import { workOn } from './work-on.ts'

interface Flags extends GlobalFlags, RalphFlags {
  count?: number
  all: boolean
  workers?: number
  agent?: string
  model?: string
  'take-over': boolean
  'dry-run': boolean
  wait: boolean
  'max-wait'?: number
  'no-base-check': boolean
  fleet: boolean
  local: boolean
}

export default async function workTasks(this: CallContext, flags: Flags, ...refs: string[]): Promise<void> {
  if (flags.fleet) return followFleetWork(this, flags, refs)
  const { count, all, workers, agent, model } = flags
  const hours = flags['max-wait']
  const waiting = {
    // Where nobody looks, a script decides whether it may take all night. Who says how long wants to wait.
    wait: flags.wait || hours !== undefined || (all && (await this.isTerminal(1))),
    ...(hours !== undefined && { maxWaitMs: hours * 3_600_000 }),
  }
  const chosen = {
    refs,
    count,
    all,
    workers,
    agent,
    model,
    takeOver: flags['take-over'],
    baseCheck: !flags['no-base-check'],
    isLocal: flags.local,
  }
  const asked = { ...chosen, ...waiting, ...ralphOptions(flags) }
  if (!flags['dry-run']) return workOn(this, flags, asked)
  const plan = await inWorkspace(this, flags, (ws) => planWork(ws, asked))
  printResult(this, flags, plan, renderWorkPlan(plan, this.display))
}

/** The fleet does the work. Ctrl-C ends only what is printed about it. */
async function followFleetWork(context: CallContext, flags: Flags, refs: readonly string[]): Promise<void> {
  refuseLocalFlags(flags)
  const { followWork } = await import('../../../fleet/follow-work.ts')
  const { fleetEventLine, followedLine } = await import('../../render/run/fleet.ts')
  const print = (line: string): void => {
    context.err.write(`${line}\n`)
    context.err.flush()
  }
  const signals = listenForStop(context, print, 'The fleet continues.')
  try {
    const follow = { refs, stop: signals.stop, happened: (event: FleetEvent) => print(fleetEventLine(event)) }
    const done = await inWorkspace(context, flags, (ws) => followWork(ws, follow), { runsOnce: true })
    printResult(context, flags, done, [followedLine(done)])
    const isDone = done.tasks.every(({ status }) => status === 'completed' || status === 'skipped')
    context.exitCode = signals.exitCode() ?? (done.is_over && !isDone ? 1 : 0)
  } finally {
    signals.release()
  }
}

/** A worker decides with its own configuration. */
function refuseLocalFlags({ fleet: _fleet, all: _all, json: _json, branch: _branch, ...others }: Flags): void {
  const [name] = Object.entries(others).find(([, value]) => value !== undefined && value !== false) ?? []
  if (name === undefined) return
  throw new UserError('USAGE', `--${name} cannot be used with --fleet`, { hint: command`work --fleet`, exitCode: 2 })
}
