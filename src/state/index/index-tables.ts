/** The tables of the index, each described once. Everything in them is derived from the ledgers. */
import type { Status, TaskType } from '../../core/task/task.ts'
import {
  integer,
  optionalInteger,
  optionalText,
  type RowOf,
  type RowWith,
  rowNumber,
  table,
  text,
  word,
} from '../describe-table.ts'

export const LEDGERS = table('ledgers', () => ({
  lid: rowNumber,
  ledger: { ...text, sql: 'TEXT NOT NULL UNIQUE' },
  /** The commit of the rows; empty if the ledger no longer exists. */
  tip: text,
  /** How many full shards precede the tail. */
  shards: integer,
  /** One more than the last task's place. */
  places: integer,
  tasks: integer,
  last_number: integer,
}))
/** A ledger, and how much of what is rare it has, so that readers need not ask for each. */
export interface LedgerRow extends RowOf<typeof LEDGERS> {
  /** How many lines of its files cannot be read. */
  unreadable: number
  /** How many files gza would write differently. */
  foreign: number
  /** How many tasks moved from here to another ledger. */
  away: number
  /** 1: some task is part of another. */
  has_parts: number
  /** 1: some task has an artifact. */
  has_artifacts: number
}

/** What lists, lookups and selection need of a task. Rows follow the order of filing, so open tasks are near each other. */
export const ENTRIES = table('entries', () => ({
  row: rowNumber,
  lid: integer,
  uid: text,
  place: integer,
  id: text,
  number: integer,
  key: optionalText,
  title: text,
  status: word<Status>(),
  type: word<TaskType>(),
  /** Its index in PRIORITIES. */
  priority: integer,
  /** As text that sorts M2 before M10, and tasks without a milestone last. */
  milestone: text,
  milestone_id: optionalText,
  grp: optionalText,
  /** The uid of its parent task. */
  parent: optionalText,
  plan_file: optionalText,
  project: optionalText,
  branch: optionalText,
  assigned_agent: optionalText,
  created_at: text,
  closed_at: optionalText,
  /** Deleted, or moved to another ledger: hidden in every list. */
  deleted: integer,
  /** The ledger that its last move names; null if it never moved. */
  moved_to: optionalText,
  /** 1: moved to another ledger and not finished there, as far as the index knows; 2: finished or deleted there. */
  away: integer,
  on_hold: integer,
  /** An agent has asked a question that nobody has answered. */
  asks: integer,
  /** How many dependencies are not finished. */
  unmet: integer,
  /** The runs that have not ended, as JSON (open-runs.ts in core); null: there are none. */
  open_runs: optionalText,
  awaits_commit: integer,
  closed_commit: optionalText,
  /** Finished, and archived by a person. */
  archived: integer,
  /** The task's line has runs, phases or a verdict. */
  has_runs: integer,
  /** 1: it names others in fields besides `after`; 2: it declares files to create or modify; 3: both. */
  ties: integer,
  /** The run in which an agent filed it. */
  filed_in: optionalText,
}))

// Each column takes about 2 µs when a query is first used, so the queries of the fastest commands have sets of their own.
/** What a list of open tasks shows. */
export const OPEN_ENTRY = 'row, uid, id, number, key, title, type, status, unmet, open_runs, on_hold, asks, archived'
export type OpenEntry = RowWith<typeof ENTRIES, typeof OPEN_ENTRY>

/** The same of a task that may be deleted. */
export const KNOWN_ENTRY = `${OPEN_ENTRY}, deleted` as const
export type KnownEntry = RowWith<typeof ENTRIES, typeof KNOWN_ENTRY>

export const ENTRY =
  `${KNOWN_ENTRY}, place, milestone_id, grp, parent, plan_file, assigned_agent, created_at, closed_at, moved_to, away, has_runs` as const
/** What the index knows of a task without its whole line. */
export type Entry = RowWith<typeof ENTRIES, typeof ENTRY>

/** The whole task, as a line of the ledger. `sum` is the line's checksum. */
export const LINES = table('lines', () => ({ row: rowNumber, line: text, sum: integer }))

/** Which row depends on which task; `needed_row` is null if that task is not in this ledger. */
export const NEEDS = table('needs', () => ({ row: integer, needed: text, needed_row: optionalInteger }))

/** Every number that a task ever had. */
export const CLAIMS = table('claims', () => ({ lid: integer, number: integer, uid: text }))

/** Lines of task files that cannot be read. `text` is JSON, because SQLite would spoil lone surrogates, which represent bytes. */
export const UNREADABLE = table('unreadable', () => ({ lid: integer, path: text, line: integer, text, why: text }))

/**
 * Task files that gza would write in another way, with their whole text (JSON, as above) and how many tasks they have.
 */
export const FOREIGN_FILES = table('foreign_files', () => ({ lid: integer, path: text, tasks: integer, text }))

export const ARTIFACTS = table('artifacts', () => ({ lid: integer, path: text, blob: text }))

/** The tip of a branch when its history was last compared with the links. */
export const LINK_TIPS = table('link_tips', () => ({ lid: integer, branch: text, tip: text }))

/** Whether a commit contains another one: it never changes, and asking git takes a process. */
export const CONTAINED = table('contained', () => ({ commit_id: text, base: text, is_contained: integer }))

/** What git answered about its settings, under the state of its configuration (write-settings.ts in platform). */
export const ANSWERS = table('answers', () => ({ state: text, answer: text }))
