import { readWaits, type Wait } from './dependency-text.ts'
import type { OutsideName, PlanRemark, WaitText } from './plan-model.ts'
import { type Book, type NamedPlan, openBook, readTitledWaits } from './plan-names.ts'
import { resolveOrder } from './resolve-order.ts'

/** For each task the places of those it waits for, and what is left of its words. */
export interface Resolved {
  waits: Set<number>[]
  outside: OutsideName[][]
  problems: PlanRemark[]
  warnings: PlanRemark[]
}

/** Turns the plan's words about who waits for whom into places of tasks. */
export function resolveWaits(plan: NamedPlan): Resolved {
  const found: Resolved = {
    waits: plan.tasks.map(() => new Set<number>()),
    outside: plan.tasks.map(() => []),
    ...{ problems: [], warnings: [] },
  }
  const book = openBook(plan)
  const wide: WideWait[] = []
  for (const [at, task] of plan.tasks.entries())
    for (const text of task.waitsFor) resolveText({ plan, book, found, wide }, { text, tasks: [at] })
  const firstIn = (milestone: number) =>
    inMilestone(plan, milestone).filter(
      (task) => ![...(found.waits[task] ?? [])].some((other) => plan.places[other] === milestone),
    )
  for (const [at, milestone] of plan.milestones.entries())
    for (const text of milestone.waitsFor) resolveText({ plan, book, found, wide }, { text, tasks: firstIn(at) })
  for (const order of plan.orders) {
    const { steps, warnings } = resolveOrder(order, book)
    found.warnings.push(...warnings)
    for (const { waiting, before } of steps) {
      const tasks = [...waiting.tasks, ...waiting.milestones.flatMap(firstIn)]
      addAll(found, tasks, before.tasks)
      for (const milestone of before.milestones) wide.push({ tasks, among: inMilestone(plan, milestone) })
    }
  }
  // After all others, because what nobody waits for yet is only known then.
  for (const { tasks, among } of wide) addAll(found, tasks, lastOf(found, among))
  inheritWaits(plan, found)
  return found
}

interface WideWait {
  tasks: number[]
  among: number[]
}

interface Resolving {
  plan: NamedPlan
  book: Book
  found: Resolved
  wide: WideWait[]
}

interface Asked {
  text: WaitText
  tasks: number[]
}

/** A name that a task has is that task's, whatever its words would mean. */
function resolveText(all: Resolving, asked: Asked): void {
  const { text, isKey } = asked.text
  const target = isKey ? all.book.find(text.trim(), asked.tasks[0] ?? 0) : undefined
  if (target !== undefined) addAll(all.found, asked.tasks, [target])
  else for (const wait of isKey ? readWaits(text) : readTitledWaits(text, all.book)) resolveOne(all, wait, asked)
}

function resolveOne(all: Resolving, wait: Wait, { text, tasks }: Asked): void {
  const { plan, book, found, wide } = all
  const first = tasks[0] ?? 0
  const where = { line: text.line, ...(text.column !== undefined && { column: text.column }) }
  switch (wait.kind) {
    case 'name': {
      const named = book.find(wait.name, first)
      // A key that we made up is nobody's `#4`.
      const isMadeUp = wait.isTicket && named !== undefined && plan.names[named]?.keyKind === 'counted'
      const target = isMadeUp ? undefined : named
      const milestone = target === undefined ? book.milestone(wait.name) : undefined
      if (target !== undefined) addAll(found, tasks, [target])
      else if (milestone !== undefined) wide.push({ tasks, among: inMilestone(plan, milestone) })
      else if (/^\d/.test(wait.name) && !wait.isTicket)
        found.problems.push({
          ...where,
          why: `there is no task ${wait.name} in the plan; #${wait.name} would be the ledger's`,
        })
      else {
        const isSure = wait.isSure || text.isKey === true || book.hasPrefix(wait.name)
        askOutside(found, tasks, { name: wait.isTicket ? `#${wait.name}` : wait.name, isSure, ...where })
      }
      return
    }
    case 'range':
      resolveRange(all, wait, { text, tasks })
      return
    case 'milestone': {
      const milestone = book.milestone(wait.id)
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
          why: `'${shorten(wait.text)}' is not clear, because more tasks follow; it is kept as text`,
        })
      return
    }
    case 'words': {
      const target = book.byTitle(wait.text) ?? book.find(wait.text, first)
      const milestone = target === undefined ? book.milestone(wait.text) : undefined
      if (target !== undefined) addAll(found, tasks, [target])
      else if (milestone !== undefined) wide.push({ tasks, among: inMilestone(plan, milestone) })
      else if (text.isKey) askOutside(found, tasks, { name: text.text.trim(), isSure: true, ...where })
      else found.warnings.push({ ...where, why: `'${shorten(wait.text)}' names no task; it is kept as text` })
      return
    }
    default:
      wait satisfies never
  }
}

function resolveRange({ book, found }: Resolving, wait: Wait & { kind: 'range' }, { text, tasks }: Asked): void {
  const asker = tasks[0] ?? 0
  const whole = book.find(wait.name.replace(/\s+/g, ''), asker)
  const [from, to] = whole === undefined ? [wait.from, wait.to].map((name) => book.find(name, asker)) : [whole, whole]
  if (from !== undefined && to !== undefined && from <= to) {
    for (let target = from; target <= to; target++) addAll(found, tasks, [target])
    return
  }
  const missing = [...(from === undefined ? [wait.from] : []), ...(to === undefined ? [wait.to] : [])]
  const why = missing.length > 0 ? `there is no task ${missing.join(' nor ')}` : `'${wait.name}' ends before it begins`
  found.problems.push({ line: text.line, ...(text.column !== undefined && { column: text.column }), why })
}

/** All that stand before a task, but those it is a child of: they wait for it. */
function tasksBefore(plan: NamedPlan, task: number): number[] {
  return [...Array(task).keys()].filter((at) => !isInside(plan, task, at))
}

/** The one before it in its own list, else above that. */
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

/** Those that none of the others waits for: to wait for them is to wait for all. */
function lastOf({ waits }: Resolved, among: readonly number[]): number[] {
  const needed = new Set(among.flatMap((task) => [...(waits[task] ?? [])]))
  const last = among.filter((task) => !needed.has(task))
  return last.length > 0 ? last : [...among]
}

/** What a task waits for, its children wait for too. */
function inheritWaits({ tasks }: NamedPlan, { waits, outside }: Resolved): void {
  for (const [at, { parent }] of tasks.entries()) {
    if (parent === null) continue
    for (const target of waits[parent] ?? []) if (target !== at) waits[at]?.add(target)
    outside[at]?.push(...(outside[parent] ?? []))
  }
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}
