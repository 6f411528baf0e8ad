import { z } from 'zod'
import { about, count, flag, maybe, named, taskId, text, texts, time } from './fields.ts'

export const FleetSetUp = named('FleetSetUp', 'A queue that belongs to a fleet.', {
  fleet: text,
  ledger: text,
  remote: text,
  remote_url: about('What a worker is started with'),
  protocol: count,
})

export const FleetMigrated = named('FleetMigrated', 'A database with all tables.', { protocol: count })

export const FleetLeft = named('FleetLeft', 'A queue that belongs to no fleet.', {
  left: maybe(text).describe('Null: it belonged to none'),
  ledger: text,
})

const FleetMachine = named('FleetMachine', 'A worker.', {
  id: text,
  host: text,
  version: text,
  workers: count,
  busy: count,
  state: z.enum(['working', 'draining', 'gone']),
  seen_at: time,
})

const FleetRun = named('FleetRun', 'A run of a worker.', {
  number: count,
  id: taskId,
  title: text,
  host: text,
  machine: text,
  run: maybe(text).describe('Null until its start is in the ledger'),
  started_at: time,
})

export const FleetStatus = named('FleetStatus', 'A fleet, its machines and what they do.', {
  fleet: text,
  ledger: text,
  is_paused: flag,
  machines: z.array(FleetMachine),
  runs: z.array(FleetRun),
  waiting: count.describe('Offers that no worker has taken yet'),
})

export const FleetChange = named('FleetChange', 'What was asked of a fleet.', {
  fleet: text,
  done: z.enum(['paused', 'resumed', 'draining', 'removed']),
  machines: texts,
})

export const WorkerEnd = named('WorkerEnd', 'A worker that has ended.', { machine: text, fleet: text, offers: count })

export const FollowedWork = named('FollowedWork', 'Tasks that a fleet works on.', {
  fleet: text,
  tasks: z.array(
    z.strictObject({
      ...{ number: count, id: taskId, title: text },
      status: z.enum(['pending', 'completed', 'failed', 'skipped']),
    }),
  ),
  is_over: flag.describe('False: somebody has stopped following'),
})
