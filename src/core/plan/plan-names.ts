import { oneLine } from '../text/one-line.ts'
import { readDependencyText, type StatedDependency } from './dependency-text.ts'
import { type Named, sameKey } from './name-tasks.ts'
import type { RawMilestone, RawTask, StatedOrder } from './plan-model.ts'

export interface NamedPlan {
  tasks: readonly RawTask[]
  names: readonly Named[]
  milestones: readonly RawMilestone[]
  /** For each task, the index of its milestone. */
  places: readonly (number | null)[]
  orders: readonly StatedOrder[]
}

/** The names of a plan's tasks and milestones. */
export interface PlanNames {
  /** A number first refers to the asking task's own phase or heading. */
  find(name: string, asker: number): number | undefined
  byTitle(title: string): number | undefined
  /** The title of a task or of a milestone. */
  isTitle(title: string): boolean
  /** By its id or name. */
  milestone(id: string): number | undefined
  hasPrefix(name: string): boolean
}

export function indexPlanNames({ tasks, names, milestones, places }: NamedPlan): PlanNames {
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
  return oneLine(title)
    .toLowerCase()
    .replace(/[*`_"'.:!]/g, '')
}

/** Titles first, if the text is more than names: "Login and logout" is one task if it is a title. */
export function readTitledDependencies(text: string, planNames: PlanNames): StatedDependency[] {
  const waits = readDependencyText(text)
  if (waits.every(({ kind }) => kind !== 'words')) return waits
  const whole = withoutName(text)
  if (planNames.isTitle(whole)) return [{ kind: 'words', text: whole }]
  const quoted: StatedDependency[] = []
  const rest = text.replace(/["“„«`]([^"“”„«»`]+)["“”»`]/g, (found, title: string) => {
    if (!planNames.isTitle(title)) return found
    quoted.push({ kind: 'words', text: title })
    return ''
  })
  const pieces = rest.split(/[,;](?![^(]*\))/).flatMap((piece): StatedDependency[] => {
    const title = withoutName(piece)
    return planNames.isTitle(title) ? [{ kind: 'words', text: title }] : readDependencyText(piece)
  })
  return [...quoted, ...pieces]
}

/** `T1: Login and logout` names the task twice. */
function withoutName(text: string): string {
  return text.trim().replace(/^[*`_]*[A-Za-z]{0,10}-?\d[\w.-]{0,20}[*`_]*(?::|\s[–—-])\s*/, '')
}
