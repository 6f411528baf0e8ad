import { insertInto, putRow } from '../describe-table.ts'
import { hasLostPlace } from './leases.ts'
import { isOwnLease } from './live-clone.ts'
import { CHANGED_FILES, type Lease, type LiveRun, PHASES, RUNS } from './live-tables.ts'
import type { Live } from './open-live.ts'

export type { LiveRun } from './live-tables.ts'

export type NewRun = Pick<
  LiveRun,
  'run' | 'uid' | 'ledger' | 'number' | 'title' | 'type' | 'attempt' | 'agent' | 'started_at'
> & { filing?: string }

/** The values of a new run. */
export const BEGUN = {
  ...{ phase: 'prepare', step: 'begun', ended_at: null, outcome: null, reason: null, last_action: null, session: null },
  ...{ tokens_in: 0, tokens_out: 0, cost_usd: 0, turns: 0, cancel: null, heard: null, filing: null },
}

export function beginRun(db: Live, run: NewRun): void {
  unsynced(db, () => putRow(db, RUNS, { ...BEGUN, ...run }))
}

type Progress = Partial<
  Pick<
    LiveRun,
    | 'phase'
    | 'step'
    | 'last_action'
    | 'session'
    | 'tokens_in'
    | 'tokens_out'
    | 'cost_usd'
    | 'turns'
    | 'cancel'
    | 'heard'
  >
>

export function updateRun(db: Live, run: string, progress: Progress): void {
  const names = Object.keys(progress)
  if (names.length === 0) return
  const values = Object.values(progress) as (string | number | null)[]
  db.query(`UPDATE runs SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE run = ?`).run(...values, run)
}

/** Records that a run has passed a step. False, and nothing is recorded, if another run has its workplace now. */
export function recordStep(db: Live, place: Pick<Lease, 'run' | 'uid' | 'path'>, step: string): boolean {
  if (hasLostPlace(db, place)) return false
  unsynced(db, () => updateRun(db, place.run, { step }))
  return true
}

/** `shown`: for display. The session is synced: the next attempt may resume it. */
export function recordProgress(
  db: Live,
  run: string,
  { shown, session, files }: { shown: Progress; session?: string; files?: readonly string[] },
): void {
  unsynced(db, () => updateRun(db, run, shown))
  if (session !== undefined) updateRun(db, run, { session })
  if (files !== undefined) setChangedFiles(db, run, files)
}

/**
 * Visible at once to every process, but not synced to disk, which would delay a run by a millisecond or more each time.
 * The next synced write saves it too. What a power cut destroys can be derived from the ledger, branches and leases.
 */
function unsynced(db: Live, write: () => void): void {
  db.run('PRAGMA synchronous = NORMAL')
  try {
    write()
  } finally {
    db.run('PRAGMA synchronous = FULL')
  }
}

export function finishRun(
  db: Live,
  run: string,
  end: { ended_at: string; outcome: string; reason: string | null },
): void {
  unsynced(db, () => {
    db.query('UPDATE runs SET ended_at = ?, outcome = ?, reason = ? WHERE run = ?').run(
      end.ended_at,
      end.outcome,
      end.reason,
      run,
    )
    db.query('DELETE FROM changed_files WHERE run = ?').run(run)
  })
}

export function liveRun(db: Live, run: string): LiveRun | null {
  return db.query('SELECT * FROM runs WHERE run = ?').get(run) as LiveRun | null
}

export function openRuns(db: Live): LiveRun[] {
  return db.query('SELECT * FROM runs WHERE ended_at IS NULL ORDER BY started_at, run').all() as LiveRun[]
}

/** Runs that were active at that time or later. What was copied with the repository does not run here. */
export function runsSince(db: Live, moment: string): string[] {
  const rows = db.query('SELECT * FROM runs WHERE ended_at IS NULL OR ended_at >= ?').all(moment) as LiveRun[]
  return rows.filter((row) => row.ended_at !== null || !isCopied(db, row)).map(({ run }) => run)
}

/** Runs that had ended by now, in the second of that moment or later. A moment has no parts of a second. */
export function runsEndedSince(db: Live, moment: string): Set<string> {
  const rows = db.query('SELECT run FROM runs WHERE ended_at >= ?').all(moment) as Pick<LiveRun, 'run'>[]
  return new Set(rows.map(({ run }) => run))
}

function isCopied(db: Live, { run }: LiveRun): boolean {
  const lease = db.query('SELECT clone FROM leases WHERE run = ?').get(run) as Pick<Lease, 'clone'> | null
  return lease !== null && !isOwnLease(db, lease)
}

/** A run that was active in that second, also one that has ended since. */
export function runAt(db: Live, moment: string): string | null {
  const row = db
    .query('SELECT run FROM runs WHERE started_at <= ?1 AND (ended_at IS NULL OR ended_at >= ?1) LIMIT 1')
    .get(moment)
  return (row as { run: string } | null)?.run ?? null
}

export function runsOf(db: Live, uid: string): LiveRun[] {
  return db.query('SELECT * FROM runs WHERE uid = ? ORDER BY started_at, run').all(uid) as LiveRun[]
}

/** `fact`: the phase as it will be in the ledger. */
export function vouchForPhase(db: Live, run: string, fact: string): void {
  db.query(insertInto(PHASES, 'INSERT OR IGNORE')).run(run, fact)
}

export function isPhaseVouched(db: Live, run: string, fact: string): boolean {
  return db.query('SELECT 1 FROM phases WHERE run = ? AND fact = ?').get(run, fact) !== null
}

/** What a running task has changed so far: others that touch the same files wait. */
function setChangedFiles(db: Live, run: string, paths: readonly string[]): void {
  const insert = db.query(insertInto(CHANGED_FILES, 'INSERT OR IGNORE'))
  unsynced(db, () => {
    for (const path of paths) insert.run(run, path)
  })
}

export function changedFilesOf(db: Live, runs: readonly string[]): string[] {
  const all = db.query('SELECT run, path FROM changed_files').all() as { run: string; path: string }[]
  return all.filter(({ run }) => runs.includes(run)).map(({ path }) => path)
}
