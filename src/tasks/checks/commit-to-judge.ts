import { commitOrNull } from '../../core/ledger/stored-names.ts'
import { command, type Sentence, sentence } from '../../core/sentence.ts'
import { OUTPUT_FOLDERS } from '../../core/task/output-folders.ts'
import { type Task, uidOf } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { reviewsOf } from '../../state/index/dependency-rows.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { finishedHeadOf, othersOnBranch } from '../../workspace/ledger/finished-work.ts'
import { landedRange } from '../../workspace/ledger/landed-range.ts'
import { entry, type LedgerView, numberOf } from '../../workspace/ledger/ledger-view.ts'

/**
 * The commit that a reviewer has judged, and that a person judges otherwise. The verdict is about this commit only: if
 * the branch moves afterwards, it no longer counts.
 */
export function commitToJudge(view: LedgerView, task: Task, verdict: string): string {
  refuseNothingToJudge(view, task, verdict)
  const number = numberOf(view, task)
  const [current] = commitsOf(view, task)
  if (current === undefined)
    throw refuse(`Task #${number} has no commit that a verdict could be about`, command`show ${number}`)
  const judged = judgedCommit(view, task)
  if (judged === null)
    throw refuse(
      `No reviewer has judged #${number} at ${current.slice(0, 7)}; your verdict takes the place of a review`,
      sentence`${command`review ${number}`} has it judged. ${command`merge ${number}`} lands it without a review.`,
    )
  return judged
}

/** A verdict is about finished work that has commits. */
export function refuseNothingToJudge(view: LedgerView, task: Task, verdict: string): void {
  const number = numberOf(view, task)
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
}

function refuse(what: string, hint: Sentence): UserError {
  return new UserError('NOTHING_TO_JUDGE', what, { hint })
}

/** The commit with the task's work that a reviewer has judged; null: what is there now was not judged. */
export function judgedCommit(view: LedgerView, task: Task): string | null {
  const judged = judgedCommits(view, task)
  return commitsOf(view, task).find((commit) => judged.has(commit)) ?? null
}

/** The commits that its work is in now: in the base as it landed, and on its branch or as it was closed without one. */
function commitsOf(view: LedgerView, task: Task): string[] {
  const commits = [landedRange(view, task)?.to, finishedHeadOf(view, task) ?? commitOrNull(task.closed_commit)]
  return commits.filter((commit) => typeof commit === 'string')
}

/** What reviewers have judged of its branch: in review cycles, and in review tasks. */
function judgedCommits(view: LedgerView, task: Task): Set<unknown> {
  const { state } = view.ws
  const works = [task, ...(task.branch === undefined ? [] : othersOnBranch(view, task, task.branch))]
  const reviews = works.flatMap(({ uid }) => reviewsOf(state, view.row.lid, uid))
  const judgements = [
    ...works.flatMap(({ phases }) => phases),
    ...reviews.flatMap((uid) => taskOf(state, view.row.lid, uid)?.runs ?? []),
  ]
  return new Set(judgements.filter(({ verdict }) => verdict !== undefined).map(({ head }) => head))
}

function judgedNumber(view: LedgerView, { depends_on, based_on, after }: Task): number | undefined {
  const rows = [...depends_on, ...based_on, ...after].map((ref) => entry(view, uidOf(ref)))
  return rows.find((row) => row !== undefined && row.type !== 'review')?.number
}
