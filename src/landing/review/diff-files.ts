/** A task's work file by file. Small files come with their lines, large ones when they are asked for. */
import { type ChangedFile, changedFiles } from '../../core/landing/changed-files.ts'
import { declaredFiles, outsideScope } from '../../core/landing/scope.ts'
import type { Task } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { runGit } from '../../platform/git/git.ts'
import type { WorkRange } from '../../workspace/ledger/landed-range.ts'
import { findTask, type LedgerView, numberOf } from '../../workspace/ledger/ledger-view.ts'
import { readLedger } from '../../workspace/ledger/read-ledger.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { PLAIN, type ShownRange, shownRange } from './shown-range.ts'

export interface DiffedFile extends ChangedFile {
  /** The task has a list of files, and this one is not in it. */
  outside: boolean
  /** The diff as git prints it; null: too long to send it along. */
  text: string | null
}

export interface FileDiffs extends ShownRange {
  number: number
  id: string
  files: DiffedFile[]
}

/** So many changed lines of one file, and of all together, are sent along. */
const FEW_LINES = 400
const MOST_LINES = 2500
const MOST_CHARACTERS = 200_000

export function diffFiles(ws: Workspace, ref: string): FileDiffs {
  const view = readLedger(ws)
  const task = findTask(view, ref)
  const range = shownRange(view, task)
  const changed = markOutside(task, listFiles(ws.repo, range))
  const texts = textsOf(ws.repo, range, smallFiles(changed))
  const files = changed.map((file) => ({ ...file, text: texts.get(file) ?? null }))
  return { number: numberOf(view, task), id: task.id, ...range, files }
}

type MarkedFile = ChangedFile & Pick<DiffedFile, 'outside'>

function markOutside(task: Task, changed: readonly ChangedFile[]): MarkedFile[] {
  const outside = new Set(outsideScope(declaredFiles(task), changed.flatMap(namesOf)))
  return changed.map((file) => ({ ...file, outside: namesOf(file).some((name) => outside.has(name)) }))
}

export interface OneFileDiff extends WorkRange {
  text: string
  /** Only its first part. */
  isCut: boolean
}

/** More than this helps nobody in a page. */
const LONGEST = 2_000_000

/** The diff of one file, up to a limit that no person reads through. */
export function diffFile(ws: Workspace, ref: string, path: string): OneFileDiff {
  const view = readLedger(ws)
  const { from, to } = shownRange(view, findTask(view, ref))
  const file = listFiles(ws.repo, { from, to }).find((each) => each.path === path)
  if (file === undefined)
    throw new UserError('NO_SUCH_FILE', `${path} is not among the changed files`, { hint: 'Look at the newer diff.' })
  const text = printed(ws.repo, { from, to }, [file])
  return { from, to, text: text.slice(0, LONGEST), isCut: text.length > LONGEST }
}

function listFiles(repo: Repo, { from, to }: WorkRange): ChangedFile[] {
  const args = ['diff', ...PLAIN, '--find-renames', '--raw', '--numstat', '-z', from, to, '--']
  return changedFiles(runGit(repo, args).toString())
}

function textsOf<F extends ChangedFile>(repo: Repo, range: WorkRange, small: readonly F[]): Map<F, string> {
  if (small.length === 0) return new Map()
  const texts = printed(repo, range, small).split(/^(?=diff --git )/m)
  // Each file has one part, in the same order. If not, they are asked for one by one.
  if (texts.length !== small.length) return new Map()
  const found = new Map(small.map((file, at) => [file, texts[at] ?? '']))
  for (const [file, text] of found) if (text.length > MOST_CHARACTERS) found.delete(file)
  return found
}

/** A file that became a link, or the other way round, has two parts in a diff. */
function smallFiles<F extends ChangedFile>(files: readonly F[]): F[] {
  let lines = 0
  return files.filter(({ change, added, removed }) => {
    const count = linesOf({ added, removed })
    if (change === 'retyped' || count > FEW_LINES || lines + count > MOST_LINES) return false
    lines += count + 1
    return true
  })
}

function printed(repo: Repo, { from, to }: WorkRange, files: readonly ChangedFile[]): string {
  const paths = files.flatMap(namesOf)
  const args = ['diff', ...PLAIN, '--find-renames', '--unified=3', from, to, '--']
  return runGit(repo, [...args, ...paths.map((path) => `:(top,literal)${path}`)]).toString()
}

/** A renamed file is also missing under its old name. */
function namesOf({ path, old_path }: ChangedFile): string[] {
  return old_path === null ? [path] : [old_path, path]
}

export interface FirstChanges {
  files: number
  added: number
  removed: number
  landed: boolean
  /** The first files with their first lines: those that the task does not name come before the others. */
  first: FirstFile[]
}

interface FirstFile extends DiffedFile {
  /** Only its first lines. */
  isCut: boolean
}

const FIRST_FILES = 3
const FIRST_LINES = 30
const FIRST_CHARACTERS = 20_000
/** Git would print all of a longer one, of which nearly nothing is shown. */
const LONGEST_FIRST = 20_000

/** How much a task changes, and the beginning of it. */
export function firstChanges(view: LedgerView, task: Task): FirstChanges {
  const { repo } = view.ws
  const range = shownRange(view, task)
  const changed = markOutside(task, listFiles(repo, range))
  const first = changed.toSorted((a, b) => Number(b.outside) - Number(a.outside)).slice(0, FIRST_FILES)
  // In the order in which git prints them.
  const short = changed.filter(
    (file) => first.includes(file) && file.change !== 'retyped' && linesOf(file) <= LONGEST_FIRST,
  )
  const texts = textsOf(repo, range, short)
  return {
    files: changed.length,
    added: changed.reduce((total, { added }) => total + (added ?? 0), 0),
    removed: changed.reduce((total, { removed }) => total + (removed ?? 0), 0),
    landed: range.landed,
    first: first.map((file) => ({ ...file, ...beginningOf(texts.get(file)) })),
  }
}

function beginningOf(text: string | undefined): Pick<FirstFile, 'text' | 'isCut'> {
  if (text === undefined) return { text: null, isCut: false }
  const lines = text.replace(/\n$/, '').split('\n')
  const hunk = lines.findIndex((line) => line.startsWith('@@ '))
  const shown = lines.slice(0, Math.max(hunk, 0) + 1 + FIRST_LINES).join('\n')
  const beginning = shown.slice(0, FIRST_CHARACTERS)
  return { text: beginning, isCut: beginning.length < lines.join('\n').length }
}

function linesOf({ added, removed }: Pick<ChangedFile, 'added' | 'removed'>): number {
  return (added ?? 0) + (removed ?? 0)
}
