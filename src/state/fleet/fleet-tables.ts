/** The tables of all fleets of one database, beside those of pg-boss. */
import type { FleetDatabase } from './connect-fleet.ts'

/** Raised when an older worker could misread what a newer one writes. Versions of the program may differ. */
export const PROTOCOL = 1

/** The schema of pg-boss. */
export const OFFERS = 'gza_offers'

/** Not the tables' own lock, which is released between two of them. */
const MIGRATION_LOCK = 7_240_119

/**
 * Creates what is missing. Under an advisory lock: several machines that create the same table at once would fail, in spite
 * of `IF NOT EXISTS`.
 */
export async function migrateTables(db: FleetDatabase): Promise<void> {
  await db.inTransaction(async (rows) => {
    await rows('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await rows(TABLES)
    await rows('INSERT INTO gza_fleet.protocol (one, number) VALUES (true, $1) ON CONFLICT DO NOTHING', [PROTOCOL])
  })
}

/** The number in the database; null: it has no tables of gza. */
export async function readProtocol(db: FleetDatabase): Promise<number | null> {
  const [there] = await db.rows<{ there: boolean }>("SELECT to_regclass('gza_fleet.protocol') IS NOT NULL AS there")
  if (there?.there !== true) return null
  const [row] = await db.rows<{ number: number }>('SELECT number FROM gza_fleet.protocol')
  return row?.number ?? null
}

const TABLES = `
CREATE SCHEMA IF NOT EXISTS gza_fleet;

CREATE TABLE IF NOT EXISTS gza_fleet.protocol (one boolean PRIMARY KEY CHECK (one), number integer NOT NULL);

CREATE TABLE IF NOT EXISTS gza_fleet.outbox (
  id bigserial PRIMARY KEY,
  fleet text NOT NULL,
  run text NOT NULL,
  kind text NOT NULL,
  n integer NOT NULL,
  seq integer NOT NULL,
  claim integer NOT NULL,
  offer uuid NOT NULL,
  payload jsonb NOT NULL,
  answer jsonb,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (fleet, run, kind, n)
);
CREATE INDEX IF NOT EXISTS outbox_unanswered ON gza_fleet.outbox (fleet, id) WHERE answer IS NULL;

CREATE TABLE IF NOT EXISTS gza_fleet.leases (
  fleet text NOT NULL,
  name text NOT NULL,
  holder text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (fleet, name)
);

CREATE TABLE IF NOT EXISTS gza_fleet.machines (
  fleet text NOT NULL,
  id text NOT NULL,
  host text NOT NULL,
  version text NOT NULL,
  slots integer NOT NULL,
  busy integer NOT NULL DEFAULT 0,
  draining boolean NOT NULL DEFAULT false,
  seen timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (fleet, id)
);

CREATE TABLE IF NOT EXISTS gza_fleet.runs (
  fleet text NOT NULL,
  offer uuid NOT NULL,
  claim integer NOT NULL,
  uid text NOT NULL,
  machine text NOT NULL,
  run text,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (fleet, offer)
);

CREATE TABLE IF NOT EXISTS gza_fleet.waits (
  fleet text NOT NULL,
  uid text NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (fleet, uid)
);

CREATE TABLE IF NOT EXISTS gza_fleet.pulse (
  fleet text PRIMARY KEY,
  seen timestamptz NOT NULL,
  open_at timestamptz NOT NULL,
  is_paused boolean NOT NULL DEFAULT false
);
`
