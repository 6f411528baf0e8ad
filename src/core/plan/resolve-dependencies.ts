import { shorten } from '../text/shorten.ts'
import { readDependencyText, type StatedDependency } from './dependency-text.ts'
import type { DependencyText, OutsideName, PlanRemark } from './plan-model.ts'
import { indexPlanNames, type NamedPlan, type PlanNames, readTitledDependencies } from './plan-names.ts'
import { resolveOrder } from './resolve-order.ts'

/** For each task, the indices of its dependencies and the words that remain. */
export interface Resolved {
  waits: Set<number>[]
  outside: OutsideName[][]
  problems: PlanRemark[]
  warnings: PlanRemark[]
}

/** Turns the plan's words about dependencies into indices of tasks. */
export function resolveDependencies(plan: NamedPlan): Resolved {
  const found: Resolved = {
    waits: plan.tasks.map(() => new Set<number>()),
    outside: plan.tasks.map(() => []),
    ...{ problems: [], warnings: [] },
  }
  const planNames = indexPlanNames(plan)
  const wide: WideDependency[] = []
  for (const [at, task] of plan.tasks.entries())
    for (const text of task.waitsFor) resolveText({ plan, planNames, found, wide }, { text, tasks: [at] })
  const firstIn = (milestone: number) =>
    inMilestone(plan, milestone).filter(
      (task) => ![...(found.waits[task] ?? [])].some((other) => plan.places[other] === milestone),
    )
  for (const [at, milestone] of plan.milestones.entries())
    for (const text of milestone.waitsFor) resolveText({ plan, planNames, found, wide }, { text, tasks: firstIn(at) })
  for (const order of plan.orders) {
    const { steps, warnings } = resolveOrder(order, planNames)
    found.warnings.push(...warnings)
    for (const { waiting, before } of steps) {
      const tasks = [...waiting.tasks, ...waiting.milestones.flatMap(firstIn)]
      addAll(found, tasks, before.tasks)
      for (const milestone of before.milestones) wide.push({ tasks, among: inMilestone(plan, milestone) })
    }
  }
  // After all others, because only then is it known which tasks nothing depends on.
  for (const { tasks, among } of wide) addAll(found, tasks, lastOf(found, among))
  inheritDependencies(plan, found)
  return found
}

interface WideDependency {
  tasks: number[]
  among: number[]
}

interface Resolving {
  plan: NamedPlan
  planNames: PlanNames
  found: Resolved
  wide: WideDependency[]
}

interface Asked {
  text: DependencyText
  tasks: number[]
}

/** If a task has that name, it is that task, whatever the words could mean otherwise. */
function resolveText(all: Resolving, asked: Asked): void {
  const { text, isKey } = asked.text
  const target = isKey ? all.planNames.find(text.trim(), asked.tasks[0] ?? 0) : undefined
  if (target !== undefined) addAll(all.found, asked.tasks, [target])
  else
    for (const wait of isKey ? readDependencyText(text) : readTitledDependencies(text, all.planNames))
      resolveOne(all, wait, asked)
}

