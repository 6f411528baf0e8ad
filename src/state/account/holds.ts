/**
 * What only one process of a person may use at a time: the number of a slot, or a resource that tasks name. A hold ends
 * with its holder, or when its process is gone.
 */
import { inLock } from '../write-lock.ts'
import type { Account } from './open-account.ts'

export interface Hold {
  /** Empty for numbers, which all repositories share; otherwise the repository. */
  scope: string
  name: string
  /** The uid of a task, or another name for the work. */
  holder: string
  pid: number
  start_time: string | null
  boot_id: string | null
  pid_namespace: string | null
}

type Owner = Omit<Hold, 'scope' | 'name'>
type IsGone = (hold: Hold) => boolean

/** Takes all of the names or none. Returns the hold that is in the way; null: they are taken. A holder may take twice. */
export function takeHolds(
  db: Account,
  scope: string,
  names: readonly string[],
  owner: Owner,
  isGone: IsGone,
): Hold | null {
  return inLock(db, () => {
    const held = living(db, scope, isGone)
    const other = held.find(({ name, holder }) => names.includes(name) && holder !== owner.holder)
    if (other !== undefined) return other
    for (const name of names) put(db, { scope, name, ...owner })
    return null
  })
}

/** The smallest number from 1 that nobody holds. */
export function takeNumber(db: Account, owner: Owner, isGone: IsGone): number {
  return inLock(db, () => {
    const taken = new Set(living(db, '', isGone).map(({ name }) => name))
    let number = 1
    while (taken.has(String(number))) number++
    put(db, { scope: '', name: String(number), ...owner })
    return number
  })
}

export function dropHolds(db: Account, scope: string, names: readonly string[], holder: string): void {
  for (const name of names)
    db.query('DELETE FROM holds WHERE scope = ? AND name = ? AND holder = ?').run(scope, name, holder)
}

export function listHolds(db: Account, scope: string): Hold[] {
  return db.query('SELECT * FROM holds WHERE scope = ? ORDER BY name').all(scope) as Hold[]
}

/** Forgets the holds of processes that are gone. */
function living(db: Account, scope: string, isGone: IsGone): Hold[] {
  const { gone = [], held = [] } = Object.groupBy(listHolds(db, scope), (hold) => (isGone(hold) ? 'gone' : 'held'))
  for (const { name, holder } of gone) dropHolds(db, scope, [name], holder)
  return held
}

function put(db: Account, hold: Hold): void {
  const { scope, name, holder, pid, start_time, boot_id, pid_namespace } = hold
  db.query('INSERT OR REPLACE INTO holds VALUES (?, ?, ?, ?, ?, ?, ?)').run(
    ...[scope, name, holder, pid, start_time, boot_id, pid_namespace],
  )
}
