import { type Command, sentenceText } from '../../../core/sentence.ts'
import { printable } from '../../../core/text/printable.ts'
import type { EndCost, WorkEnd } from '../../../scheduler/end/read-end.ts'
import { type Display, programOf } from '../../terminal/display.ts'
import { padTo } from '../../terminal/fit-to.ts'
import { dollars } from '../amounts.ts'

/** What was done, what needs a person, what it cost and what to do next. Nothing, if nothing was done or is left. */
export function* renderEnd(end: WorkEnd, display: Display): Iterable<string> {
  const lines = linesOf(end, display)
  const width = Math.max(...lines.map(([word]) => word.length + 1))
  for (const [word, text] of lines) yield `${display.style.dim(padTo(`${word}:`, width))} ${text}`
}

function linesOf(end: WorkEnd, display: Display): [string, string][] {
  const lines: [string, string][] = []
  const tasks = (word: string, some: readonly Named[], rest = ''): void => {
    if (some.length > 0) lines.push([word, `${someNames(some, display)}${rest}`])
  }
  const write = (next: Command) => sentenceText(next, programOf(display.name))
  tasks('completed', end.completed)
  tasks('unverified', end.unverified, ': no check is configured')
  tasks('landed', end.landed, ` on ${printable([...new Set(end.landed.map(({ base }) => base))].join(', '))}`)
  tasks(
    'failed',
    end.failed.map((task) => ({ ...task, note: task.reason })),
  )
  tasks('not landed', end.to_land)
  for (const { type, path, next, ...task } of end.texts)
    lines.push([type === 'plan' ? 'plan' : 'found', `${nameOf(task, display)} ${printable(path)}; ${write(next)}`])
  if (end.inbox !== null && end.inbox > 0)
    lines.push(['inbox', end.inbox === 1 ? '1 entry needs you' : `${end.inbox} entries need you`])
  const cost = costWords(end.cost)
  if (cost !== null) lines.push(['cost', cost])
  if (end.next !== null && lines.length > 0) lines.push(['next', write(end.next)])
  return lines
}

interface Named {
  number: number
  id: string
  note?: string
}

/** More than these are counted. */
const MOST_NAMES = 12

function someNames(tasks: readonly Named[], display: Display): string {
  const names = tasks.slice(0, MOST_NAMES).map((task) => nameOf(task, display))
  const more = tasks.length - names.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function nameOf({ number, id, note }: Named, { name }: Display): string {
  return `${name === 'git-tasks' ? id : `#${number}`}${note === undefined ? '' : ` (${note})`}`
}

/** A client that reports no cost has not worked for nothing, so no sum is printed for it. */
function costWords({ usd, unknown }: EndCost): string | null {
  const names = printable(unknown.join(', '))
  if (usd === null)
    return unknown.length === 0 ? null : `unknown (${names} ${unknown.length === 1 ? 'reports' : 'report'} none)`
  return unknown.length === 0 ? dollars(usd) : `${dollars(usd)}, and an unknown amount for ${names}`
}

/** The same facts for --json, with commands as text. */
export function endFields(end: WorkEnd, { name }: Display) {
  const write = (next: Command) => sentenceText(next, programOf(name))
  const { completed, unverified, landed, failed, to_land, inbox, cost } = end
  return {
    ...{ completed, unverified, landed, failed, to_land },
    texts: end.texts.map(({ path, next, ...text }) => ({ ...text, copy: path, next: write(next) })),
    inbox_count: inbox,
    cost_usd: cost.usd,
    agents_without_cost: cost.unknown,
    next: end.next && write(end.next),
  }
}

/** Its commands for a person who named the ledger with `--branch`: without it they would be about other tasks. */
export function inLedger(end: WorkEnd, branch: string | undefined): WorkEnd {
  if (branch === undefined) return end
  const there = ({ command }: Command): Command => ({ command: [...command, '--branch', branch] })
  return {
    ...end,
    texts: end.texts.map((text) => ({ ...text, next: there(text.next) })),
    next: end.next && there(end.next),
  }
}
