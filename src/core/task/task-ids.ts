import { compareText } from '../ledger/canonical.ts'
import { SHORTEST_ID, type Task } from './task.ts'

export interface Creation {
  content: string
  created_at: string
  created_by: string
  salt: string
}

/** The 40 hex digits that are a task's identity. */
export function uidOfCreation({ content, created_at, created_by, salt }: Creation): string {
  return Bun.SHA256.hash(JSON.stringify([content, created_at, created_by, salt]), 'hex').slice(0, 40)
}

/** Does the task still have its original content? */
export function hasItsOwnUid({ uid, content, original = content, created_at, created_by, salt }: Task): boolean {
  return uidOfCreation({ content: original, created_at, created_by, salt }) === uid
}

/** Digits that keep the chance of a collision for the next task under 1 %: four up to 655 tasks, five up to 10,485. */
export function idDigits(taskCount: number): number {
  let digits = SHORTEST_ID
  while (taskCount / 16 ** digits > 0.01) digits++
  return digits
}

/** The shortest abbreviation of at least `digits` digits that no other task has. */
export function abbreviate(uid: string, digits: number, isTaken: (id: string) => boolean): string {
  for (let length = digits; length < uid.length; length++) {
    const id = `task-${uid.slice(0, length)}`
    if (!isTaken(id)) return id
  }
  return `task-${uid}`
}

/** Lengthens the later of two tasks that have the same abbreviation after a merge. Never shortens, so joins agree. */
export function separateIds(tasks: readonly Task[]): Task[] {
  const taken = new Set<string>()
  const separated = new Map<string, Task>()
  for (const task of [...tasks].sort(byAge)) {
    const id = abbreviate(task.uid, task.id.length - 'task-'.length, (candidate) => taken.has(candidate))
    taken.add(id)
    separated.set(task.uid, id === task.id ? task : { ...task, id })
  }
  return tasks.map((task) => separated.get(task.uid) ?? task)
}

/** Every number the task ever had. */
export function numbersOf(task: Pick<Task, 'number' | 'renumbered'>): number[] {
  return [task.number, ...task.renumbered]
}

/**
 * Gives a new number to each task if all its numbers belong to earlier tasks. Not part of the join: a number is given
 * once, by the clone that syncs first, and then joins like any other fact.
 */
export function renumber(tasks: readonly Task[], others: OtherTasks = { last: 0, claims: [] }): Task[] {
  const owners = numberOwners([...tasks, ...others.claims])
  let last = others.last
  for (const number of owners.keys()) last = Math.max(last, number)
  const fresh = new Map<string, number>()
  for (const task of [...tasks].sort(byFiling)) {
    if (numbersOf(task).every((number) => owners.get(number) !== task.uid)) fresh.set(task.uid, ++last)
  }
  return tasks.map((task) => {
    const number = fresh.get(task.uid)
    return number === undefined ? task : { ...task, renumbered: [...task.renumbered, number] }
  })
}

/** Tasks of the same ledger that a join leaves as they are. */
export interface OtherTasks {
  /** The greatest number of them all. */
  last: number
  /** Those that claim one of the numbers in question. */
  claims: readonly Claimant[]
}

export type Claimant = Pick<Task, 'uid' | 'created_at' | 'number' | 'renumbered'>

/** The number that is shown for a task: the first of its numbers that no earlier task has. */
export function shownNumber(task: Task, owners: ReadonlyMap<number, string>): number {
  return numbersOf(task).find((number) => owners.get(number) === task.uid) ?? task.number
}

/** For each number, the uid of the earliest task that claims it. */
export function numberOwners(tasks: readonly Claimant[]): Map<number, string> {
  const owners = new Map<number, string>()
  for (const task of [...tasks].sort(byAge)) {
    for (const number of numbersOf(task)) if (!owners.has(number)) owners.set(number, task.uid)
  }
  return owners
}

/** Tasks of one import have the same time: their numbers tell which came first. */
function byFiling(a: Task, b: Task): number {
  return compareText(a.created_at, b.created_at) || a.number - b.number || compareText(a.uid, b.uid)
}

function byAge(a: Pick<Task, 'uid' | 'created_at'>, b: Pick<Task, 'uid' | 'created_at'>): number {
  return compareText(a.created_at, b.created_at) || compareText(a.uid, b.uid)
}
