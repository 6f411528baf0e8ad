import { commandLine } from '../../../core/sentence.ts'
import { plural } from '../../../core/text/plural.ts'
import { printable } from '../../../core/text/printable.ts'
import { shellWord } from '../../../core/text/shell-word.ts'
import type { FleetEvent, FollowedWork } from '../../../fleet/follow-work.ts'
import type { FleetChange, FleetStatus } from '../../../fleet/look-at-fleet.ts'
import type { FleetSetUp } from '../../../fleet/set-up-fleet.ts'
import type { Display } from '../../terminal/display.ts'
import { renderColumns } from '../columns.ts'

export function renderFleetSetUp({ fleet, ledger, remote, remote_url }: FleetSetUp): string[] {
  const start = commandLine`fleet worker --repo ${shellWord(remote_url)}`
  return [
    `The queue of ${ledger} belongs to the fleet ${fleet}.`,
    `Each machine needs gza, its agents’ clients, the right to push to ${printable(remote)}, and the address of the database. Then:`,
    `  ${printable(start)}`,
  ]
}

export function* renderFleetStatus(status: FleetStatus, display: Display): Iterable<string> {
  const { fleet, ledger, is_paused, machines, runs, waiting } = status
  const paused = is_paused ? ', paused' : ''
  yield `Fleet ${fleet} works on ${ledger}${paused}: ${plural(machines.length, 'machine')}, ${plural(runs.length, 'run')}, ${waiting} offered`
  const rows = machines.map(({ id, host, state, busy, workers, version }) => [
    ...[printable(host), id, state, `${busy}/${workers}`, printable(version)],
  ])
  yield* renderColumns(['HOST', 'ID', 'STATE', 'BUSY', 'VERSION'], rows, display)
  const running = runs.map(({ number, title, host, run }) => [
    `#${number}`,
    printable(title),
    printable(host),
    run ?? '-',
  ])
  yield* renderColumns(['TASK', 'TITLE', 'HOST', 'RUN'], running, display)
}

export function fleetChangeLine({ fleet, done, machines }: FleetChange): string {
  if (done === 'paused') return `The fleet ${fleet} is paused: what runs is finished, and nothing new starts.`
  if (done === 'resumed') return `The fleet ${fleet} works again.`
  return machines.length === 0 ? 'The fleet has no machines.' : `${machines.join(', ')}: ${done}`
}

export function fleetEventLine({ number, title, machine, what, detail }: FleetEvent): string {
  const why = detail === null ? '' : `: ${printable(detail)}`
  return `#${number} ${printable(title)}: ${what} on ${printable(machine)}${why}`
}

export function followedLine({ tasks, is_over }: FollowedWork): string {
  const completed = tasks.filter(({ status }) => status === 'completed').length
  const words = `${completed} of ${plural(tasks.length, 'task')} completed`
  return is_over ? words : `${words}. The fleet continues.`
}
