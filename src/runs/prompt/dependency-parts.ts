/** What a prompt tells about finished tasks that the work builds on. */
import type { PromptPart } from '../../core/documents/fit-prompt.ts'
import { listBlock } from '../../core/documents/prompt-text.ts'
import { attemptsInOrder } from '../../core/landing/landable-branch.ts'
import { isCommitId } from '../../core/ledger/stored-names.ts'
import { type Task, titleOf, uidOf } from '../../core/task/task.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { tryGit } from '../../platform/git/git.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'

/** Every task before this one, the nearest first. */
export function ancestorsOf(view: LedgerView, subject: Task): Task[] {
  const found = new Map<string, Task>()
  const queue = namedBy(subject)
  for (let uid = queue.shift(); uid !== undefined; uid = queue.shift()) {
    const ancestor = taskOf(view.ws.state, view.row.lid, uid)
    if (ancestor === null || found.has(ancestor.uid)) continue
    found.set(ancestor.uid, ancestor)
    queue.push(...namedBy(ancestor))
  }
  return [...found.values()]
}

/** Of each finished task that it names: the last note, the commits and their files. Of those before them, the titles. */
export function dependencyParts(view: LedgerView, subject: Task): PromptPart[] {
  const done = ancestorsOf(view, subject).filter(({ status }) => status === 'completed')
  const direct = new Set(namedBy(subject))
  const near = done.filter(({ uid }) => direct.has(uid))
  const commits = readCommits(view.ws.repo, near.flatMap(commitsOf))
  const far = listBlock(
    'Finished before those:',
    done.filter(({ uid }) => !direct.has(uid)).map((task) => `${task.id}: ${titleOf(task)}`),
  )
  return [
    ...near.map((task): PromptPart => {
      const name = `finished task ${task.id}, which this one builds on`
      return { place: 'context', name, text: doneText(task, commits), form: 'data', isAside: true }
    }),
    { place: 'context', name: 'tasks finished before those', text: far, form: 'list', isAside: true },
  ]
}

function namedBy({ based_on, depends_on, after }: Task): string[] {
  return [...new Set([...based_on, ...depends_on, ...after].map(uidOf))]
}

function doneText(task: Task, known: ReadonlyMap<string, Commit>): string {
  const commits = commitsOf(task).flatMap((oid) => known.get(oid) ?? [])
  const files = [...new Set(commits.flatMap((commit) => commit.files))]
  const note = task.notes.findLast(({ retracted }) => !retracted)
  return [
    titleOf(task),
    ...(note === undefined ? [] : [`Its last note: ${note.text}`]),
    listBlock(
      'Commits:',
      commits.map(({ oid, subject }) => `${oid.slice(0, 12)} ${subject}`),
    ),
    listBlock('Files:', firstOf(files)),
  ].join('\n')
}

const MOST_FILES = 50

function firstOf(files: readonly string[]): string[] {
  const rest = files.length - MOST_FILES
  return [...files.slice(0, MOST_FILES), ...(rest > 0 ? [`and ${rest} more`] : [])]
}

/** As they are in the base, if the work has landed; otherwise as they were linked. */
function commitsOf(task: Task): string[] {
  const landed = attemptsInOrder(task).findLast(({ outcome }) => outcome === 'landed')
  return landed?.commits ?? task.commits
}

interface Commit {
  oid: string
  subject: string
  files: string[]
}

/** Commits that no longer exist are left out. */
function readCommits(repo: Repo, written: readonly string[]): Map<string, Commit> {
  const oids = written.filter(isCommitId)
  if (oids.length === 0) return new Map()
  const shape = ['--format=%x1e%H %s', '--name-only', '--no-renames', '--no-ext-diff', '--no-textconv']
  const { stdout } = tryGit(
    repo,
    ['log', '--no-walk=unsorted', '--ignore-missing', ...shape, '--stdin'],
    `${oids.join('\n')}\n`,
  )
  const commits = stdout.toString().split('\x1e').slice(1).map(parseCommit)
  return new Map(commits.map((commit) => [commit.oid, commit]))
}

function parseCommit(text: string): Commit {
  const [first = '', ...files] = text.split('\n').filter(Boolean)
  const [oid = '', ...subject] = first.split(' ')
  return { oid, subject: subject.join(' '), files }
}
