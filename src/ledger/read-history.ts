import { isoSeconds } from '../platform/clock.ts'
import type { Repo } from '../platform/git/find-repo.ts'
import { readLogRecords, trailer } from './log-records.ts'
import { readTrees } from './read-trees.ts'
import { readSteps, type StepLines } from './verify/step-lines.ts'

/** One change of a ledger, as its commit describes it. */
export interface AuditRow {
  commit: string
  parents: string[]
  at: string
  actor: string
  mode: string
  run: string | null
  undoes: string | null
  subject: string
}

const FIELDS = ['%H', '%P', '%ct', '%s', ...['Actor', 'Mode', 'Run', 'Undoes'].map(trailer)]

export interface HistoryOptions {
  limit?: number
  /** Only changes of this task. */
  uid?: string
  /** Only changes that this commit does not contain. */
  since?: string
}

/** The ledger's changes, newest first. */
export function readHistory(repo: Repo, tip: string, options: HistoryOptions = {}): AuditRow[] {
  const { limit, uid, since } = options
  const args: string[] = since === undefined ? [] : [`^${since}`]
  if (limit !== undefined && uid === undefined) args.push(`--max-count=${limit}`)
  // The uid is in the task's line and otherwise only in references to it: -G finds lines that changed. As text, because
  // a checkout's .gitattributes may declare files with such names as binary.
  if (uid !== undefined) args.push(`-G"uid" *: *"${uid}"`, '--text', '--no-textconv', '--diff-merges=off')
  const rows = readLogRecords(repo, FIELDS, [...args, tip, '--']).map(auditRow)
  return uid === undefined ? rows : changesOf(repo, rows, uid).slice(0, limit)
}

/** One move of a ledger's ref in this clone, with the commit it moved to. */
export interface Move extends AuditRow {
  /** What the reflog says about the move. */
  message: string
}

/** The moves that git has recorded in this clone, newest first; none if there is no reflog. */
export function readMoves(repo: Repo, ref: string, limit: number): Move[] {
  const records = readLogRecords(repo, [...FIELDS, '%gs'], ['--walk-reflogs', `--max-count=${limit}`, ref, '--'])
  return records.map((fields) => ({ ...auditRow(fields), message: fields[FIELDS.length] ?? '' }))
}

/**
 * Leaves out the commits in which the task's line only moved to another file, for example because its shard was full.
 */
function changesOf(repo: Repo, rows: readonly AuditRow[], uid: string): AuditRow[] {
  const changes = readChanges(repo, rows)
  return rows.filter((_, i) => changes[i]?.before.has(uid) || changes[i]?.after.has(uid))
}

/** What each commit changed compared to its first parent. */
export function readChanges(repo: Repo, rows: readonly Pick<AuditRow, 'commit' | 'parents'>[]): StepLines[] {
  if (rows.length === 0) return []
  const trees = readTrees(
    repo,
    rows.flatMap(({ commit, parents }) => [commit, ...parents.slice(0, 1)]),
  )
  const side = (commit: string) => ({ commit, tree: trees.get(commit) ?? '' })
  const steps = rows.map(({ commit, parents: [parent] }) => ({
    from: parent === undefined ? null : side(parent),
    to: side(commit),
  }))
  return readSteps(repo, steps)
}

function auditRow([commit = '', parents = '', time = '', subject = '', actor, mode, run, undoes]: string[]): AuditRow {
  return {
    commit,
    parents: parents.split(' ').filter(Boolean),
    at: timeOf(Number(time)),
    actor: actor?.trim() || 'unknown',
    mode: mode?.trim() || 'unknown',
    run: run?.trim() || null,
    undoes: undoes?.trim() || null,
    subject,
  }
}

/** Other programs write commits with impossible times. */
function timeOf(seconds: number): string {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? 'unknown' : isoSeconds(date)
}
