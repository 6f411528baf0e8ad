import { flatten } from '../markdown-escape.ts'
import { type Named, sameKey } from './name-tasks.ts'
import type { OutsideName, PlanRemark, RawMilestone, RawTask, WaitText } from './plan.ts'
import { readWaits, type Wait } from './wait-text.ts'

/** For each task the places of those it waits for, and what is left of its words. */
export interface Resolved {
  waits: Set<number>[]
  outside: OutsideName[][]
  problems: PlanRemark[]
  warnings: PlanRemark[]
}

export interface NamedPlan {
  tasks: readonly RawTask[]
  names: readonly Named[]
  milestones: readonly RawMilestone[]
  /** For each task the place of its milestone. */
  places: readonly (number | null)[]
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
  for (const [at, milestone] of plan.milestones.entries()) {
    const own = plan.places.flatMap((place, task) => (place === at ? [task] : []))
    const tasks = own.filter((task) => ![...(found.waits[task] ?? [])].some((other) => plan.places[other] === at))
    for (const text of milestone.waitsFor) resolveText({ plan, book, found, wide }, { text, tasks })
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

/** Titles first, where there is more than names: "Login and logout" is one task if it is a title. */
function readTitledWaits(text: string, book: Book): Wait[] {
  const waits = readWaits(text)
  if (waits.every(({ kind }) => kind !== 'words')) return waits
  const whole = withoutName(text)
  if (book.isTitle(whole)) return [{ kind: 'words', text: whole }]
  const quoted: Wait[] = []
  const rest = text.replace(/["“„«`]([^"“”„«»`]+)["“”»`]/g, (found, title: string) => {
    if (!book.isTitle(title)) return found
    quoted.push({ kind: 'words', text: title })
    return ''
  })
  const pieces = rest.split(/[,;](?![^(]*\))/).flatMap((piece): Wait[] => {
    const title = withoutName(piece)
    return book.isTitle(title) ? [{ kind: 'words', text: title }] : readWaits(piece)
  })
  return [...quoted, ...pieces]
}

/** `T1: Login and logout` names the task twice. */
function withoutName(text: string): string {
  return text.trim().replace(/^[*`_]*[A-Za-z]{0,10}-?\d[\w.-]{0,20}[*`_]*(?::|\s[–—-])\s*/, '')
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

interface Book {
  /** Numbers count first where the asking task stands. */
  find(name: string, asker: number): number | undefined
  byTitle(title: string): number | undefined
  /** Of a task, or of a milestone. */
  isTitle(title: string): boolean
  /** By its id or name. */
  milestone(id: string): number | undefined
  hasPrefix(name: string): boolean
}

function openBook({ tasks, names, milestones, places }: NamedPlan): Book {
  const keys = new Map<string, number>()
  const numbers = new Map<string, number>()
  const titles = new Map<string, number>()
  const scoped = new Map<string, number>()
  const locals = new Map<string, number>()
  for (const [at, { key }] of names.entries()) {
    const name = tasks[at]?.name
    if (!keys.has(sameKey(key))) keys.set(sameKey(key), at)
    const number = name?.kind === 'numbered' ? name.number : (/\d[\d.]*[a-z]?$/.exec(key)?.[0] ?? '')
    const tail = sameKey(name?.kind === 'given' ? number : key.replace(/^[A-Z]+/, ''))
    if (!numbers.has(tail)) numbers.set(tail, at)
    if (name?.kind === 'numbered') scoped.set(`${places[at] ?? ''} ${sameKey(number)}`, at)
    const local = tasks[at]?.local
    if (local) locals.set(`${local.heading} ${local.number}`, at)
    const title = sameTitle(tasks[at]?.title ?? '')
    if (!titles.has(title)) titles.set(title, at)
  }
  const prefixes = new Set(names.map(({ key }) => prefixOf(key)))
  const ids = new Map(milestones.map(({ id }, at) => [sameKey(id), at]))
  const milestoneNames = new Map(milestones.map(({ name }, at) => [sameTitle(name), at]))
  return {
    find: (name, asker) => {
      const key = sameKey(name)
      const near = locals.get(`${tasks[asker]?.local?.heading} ${key}`)
      const number = key.replace(/^T(?=\d)/, '')
      return near ?? scoped.get(`${places[asker] ?? ''} ${number}`) ?? keys.get(key) ?? numbers.get(key)
    },
    byTitle: (title) => titles.get(sameTitle(title)),
    isTitle: (title) => titles.has(sameTitle(title)) || milestoneNames.has(sameTitle(title)),
    milestone: (id) => ids.get(sameKey(id)) ?? milestoneNames.get(sameTitle(id)),
    hasPrefix: (name) => prefixes.has(prefixOf(name)),
  }
}

function prefixOf(key: string): string {
  return /^[A-Za-z]+/.exec(key)?.[0].toUpperCase() ?? ''
}

export function sameTitle(title: string): string {
  return flatten(title)
    .toLowerCase()
    .replace(/[*`_"'.:!]/g, '')
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}
