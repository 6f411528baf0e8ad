import { winningEdit } from '../ledger/join-tasks.ts'
import type { Task, Verdict } from '../task/task.ts'

export interface PersonsVerdict {
  verdict: Verdict
  by: string
  /** The commit that it is about. */
  head: string | null
}

/** What a person said about the finished work. It counts only while the work is at that commit. */
export function personsVerdict({ edits, final_verdict, closed_at, closed_commit }: Task): PersonsVerdict | null {
  const edit = winningEdit(edits, 'final_verdict')
  if (final_verdict === undefined || edit === undefined || closed_at === null || edit.at < closed_at) return null
  return { verdict: final_verdict, by: edit.by, head: edit.head ?? closed_commit }
}
