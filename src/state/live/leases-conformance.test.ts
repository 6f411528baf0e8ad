import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processStartTime } from '../../platform/processes/process-identity.ts'
import {
  adoptLease,
  holdsLease,
  isHeld,
  type Lease,
  leaseOf,
  leasesByLife,
  type NewLease,
  releaseLease,
  renewLease,
  settleClaim,
  takeLease,
} from './leases.ts'
import {
  beginRun,
  changedFilesOf,
  finishRun,
  liveRun,
  openRuns,
  recordProgress,
  runsOf,
  updateRun,
} from './live-runs.ts'
import { LIVE_VERSIONS } from './live-schema.ts'
import { type Live, openLive } from './open-live.ts'

/** What any store of leases and runs must do, whatever its database. */
const stores = [{ name: 'SQLite', open: (folder: string) => openLive(join(folder, 'gza/live.db')) }]

const NOW = '2026-01-29T10:00:00Z'
const LATER = '2026-01-29T11:00:00Z'
const MYSELF = { pid: process.pid, start_time: processStartTime(process.pid) }
const DEAD = { pid: process.pid, start_time: 'before the last boot' }

for (const { name, open } of stores) {
  let db: Live
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gza-live-'))
    db = open(folder)
  })
  afterEach(() => {
    db.close()
    rmSync(folder, { recursive: true })
  })

  const take = (lease: Partial<NewLease> = {}, options: { takeOver?: boolean; now?: string } = {}) =>
    takeLease(db, aLease(lease), { now: NOW, ...options })

  test(`${name}: a task has one holder at a time, and each new one a higher token`, () => {
    expect(take()).toMatchObject({ lease: { ...aLease(), token: 1, released_at: null }, from: null })
    expect(take({ run: 'r2' })).toBeNull()
    expect(releaseLease(db, 'u1', 1, NOW)).toBe(true)
    expect(take({ run: 'r2' })).toMatchObject({ lease: { run: 'r2', token: 2 }, from: null })
    expect(take({ uid: 'u2', run: 'r3' })).toMatchObject({ lease: { run: 'r3', token: 1 } })
  })

  test(`${name}: a holder that lost its lease holds nothing, releases nothing and renews nothing`, () => {
    const first = take()?.lease as Lease
    expect(take({ run: 'r2' }, { takeOver: true })).toMatchObject({ lease: { token: 2 }, from: first })
    expect([holdsLease(db, 'u1', 1), holdsLease(db, 'u1', 2)]).toEqual([false, true])
    expect(releaseLease(db, 'u1', 1, NOW)).toBe(false)
    expect(renewLease(db, 'u1', 1, LATER)).toBe(false)
    expect(leaseOf(db, 'u1')).toMatchObject({ run: 'r2', token: 2, expires_at: null, released_at: null })
  })

  test(`${name}: a lease lasts as long as its process, identified by pid and start time`, () => {
    take(DEAD)
    expect(leasesByLife(db, NOW)).toMatchObject({ held: [], abandoned: [{ uid: 'u1' }] })
    expect(take({ run: 'r2' })).toMatchObject({ lease: { token: 2 }, from: { run: 'r1' } })
    expect(leasesByLife(db, NOW)).toMatchObject({ held: [{ run: 'r2' }], abandoned: [] })
  })

  test(`${name}: a settled claim lasts until it expires; before that, as long as its process`, () => {
    take({ ...DEAD, expires_at: LATER })
    expect(isHeld(leaseOf(db, 'u1') as Lease, NOW)).toBe(false)
    settleClaim(db, 'u1', 1)
    const settled = leaseOf(db, 'u1') as Lease
    expect([isHeld(settled, NOW), isHeld(settled, LATER)]).toEqual([true, false])
    expect(renewLease(db, 'u1', 1, '2026-01-29T12:00:00Z')).toBe(true)
    expect(isHeld(leaseOf(db, 'u1') as Lease, LATER)).toBe(true)
  })

  test(`${name}: of several restarts one adopts a dead lease, and it is held from then on`, () => {
    take(DEAD)
    const { abandoned } = leasesByLife(db, NOW)
    const dead = abandoned[0] as Lease
    expect(adoptLease(db, dead, MYSELF, NOW)).toMatchObject({ ...aLease(MYSELF), token: 2 })
    expect(adoptLease(db, dead, MYSELF, NOW)).toBeNull()
    expect(take({ run: 'r2' })).toBeNull()
    releaseLease(db, 'u1', 2, NOW)
    expect(adoptLease(db, leaseOf(db, 'u1') as Lease, MYSELF, NOW)).toBeNull()
  })

  test(`${name}: a run shows its latest values, and ends once`, () => {
    beginRun(db, aRun('r1'))
    beginRun(db, aRun('r2', { started_at: LATER }))
    updateRun(db, 'r1', { step: 'working', tokens_in: 3, cost_usd: 0.5, last_action: 'Edit' })
    updateRun(db, 'r1', {})
    recordProgress(db, 'r1', { shown: {}, files: ['a', 'b'] })
    recordProgress(db, 'r1', { shown: {}, files: ['b'] })
    expect(liveRun(db, 'r1')).toMatchObject({ step: 'working', tokens_in: 3, cost_usd: 0.5, last_action: 'Edit' })
    expect(changedFilesOf(db, ['r1', 'r2'])).toEqual(['a', 'b'])
    finishRun(db, 'r1', { ended_at: LATER, outcome: 'failed', reason: 'stalled' })
    expect(openRuns(db).map(({ run }) => run)).toEqual(['r2'])
    expect(runsOf(db, 'u1').map(({ run, outcome }) => [run, outcome])).toEqual([
      ['r1', 'failed'],
      ['r2', null],
    ])
    expect(changedFilesOf(db, ['r1'])).toEqual([])
    expect(liveRun(db, 'r3')).toBeNull()
  })
}

test('a store of an earlier version is upgraded and keeps its leases', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gza-live-'))
  const path = join(folder, 'gza/live.db')
  mkdirSync(join(folder, 'gza'))
  const old = new Database(path)
  old.run(LIVE_VERSIONS[0] as string)
  old.run('PRAGMA user_version = 1')
  const { uid, ledger, run, holder, machine, taken_at } = aLease()
  old
    .query('INSERT INTO leases (uid, ledger, run, token, holder, machine, taken_at) VALUES (?, ?, ?, 1, ?, ?, ?)')
    .run(uid, ledger, run, holder, machine, taken_at)
  old.close()
  const db = openLive(path)
  expect(leaseOf(db, 'u1')).toMatchObject({ run: 'r1', token: 1 })
  beginRun(db, aRun('r1'))
  updateRun(db, 'r1', { heard: '{}' })
  expect(liveRun(db, 'r1')?.heard).toBe('{}')
  db.close()
  rmSync(folder, { recursive: true })
})

function aLease(lease: Partial<NewLease> = {}): NewLease {
  const place = { head: null, branch: null, path: null, taken_at: NOW }
  return {
    uid: 'u1',
    ledger: 'main',
    run: 'r1',
    holder: 'claude',
    machine: 'box',
    expires_at: null,
    ...MYSELF,
    ...place,
    ...lease,
  }
}

function aRun(run: string, more: { started_at?: string } = {}) {
  const task = { uid: 'u1', ledger: 'main', number: 1, title: 'Fix', type: 'task', attempt: 1 }
  return { run, ...task, agent: 'claude', started_at: NOW, ...more }
}
