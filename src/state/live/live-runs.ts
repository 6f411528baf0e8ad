import type { Live } from './open-live.ts'

/** A run as it goes: what ps, watch and recovery read. The ledger has its beginning and its end. */
export interface LiveRun {
  run: string
  uid: string
  ledger: string
  number: number
  title: string
  type: string
  attempt: number
  agent: string
  phase: string
  /** The last step that was passed; what follows it may be half-done. */
  step: string
  started_at: string
  ended_at: string | null
  outcome: string | null
  reason: string | null
  last_action: string | null
  session: string | null
  tokens_in: number
  tokens_out: number
  cost_usd: number
  turns: number
  /** Someone asked for the run to stop: `stop` or `kill`. */
  cancel: string | null
  /** How the agent's phase came out (JSON), from when it ended. */
  heard: string | null
}

export type NewRun = Pick<
  LiveRun,
  'run' | 'uid' | 'ledger' | 'number' | 'title' | 'type' | 'attempt' | 'agent' | 'started_at'
>

export function beginRun(db: Live, run: NewRun): void {
  const insert = db.query(
    `INSERT OR REPLACE INTO runs (run, uid, ledger, number, title, type, attempt, agent, phase, step, started_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'prepare', 'begun', ?)`,
  )
  const { uid, ledger, number, title, type, attempt, agent, started_at } = run
  unforced(db, () => void insert.run(run.run, uid, ledger, number, title, type, attempt, agent, started_at))
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

/** For what people look at, and the steps that were passed. */
export function showProgress(db: Live, run: string, progress: Progress): void {
  unforced(db, () => updateRun(db, run, progress))
}

/**
 * There at once for every process, whoever dies, but not forced to the disk, which holds a run up by a millisecond or more
 * each time. The next write of another kind takes it along; what a power cut takes, ledger, branches and leases tell.
 */
function unforced(db: Live, write: () => void): void {
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
  unforced(db, () => {
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

/** Runs that were going on at that moment or later. */
export function runsSince(db: Live, moment: string): string[] {
  const rows = db.query('SELECT run FROM runs WHERE ended_at IS NULL OR ended_at >= ?').all(moment) as { run: string }[]
  return rows.map(({ run }) => run)
}

export function runsOf(db: Live, uid: string): LiveRun[] {
  return db.query('SELECT * FROM runs WHERE uid = ? ORDER BY started_at, run').all(uid) as LiveRun[]
}

/** `fact`: the phase as the ledger is going to have it. */
export function vouchForPhase(db: Live, run: string, fact: string): void {
  db.query('INSERT OR IGNORE INTO phases VALUES (?, ?)').run(run, fact)
}

export function isPhaseVouched(db: Live, run: string, fact: string): boolean {
  return db.query('SELECT 1 FROM phases WHERE run = ? AND fact = ?').get(run, fact) !== null
}

/** What a running task has really changed so far: others that touch the same files wait. */
export function setChangedFiles(db: Live, run: string, paths: readonly string[]): void {
  const insert = db.query('INSERT OR IGNORE INTO changed_files VALUES (?, ?)')
  unforced(db, () => {
    for (const path of paths) insert.run(run, path)
  })
}

export function changedFilesOf(db: Live, runs: readonly string[]): string[] {
  const all = db.query('SELECT run, path FROM changed_files').all() as { run: string; path: string }[]
  return all.filter(({ run }) => runs.includes(run)).map(({ path }) => path)
}
