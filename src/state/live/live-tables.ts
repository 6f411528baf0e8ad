/** The tables of current work, each described once. live-schema.ts contains their history. */
import {
  integer,
  optionalInteger,
  optionalReal,
  optionalText,
  type RowOf,
  real,
  table,
  text,
} from '../describe-table.ts'

export const LEASES = table('leases', () => ({
  uid: text,
  ledger: text,
  run: text,
  token: integer,
  holder: text,
  /** The host's name, only for display. */
  machine: text,
  pid: optionalInteger,
  start_time: optionalText,
  expires_at: optionalText,
  /** HEAD when the task was taken: commits after it are the task's work. */
  head: optionalText,
  branch: optionalText,
  path: optionalText,
  taken_at: text,
  released_at: optionalText,
  /** The clone that the holder works in; null: written by a gza that did not know clones. */
  clone: optionalText,
  /** Where the pid means something. */
  machine_id: optionalText,
  boot_id: optionalText,
  pid_namespace: optionalText,
  /** When the holder was last seen alive, by the wall clock and by the monotonic clock of its boot. */
  beat_at: optionalText,
  beat_clock: optionalReal,
  /** Of a claim: the connection of the client that has it; null: it was claimed with the command. */
  connection: optionalText,
}))
export type Lease = RowOf<typeof LEASES>

export const RUNS = table('runs', () => ({
  run: text,
  uid: text,
  ledger: text,
  number: integer,
  title: text,
  type: text,
  attempt: integer,
  agent: text,
  phase: text,
  /** The last step that was passed; the next one may be half done. */
  step: text,
  started_at: text,
  ended_at: optionalText,
  outcome: optionalText,
  reason: optionalText,
  last_action: optionalText,
  session: optionalText,
  tokens_in: integer,
  tokens_out: integer,
  cost_usd: real,
  turns: integer,
  /** Someone asked for the run to stop: `stop` or `kill`. */
  cancel: optionalText,
  /** The outcome of the agent's phase as JSON, from when it ended. */
  heard: optionalText,
  /** What its agents may file (FilingRules), as JSON. */
  filing: optionalText,
}))
/** A run in progress: what ps, watch and recovery read. The ledger has its beginning and its end. */
export type LiveRun = RowOf<typeof RUNS>

/** What a running task has changed so far. */
export const CHANGED_FILES = table('changed_files', () => ({ run: text, path: text }))

/**
 * Phases of review cycles that a worker of this machine has seen and judged: an agent could also write one to the
 * ledger.
 */
export const PHASES = table('phases', () => ({ run: text, fact: text }))

export const AGENTS = table('agents', () => ({
  name: text,
  /** The client that gza starts for it; null: the configured one, or gza does not start it. */
  client: optionalText,
  added_at: text,
  /** When it last called gza. */
  seen_at: optionalText,
}))
/** An agent that somebody registered here, under a name that tasks can be assigned to. */
export type RegisteredAgent = RowOf<typeof AGENTS>

export const MATTERS = table('matters', () => ({
  ledger: text,
  code: text,
  /** What it is about, in a person's words: a file, a branch. */
  subject: text,
  at: text,
  /** JSON. */
  facts: text,
}))

/** What a person's gza did to ledgers while agents ran. */
export const MOVES = table('moves', () => ({ move: text, at: text }))

/** Processes that supervised a run and were killed, or a command under `gza guard`: what they started may still run. */
export const GONE_SUPERVISORS = table('gone_supervisors', () => ({
  run: text,
  start_time: text,
  boot_id: optionalText,
}))

/** Clients that have claimed tasks through `gza mcp`, and the process that serves each. */
export const CONNECTIONS = table('connections', () => ({
  connection: text,
  client: text,
  /** The working tree that the client works in. */
  worktree: text,
  /** Null: the client has left. */
  pid: optionalInteger,
  start_time: optionalText,
  machine_id: optionalText,
  boot_id: optionalText,
  pid_namespace: optionalText,
  beat_at: optionalText,
  beat_clock: optionalReal,
}))
export type Connection = RowOf<typeof CONNECTIONS>

/** What a landing verifies at this moment. It counts only while its run has the lease of the base. */
export const LANDING_CHECKS = table('landing_checks', () => ({
  base: text,
  run: text,
  at: text,
  /** The uids of the tasks on the tree that is verified, as JSON; none: the base itself. */
  verifying: text,
  /** The uids of the tasks of which one turned the batch red, as JSON; none: nothing was red so far. */
  suspects: text,
}))

/** Commands that run under `gza guard`, and the process that supervises each. */
export const GUARDS = table('guards', () => ({
  run: text,
  holder: text,
  pid: integer,
  start_time: optionalText,
  machine_id: optionalText,
  boot_id: optionalText,
  pid_namespace: optionalText,
}))
