import { commitOrNull } from '../../core/ledger/stored-names.ts'
import { command, type Sentence } from '../../core/sentence.ts'
import { OUTPUT_FOLDERS } from '../../core/task/output-folders.ts'
import { type Task, uidOf } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { finishedHeadOf } from '../../workspace/ledger/finished-work.ts'
import { entry, type LedgerView } from '../../workspace/ledger/ledger-view.ts'

/**
 * The commit that a person sees who gives a verdict now. The verdict is about this commit only: if the branch moves
 * afterwards, it no longer counts.
 */
export function commitToJudge(view: LedgerView, task: Task, verdict: string): string {
  const number = entry(view, task.uid)?.number ?? task.number
  const refuse = (what: string, hint: Sentence) => new UserError('NOTHING_TO_JUDGE', what, { hint })
  if (task.type === 'review') {
    const work = judgedNumber(view, task)
    const hint = work === undefined ? command`show ${number}` : command`edit ${work} --verdict ${verdict}`
    throw refuse(`Task #${number} is a review; a verdict is given on the work that it judged`, hint)
  }
  if (OUTPUT_FOLDERS[task.type] !== undefined)
    throw refuse(
      `Task #${number} makes a text and no commit, so that a verdict has nothing to judge`,
      command`show ${number} --text`,
    )
  if (view.leased.has(task.uid))
    throw refuse(`Somebody is working on #${number}; a verdict is given on finished work`, command`ps`)
  if (task.status !== 'completed')
    throw refuse(`Task #${number} is ${task.status}; a verdict is given on finished work`, command`why ${number}`)
  const commit = finishedHeadOf(view, task) ?? commitOrNull(task.closed_commit)
  if (commit === null)
    throw refuse(`Task #${number} has no commit that a verdict could be about`, command`show ${number}`)
  return commit
}

function judgedNumber(view: LedgerView, { depends_on, based_on, after }: Task): number | undefined {
  const rows = [...depends_on, ...based_on, ...after].map((ref) => entry(view, uidOf(ref)))
  return rows.find((row) => row !== undefined && row.type !== 'review')?.number
}
