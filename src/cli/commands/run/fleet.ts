import { command, sentence } from '../../../core/sentence.ts'
import { UserError } from '../../../core/user-error.ts'
import { type FleetAction, readFleetStatus, steerFleet } from '../../../fleet/look-at-fleet.ts'
import { runWorker } from '../../../fleet/run-worker.ts'
import { initFleet, leaveItsFleet, migrateFleet } from '../../../fleet/set-up-fleet.ts'
import type { CallContext, GlobalFlags } from '../../call-context.ts'
import { inWorkspace } from '../../in-workspace.ts'
import { fleetChangeLine, renderFleetSetUp, renderFleetStatus } from '../../render/run/fleet.ts'
import { listenForStop } from '../../terminal/listen-for-stop.ts'
import { printResult } from '../../terminal/print.ts'
import { VERSION } from '../../version.ts'

interface Flags extends GlobalFlags {
  repo?: string
  workers?: number
  'trust-base': boolean
  watch: boolean
}

export default async function fleet(this: CallContext, flags: Flags, action: string, machine?: string): Promise<void> {
  refuseMisused(flags, action, machine)
  switch (action) {
    case 'init': {
      const done = await inWorkspace(this, flags, initFleet)
      return printResult(this, flags, done, renderFleetSetUp(done))
    }
    case 'migrate': {
      const done = await inWorkspace(this, flags, migrateFleet)
      return printResult(this, flags, done, [`The database has all tables (protocol ${done.protocol}).`])
    }
    case 'leave': {
      const done = await inWorkspace(this, flags, leaveItsFleet)
      const whose = done.left === null ? 'belonged to no fleet' : `has left the fleet ${done.left}`
      return printResult(this, flags, done, [`The queue of ${done.ledger} ${whose}.`])
    }
    case 'worker':
      return work(this, flags)
    case 'status':
      return status(this, flags)
    case 'drain':
    case 'remove':
    case 'pause':
    case 'resume':
      return steer(this, flags, action, machine ?? null)
    default:
      throw usage(`fleet has no action '${action}'`)
  }
}

async function steer(context: CallContext, flags: Flags, action: FleetAction, machine: string | null): Promise<void> {
  if (action === 'remove' && machine === null) throw usage('fleet remove needs the id or the host name of a machine')
  const done = await inWorkspace(context, flags, (ws) => steerFleet(ws, action, machine))
  printResult(context, flags, done, [fleetChangeLine(done)])
}

const LOOK_MS = 2000

async function status(context: CallContext, flags: Flags): Promise<void> {
  const stop = flags.watch ? listenForStop(context, () => {}, '') : null
  do {
    const found = await inWorkspace(context, flags, readFleetStatus)
    printResult(context, flags, found, renderFleetStatus(found, context.display))
    context.out.flush()
    if (stop !== null) await Promise.race([Bun.sleep(LOOK_MS), aborted(stop.stop)])
  } while (stop !== null && !stop.stop.aborted)
  stop?.release()
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
}

async function work(context: CallContext, flags: Flags): Promise<void> {
  const { repo, branch = null, workers = 1 } = flags
  if (repo === undefined) throw usage('fleet worker needs --repo REMOTE')
  const report = (line: string): void => {
    context.err.write(`${line}\n`)
    context.err.flush()
  }
  const signals = listenForStop(context, report)
  try {
    const done = await runWorker({
      ...{ cwd: context.cwd, env: context.env, remote: repo, ledger: branch, workers },
      ...{ trustsBase: flags['trust-base'], version: VERSION, report },
      ...{ stop: signals.stop, cancel: signals.cancel },
    })
    printResult(context, flags, done, [`Done: ${done.offers} offers`])
    context.exitCode = signals.exitCode() ?? 0
  } finally {
    signals.release()
  }
}

/** Flags and arguments of one action say nothing to another one. */
function refuseMisused(flags: Flags, action: string, machine: string | undefined): void {
  const isForWorker = flags.repo !== undefined || flags.workers !== undefined || flags['trust-base']
  if (isForWorker && action !== 'worker')
    throw usage('--repo, --workers and --trust-base can only be used with fleet worker')
  if (flags.watch && action !== 'status') throw usage('--watch can only be used with fleet status')
  if (flags.watch && flags.json) throw usage('--watch cannot be used with --json')
  if (machine !== undefined && action !== 'drain' && action !== 'remove')
    throw usage(`fleet ${action} takes no argument`)
}

function usage(message: string): UserError {
  return new UserError('USAGE', message, {
    hint: sentence`${command`fleet init`}, ${command`fleet worker --repo REMOTE`}, ${command`fleet status`}`,
    exitCode: 2,
  })
}
