/** What a person should know before agents start. */
import type { Config } from '../../core/config/settings.ts'
import type { Limits } from '../../core/run/budgets.ts'
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
    costLine(config, spentToday(ws), runs.length),
    `${disk.text}.`,
  ]
}

/** The day's budget, or the budgets of all tasks together, whichever is smaller. */
function costLine({ budgets }: Config, today: { usd: number; turns: number }, tasks: number): string {
  const task = limitsOf(budgets, 'task')
  const day = limitsOf(budgets, 'day')
  const most = (unit: keyof Limits) => {
    const limits = [
      ...(task[unit] === null ? [] : [task[unit] * tasks]),
      ...(day[unit] === null ? [] : [Math.max(0, day[unit] - today[unit])]),
    ]
    return limits.length === 0 ? null : Math.min(...limits)
  }
  const usd = most('usd')
  const turns = most('turns')
  const known = [...(usd === null ? [] : [`$${usd.toFixed(2)}`]), ...(turns === null ? [] : [plural(turns, 'turn')])]
  const open = [...(usd === null ? ['cost'] : []), ...(turns === null ? ['turns'] : [])]
  const limited = known.length === 0 ? '' : `They can take at most ${known.join(' and ')}. `
  return `${limited}${open.length === 0 ? '' : `No limit is set for ${open.join(' and ')} (budgets in gza.yaml).`}`.trim()
}

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