function resolveOne(all: Resolving, wait: StatedDependency, { text, tasks }: Asked): void {
  const { plan, planNames, found, wide } = all
  const first = tasks[0] ?? 0
  const where = { line: text.line, ...(text.column !== undefined && { column: text.column }) }
  switch (wait.kind) {
    case 'name': {
      const named = planNames.find(wait.name, first)
      // A generated key never matches a number written as `#4`.
      const isMadeUp = wait.isNumber && named !== undefined && plan.names[named]?.keyKind === 'counted'
      const target = isMadeUp ? undefined : named
      const milestone = target === undefined ? planNames.milestone(wait.name) : undefined
      if (target !== undefined) addAll(found, tasks, [target])
      else if (milestone !== undefined) wide.push({ tasks, among: inMilestone(plan, milestone) })
      else if (/^\d/.test(wait.name) && !wait.isNumber)
        found.problems.push({
          ...where,
          why: `there is no task ${wait.name} in the plan; write #${wait.name} for task ${wait.name} of the ledger`,
        })
      else {
        const isSure = wait.isSure || text.isKey === true || planNames.hasPrefix(wait.name)
        askOutside(found, tasks, { name: wait.isNumber ? `#${wait.name}` : wait.name, isSure, ...where })
      }
      return
    }
    case 'range':
      resolveRange(all, wait, { text, tasks })
      return
    case 'milestone': {
      const milestone = planNames.milestone(wait.id)
      if (milestone === undefined) found.problems.push({ ...where, why: `there is no milestone '${wait.name}'` })
      else wide.push({ tasks, among: inMilestone(plan, milestone) })
      return
    }
    case 'before': {
      const before = tasksBefore(plan, first)
      if (wait.which === 'one') addAll(found, tasks, previousOf(plan, first, before))
      else if (wait.which === 'all' || isLast(plan, first)) wide.push({ tasks, among: before })
      else
        found.warnings.push({
          ...where,
          why: `'${shorten(wait.text, 60)}' is not clear, because more tasks follow; it is kept as text`,
        })
      return
    }
    case 'words': {
      const target = planNames.byTitle(wait.text) ?? planNames.find(wait.text, first)
      const milestone = target === undefined ? planNames.milestone(wait.text) : undefined
      if (target !== undefined) addAll(found, tasks, [target])
      else if (milestone !== undefined) wide.push({ tasks, among: inMilestone(plan, milestone) })
      else if (text.isKey) askOutside(found, tasks, { name: text.text.trim(), isSure: true, ...where })
      else
        found.warnings.push({ ...where, why: `'${shorten(wait.text, 60)}' does not name a task; it is kept as text` })
      return
    }
    default:
      wait satisfies never
  }
}

function resolveRange(
  { planNames, found }: Resolving,
  wait: StatedDependency & { kind: 'range' },
  { text, tasks }: Asked,
): void {
  const asker = tasks[0] ?? 0
  const whole = planNames.find(wait.name.replace(/\s+/g, ''), asker)
  const [from, to] =
    whole === undefined ? [wait.from, wait.to].map((name) => planNames.find(name, asker)) : [whole, whole]
  if (from !== undefined && to !== undefined && from <= to) {
    for (let target = from; target <= to; target++) addAll(found, tasks, [target])
    return
  }
  const missing = [...(from === undefined ? [wait.from] : []), ...(to === undefined ? [wait.to] : [])]
  const why = missing.length > 0 ? `there is no task ${missing.join(' nor ')}` : `'${wait.name}' ends before it begins`
  found.problems.push({ line: text.line, ...(text.column !== undefined && { column: text.column }), why })
}

/** All tasks before this one, except its ancestors: they wait for it. */
function tasksBefore(plan: NamedPlan, task: number): number[] {
  return [...Array(task).keys()].filter((at) => !isInside(plan, task, at))
}

/** The task before it in its own list, otherwise the one before that list. */
function previousOf({ tasks }: NamedPlan, task: number, before: readonly number[]): number[] {
  const beside = before.filter((at) => tasks[at]?.parent === tasks[task]?.parent)
  return (beside.length > 0 ? beside : before).slice(-1)
}

function isLast(plan: NamedPlan, task: number): boolean {
  return plan.tasks.every((_, at) => at <= task || isInside(plan, at, task))
}

function isInside({ tasks }: NamedPlan, task: number, other: number): boolean {
  for (let above = tasks[task]?.parent ?? null; above !== null; above = tasks[above]?.parent ?? null)
    if (above === other) return true
  return false
}

function addAll({ waits }: Resolved, tasks: readonly number[], targets: readonly number[]): void {
  for (const task of tasks) for (const target of targets) waits[task]?.add(target)
}

function askOutside({ outside }: Resolved, tasks: readonly number[], asked: OutsideName): void {
  for (const task of tasks) outside[task]?.push(asked)
}

function inMilestone({ places }: NamedPlan, milestone: number): number[] {
  return places.flatMap((place, task) => (place === milestone ? [task] : []))
}

/** The tasks that none of the others depends on: to depend on them is to depend on all. */
function lastOf({ waits }: Resolved, among: readonly number[]): number[] {
  const needed = new Set(among.flatMap((task) => [...(waits[task] ?? [])]))
  const last = among.filter((task) => !needed.has(task))
  return last.length > 0 ? last : [...among]
}

/** Children inherit the dependencies of their parent. */
function inheritDependencies({ tasks }: NamedPlan, { waits, outside }: Resolved): void {
  for (const [at, { parent }] of tasks.entries()) {
    if (parent === null) continue
    for (const target of waits[parent] ?? []) if (target !== at) waits[at]?.add(target)
    outside[at]?.push(...(outside[parent] ?? []))
  }
}
