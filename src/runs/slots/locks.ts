/** Resources that only one task or check of a repository may use at a time: a database, a device. */
import { effective } from '../../core/config/effective.ts'
import type { Config } from '../../core/config/settings.ts'
import type { Task } from '../../core/task/task.ts'
import { dropHolds, type Hold, listHolds, takeHolds } from '../../state/account/holds.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { readAccount, writeAccount } from '../spend/account.ts'
import { isHolderGone, ownerNamed } from './hold.ts'

/** What a task needs for its whole run: what it names itself, and what its type names. */
export function locksOf(config: Config, task: Pick<Task, 'type' | 'locks'>): string[] {
  return [...new Set([...(task.locks ?? []), ...effective(config, task.type).locks])]
}

/** False: another task or check has one of them. */
export function takeLocks(ws: Workspace, names: readonly string[], holder: string): boolean {
  if (names.length === 0) return true
  let inTheWay: Hold | null = null
  writeAccount(ws.env, (account) => {
    inTheWay = takeHolds(account, ws.repo.commonDir, names, ownerNamed(holder), isHolderGone)
  })
  return inTheWay === null
}

export function releaseLocks(ws: Workspace, names: readonly string[], holder: string): void {
  if (names.length > 0) writeAccount(ws.env, (account) => dropHolds(account, ws.repo.commonDir, names, holder))
}

/** The first of the names that somebody else has, and who. */
export function heldLock(
  ws: Workspace,
  names: readonly string[],
  holder: string,
): { name: string; holder: string } | null {
  if (names.length === 0) return null
  const held = readAccount(ws.env, [] as Hold[], (account) => listHolds(account, ws.repo.commonDir))
  return held.find((hold) => names.includes(hold.name) && hold.holder !== holder && !isHolderGone(hold)) ?? null
}

const LOOK_MS = 200

/** Waits for the locks of a check, and holds them while it runs. What the holder has already stays with it. */
export async function whileLocked<T>(
  ws: Workspace,
  { names, holder, cancel }: { names: readonly string[]; holder: string; cancel: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const own = readAccount(ws.env, [] as Hold[], (account) => listHolds(account, ws.repo.commonDir))
  const more = names.filter((name) => !own.some((hold) => hold.name === name && hold.holder === holder))
  while (!takeLocks(ws, more, holder) && !cancel.aborted) await Bun.sleep(LOOK_MS)
  try {
    return await work()
  } finally {
    releaseLocks(ws, more, holder)
  }
}
