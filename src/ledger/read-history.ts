import type { Repo } from '../platform/find-repo.ts'
import { runGit } from '../platform/git.ts'

/** One change of a ledger, as its commit tells it. */
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

const FIELDS = [
  '%H',
  '%P',
  '%cI',
  '%s',
  ...['Actor', 'Mode', 'Run', 'Undoes'].map((key) => `%(trailers:key=${key},valueonly,separator=%x2C)`),
]

/** The ledger's changes, newest first. With a uid, only commits in which that task's line changed. */
export function readHistory(
  repo: Repo,
  tip: string,
  options: { limit?: number; uid?: string; firstParent?: boolean } = {},
): AuditRow[] {
  const { limit, uid, firstParent } = options
  const args = ['log', '-z', `--format=${FIELDS.join('%x1f')}`]
  if (limit !== undefined) args.push(`--max-count=${limit}`)
  if (firstParent) args.push('--first-parent')
  // The uid stands in the task's line and nowhere else but in references to it: -G finds lines that changed.
  if (uid !== undefined) args.push(`-G"uid":"${uid}"`, '--diff-merges=off')
  const output = runGit(repo, [...args, tip, '--']).toString()
  return output.split('\0').filter(Boolean).map(auditRow)
}

function auditRow(record: string): AuditRow {
  const [commit = '', parents = '', at = '', subject = '', actor, mode, run, undoes] = record.split('\x1f')
  return {
    commit,
    parents: parents.split(' ').filter(Boolean),
    at: new Date(at).toISOString().replace(/\.\d+Z$/, 'Z'),
    actor: actor?.trim() || 'unknown',
    mode: mode?.trim() || 'unknown',
    run: run?.trim() || null,
    undoes: undoes?.trim() || null,
    subject,
  }
}
