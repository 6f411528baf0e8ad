/** The processes of gza that have started agents or checks which may still run. */
import type { ProcessStart } from '../../platform/processes/process-identity.ts'
import { type ProcessPlace, thisPlace } from '../../platform/processes/process-place.ts'
import { insertInto, putRow, type RowOf, valuesOf } from '../describe-table.ts'
import { isAlive, isSamePlace } from './lease-life.ts'
import { isOwnLease } from './live-clone.ts'
import { GONE_SUPERVISORS, GUARDS, type Lease } from './live-tables.ts'
import type { Live } from './open-live.ts'

/** What a process of gza supervises: a run of a task, a landing, a working tree, or a command under `gza guard`. */
export interface Supervised extends ProcessPlace {
  run: string
  holder: string
  pid: number | null
  start_time: string | null
  /** The task of the run; null if it has none. */
  task: string | null
  isGuard: boolean
}

/** Everything that was never released, also by a process that has died: its agents may be alive. Claims are not. */
export function supervisedRuns(db: Live): Supervised[] {
  const leases = db.query('SELECT * FROM leases WHERE released_at IS NULL AND expires_at IS NULL').all() as Lease[]
  const guards = db.query('SELECT * FROM guards').all() as Guard[]
  return [
    ...leases
      .filter((lease) => isOwnLease(db, lease))
      .map((lease) => ({ ...lease, task: /^[0-9a-f]+$/.test(lease.uid) ? lease.uid : null, isGuard: false })),
    ...guards.map((guard) => ({ ...guard, task: null, isGuard: true })),
  ]
}

/** Do other processes of gza watch the ledgers now? This one knows its own steps. */
export function doOthersSupervise(db: Live): boolean {
  return supervisedRuns(db).some(({ pid }) => pid !== process.pid)
}

/** Is it supervised by one of these processes, which are alive in this place? */
export function isSupervisedBy(supervised: Supervised, processes: readonly ProcessStart[]): boolean {
  const { pid, start_time } = supervised
  return (
    processes.some((each) => each.pid === pid && each.start_time === start_time) && isSamePlace(supervised, thisPlace())
  )
}

/** Until the machine starts again: then nothing that it started is left. The process that takes over does not count. */
export function rememberGone(db: Live, run: string, start_time: string | null): void {
  const { boot_id } = thisPlace()
  db.query('DELETE FROM gone_supervisors WHERE boot_id IS NOT ?').run(boot_id)
  if (start_time === null) return
  const values = valuesOf(GONE_SUPERVISORS, { run, start_time, boot_id })
  db.query(insertInto(GONE_SUPERVISORS, 'INSERT OR IGNORE')).run(...values)
}

/** When the first of those that have started something in this boot began, in ticks since boot; null if none has. */
export function firstSupervisorStart(db: Live): bigint | null {
  const { boot_id } = thisPlace()
  const gone = db.query('SELECT * FROM gone_supervisors').all() as RowOf<typeof GONE_SUPERVISORS>[]
  const starts = [...supervisedRuns(db), ...gone]
    .filter((each) => each.boot_id === boot_id && /^\d+$/.test(each.start_time ?? ''))
    .map(({ start_time }) => BigInt(start_time as string))
  return starts.reduce<bigint | null>((first, start) => (first === null || start < first ? start : first), null)
}

type Guard = ProcessPlace & { run: string; holder: string; pid: number; start_time: string | null }

export function addGuard(db: Live, guard: Pick<Guard, 'run' | 'holder' | 'pid' | 'start_time'>): void {
  putRow(db, GUARDS, { ...guard, ...thisPlace() })
}

/** The runs of guards that have ended, as far as that can be seen from here. What they started may still run. */
export function endedGuards(db: Live): string[] {
  const here = thisPlace()
  const guards = db.query('SELECT * FROM guards').all() as Guard[]
  const isGone = (guard: Guard) => (isSamePlace(guard, here) ? !isAlive(guard) : guard.boot_id !== here.boot_id)
  return guards.filter(isGone).map(({ run }) => run)
}

export function dropGuard(db: Live, run: string): void {
  db.query('DELETE FROM guards WHERE run = ?').run(run)
}
