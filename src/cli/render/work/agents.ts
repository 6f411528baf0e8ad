import { commandLine } from '../../../core/sentence.ts'
import { printable } from '../../../core/text/printable.ts'
import type { Claimed } from '../../../runs/claims/claim-task.ts'
import type { PausableAgent } from '../../../runs/spend/paused-agents.ts'
import type { Display } from '../../terminal/display.ts'
import { cutTo, padTo, widthOf } from '../../terminal/fit-to.ts'
import { elapsed } from '../amounts.ts'
import { label } from '../task-text.ts'

/** A line for each agent: name, status, when it was last seen, its task, and why it is waiting. */
export function* renderAgents(agents: readonly PausableAgent[], display: Display, now: number): Iterable<string> {
  const rows = agents.map((agent) => ({ cells: cellsOf(agent, now), work: workOf(agent) }))
  const widths = rows.reduce<number[]>(
    (widest, { cells }) => cells.map((cell, at) => Math.max(widest[at] ?? 0, widthOf(cell))),
    [],
  )
  for (const { cells, work } of rows) {
    const head = cells.map((cell, at) => padTo(cell, widths[at] ?? 0)).join('  ')
    const line = `${head}  ${work}`.trimEnd()
    yield display.width === null ? line : cutTo(line, display.width)
  }
  for (const { agent, client, paused_until } of agents) {
    if (paused_until === null) continue
    const name = client ?? agent
    yield display.style.yellow(
      `${printable(name)} is at its usage limit until ${paused_until}; ${commandLine`agents resume ${name}`} lifts the pause`,
    )
  }
}

function cellsOf({ agent, client, status, heartbeat_at }: PausableAgent, now: number): string[] {
  const seen = heartbeat_at === null ? 'never seen' : `seen ${elapsed((now - Date.parse(heartbeat_at)) / 1000)} ago`
  return [printable(client === null ? `@${agent}` : `@${agent} (${client})`), status, seen]
}

function workOf({ current_task, detail }: PausableAgent): string {
  const task = current_task === null ? '' : `#${current_task.number} ${printable(current_task.title)}`
  return detail === null ? task : `${task} (${printable(detail)})`
}

export function* renderClaimed(claimed: Claimed | null, display: Display): Iterable<string> {
  if (claimed === null) {
    yield 'Nothing is ready.'
    return
  }
  yield `${display.style.yellow(label(claimed.task, display))}: ${printable(claimed.task.title)}`
  yield `run: ${claimed.run}`
  yield `until: ${claimed.expires_at}`
}
