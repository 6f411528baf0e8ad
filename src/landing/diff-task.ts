import { runGit } from '../platform/git/git.ts'
import { entry, findTask } from '../workspace/ledger/ledger-view.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { PLAIN, shownRange } from './review/shown-range.ts'

export interface TaskDiff {
  number: number
  id: string
  /** What was compared with what. */
  from: string
  to: string
  landed: boolean
  text: string
}

/** What a task's work changes: its branch compared with the point where it left the base, or what has landed of it. */
export function diffTask(ws: Workspace, ref: string, { stat }: { stat: boolean }): TaskDiff {
  const view = readLedger(ws)
  const task = findTask(view, ref)
  const { from, to, landed } = shownRange(view, task)
  const text = runGit(ws.repo, ['diff', ...PLAIN, stat ? '--stat' : '--binary', from, to, '--']).toString()
  return { number: entry(view, task.uid)?.number ?? task.number, id: task.id, from, to, landed, text }
}
