/** What a review task judges: a commit, and what is compared with it. */
import { commitOrNull, isCommitId } from '../../core/ledger/stored-names.ts'
import { command } from '../../core/sentence.ts'
import { type Task, uidOf } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { isAncestor } from '../../ledger/links.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { tryGit } from '../../platform/git/git.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { finishedHeadOf } from '../../workspace/ledger/finished-work.ts'
import { landedRange } from '../../workspace/ledger/landed-range.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { baseCommit } from '../start-point.ts'

export interface JudgedWork {
  commit: string
  /** The commit is compared with the point where it left this one. */
  base: string
  /** The task's own commits, oldest first, where commits of others are between them. Only they are judged. */
  commits?: readonly string[]
}

export function judgedWork(view: LedgerView, review: Task): JudgedWork {
  for (const ref of [...review.depends_on, ...review.based_on, ...review.after]) {
    const task = taskOf(view.ws.state, view.row.lid, uidOf(ref))
    const work = task && workOf(view, task)
    if (work) return work
  }
  throw new UserError('NOTHING_TO_REVIEW', `Task ${review.id} does not name a task to review`, {
    hint: command`add --type review --based-on ID`,
  })
}

/** Work that is in the base is judged as it is there: compared with the base of today, it would be empty. */
function workOf(view: LedgerView, task: Task): JudgedWork | null {
  const { repo } = view.ws
  const landed = landedRange(view, task)
  if (landed !== null && isThere(repo, landed.to)) return { commit: landed.to, base: landed.from }
  const commit = finishedHeadOf(view, task) ?? commitOrNull(task.closed_commit)
  if (commit === null) return null
  const base = baseCommit(view)
  return (isAncestor(repo, commit, base) ? ownRow(repo, task, commit) : null) ?? { commit, base }
}

/** The commits that are linked to the task. If they follow each other, they are judged as one change. */
function ownRow(repo: Repo, { commits }: Task, last: string): JudgedWork | null {
  const own = new Set([...commits, last].filter((commit) => isCommitId(commit) && isThere(repo, commit)))
  const before = [...own].map((commit) => `${commit}^1`).filter((parent) => isThere(repo, parent))
  const fork = before.length === 0 ? null : tryGit(repo, ['merge-base', '--octopus', ...before])
  const limit = fork?.code === 0 ? ['--not', fork.stdout.toString().trim()] : []
  const rows = tryGit(repo, ['rev-list', '--topo-order', '--reverse', '--parents', last, ...limit, '--'])
    .stdout.toString()
    .split('\n')
    .map((row) => row.split(' '))
    .filter(([commit = '']) => own.has(commit))
  const isRow = rows.every(([, parent], at) => at === 0 || parent === rows[at - 1]?.[0])
  const base = rows[0]?.[1]
  if (isRow && base !== undefined) return { commit: last, base }
  return { commit: last, base: last, commits: rows.flatMap(([commit]) => commit ?? []) }
}

function isThere(repo: Repo, commit: string): boolean {
  return tryGit(repo, ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`]).code === 0
}
