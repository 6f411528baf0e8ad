/** What a person should know before agents start. */
import { configuredAgent } from '../../agents/configured-agent.ts'
import type { Config } from '../../core/config/settings.ts'
import { limitsOf } from '../../core/run/budgets.ts'
import { commandLine } from '../../core/sentence.ts'
import { plural } from '../../core/text/plural.ts'
import { worktreeDisk } from '../../reports/doctor/worktree-findings.ts'
import { spentToday } from '../../runs/spend/day-budget.ts'
import { dropMatter, keepMatter, mattersOf } from '../../state/live/matters.ts'
import { liveOf, type Workspace } from '../../workspace/workspace.ts'
import { slotsOf, type WorkOptions } from '../work-options.ts'
import { planWork } from './plan-work.ts'

/** How many tasks, who does them, what they can cost at most, what has no limit, and how much disk they need. */
export async function nightLines(ws: Workspace, config: Config, options: WorkOptions): Promise<string[]> {
  const { batches } = await planWork(ws, options)
  const runs = batches.flat()
  if (runs.length === 0) return []
  const workers = Math.min(slotsOf(options, config), runs.length)
  const agents = Object.entries(Object.groupBy(runs, ({ agent }) => agent)).map(
    ([agent, own = []]) => `${agent} (${own.length})`,
  )
  const disk = worktreeDisk(ws, config, workers)
  return [
    `${plural(runs.length, 'task')}, at most ${workers} at a time, by ${agents.join(', ')}.`,
    costLine(config, spentToday(ws), runs),
    `${disk.text}.`,
  ]
}

/** The day's budget, or the budgets of all tasks together, whichever is smaller. */
function costLine(config: Config, today: { usd: number; turns: number }, runs: readonly { agent: string }[]): string {
  const task = limitsOf(config.budgets, 'task')
  const day = limitsOf(config.budgets, 'day')
  const agents = [...new Set(runs.map(({ agent }) => agent))].map((name) => configuredAgent(config, name))
  const units = UNITS.map(({ unit, name, words }) => {
    const silent = agents.filter(({ reports }) => !reports.includes(unit)).map((agent) => agent.name)
    const counted = runs.filter(({ agent }) => !silent.includes(agent))
    const limits = [
      ...(task[unit] === null ? [] : [task[unit] * counted.length]),
      ...(day[unit] === null ? [] : [Math.max(0, day[unit] - today[unit])]),
    ]
    const isHeld = limits.length > 0 && silent.length < agents.length
    return { name, isOpen: limits.length === 0, silent, most: isHeld ? words(Math.min(...limits)) : null }
  })
  const known = units.flatMap(({ most }) => most ?? [])
  const open = units.filter(({ isOpen }) => isOpen)
  const unheld = units.filter(({ isOpen, silent }) => !isOpen && silent.length > 0)
  return [
    ...(known.length === 0 ? [] : [`Budgets allow at most ${known.join(' and ')}.`]),
    ...unheld.map(({ name, silent }) => `No budget limits the ${name} of ${silent.join(', ')}: none is reported.`),
    ...(open.length === 0
      ? []
      : [`No limit is set for ${open.map(({ name }) => name).join(' and ')} (budgets in gza.yaml).`]),
  ].join(' ')
}

const UNITS = [
  { unit: 'usd', name: 'cost', words: (most: number) => `$${most.toFixed(2)}` },
  { unit: 'turns', name: 'turns', words: (most: number) => plural(most, 'turn') },
] as const

/** Said once in a clone, until a check is configured. */
export function uncheckedLine(ws: Workspace, { verify }: Config): string | null {
  const live = liveOf(ws)
  const matter = { ledger: '', code: 'UNCHECKED', subject: 'told' }
  const isChecked = verify.command !== null || verify.test_command !== null
  const isTold = mattersOf(live, '').some(({ code }) => code === matter.code)
  if (isChecked && isTold) dropMatter(live, matter)
  if (isChecked || isTold) return null
  keepMatter(live, { ...matter, at: ws.now(), facts: {} })
  return `No check is configured, so "completed" will only mean "committed": ${commandLine`init`} proposes one, or set verify.command in gza.yaml.`
}
