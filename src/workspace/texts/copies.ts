/**
 * The readable copies of texts in `.gza/`. Each text has a file of its own, and a file that exists is never written
 * again: a person may have changed it, and only that person decides what happens to it.
 */
import { basename, dirname, join } from 'node:path'
import { freeName, readTextName } from '../../core/run/text-names.ts'
import { command, type Sentence, sentence } from '../../core/sentence.ts'
import { isAway } from '../../core/task/move.ts'
import { OUTPUT_FOLDERS } from '../../core/task/output-folders.ts'
import type { Task } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { isoSeconds } from '../../platform/clock.ts'
import { changedAt, fileExists, listFiles, readBytesIfThere, writeNewText } from '../../platform/files/files.ts'
import { blobId } from '../../platform/git/blob-id.ts'
import { type Artifact, artifactNames, artifactsOf } from '../../state/index/ledger-files.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { runAt } from '../../state/live/live-runs.ts'
import { type LedgerView, numberOf } from '../ledger/ledger-view.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import type { Workspace } from '../workspace.ts'
import { readText, type TaskText, textsOf } from './task-texts.ts'

/** A name like that of `copy` under which neither a ledger nor this work tree has a text yet. */
export function freeCopy({ repo, state }: Workspace, copy: string): string {
  const names = new Set(artifactNames(state).flatMap((name) => [name, `${readTextName(name)?.stem ?? ''}.md`]))
  const isTaken = (stem: string) =>
    names.has(`${stem}.md`) || (repo.workTree !== null && fileExists(join(repo.workTree, dirname(copy), `${stem}.md`)))
  return join(dirname(copy), `${freeName(basename(copy, '.md'), isTaken)}.md`)
}

/** Writes a copy for people, unless its file is there already. The text itself is in the ledger. */
export function writeCopy({ repo, warnings }: Workspace, copy: string, text: string): void {
  if (repo.workTree === null) return
  try {
    writeNewText(join(repo.workTree, copy), text)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    warnings.push(`${copy} was not written: ${error.message}`)
  }
}

/** Writes the copies of an attempt's text and of a task's reviews that are not there. */
export function writeMissingCopies(view: LedgerView, task: Task, attempt: number): void {
  for (const text of textsOf(view, task)) {
    if (text.takenBack) continue
    const isOfRun = text.kind === 'review' || readTextName(text.name)?.attempt === attempt
    const content = isOfRun && text.copy !== null ? readText(view, text) : undefined
    if (text.copy !== null && content !== undefined) writeCopy(view.ws, text.copy, content)
  }
}

/** The file with this text. A later text of the same name has replaced the copy of an earlier one. */
export function copyOf({ ws }: LedgerView, texts: readonly TaskText[], { copy, name }: TaskText): string | null {
  const top = ws.repo.workTree
  if (copy === null || top === null || texts.findLast((other) => other.copy === copy)?.name !== name) return null
  return readBytesIfThere(join(top, copy)) === null ? null : copy
}

/** A copy that somebody has changed since gza wrote it. */
export interface EditedCopy {
  task: Task
  text: TaskText
  copy: string
  bytes: Buffer
}

/** The copies of a task's texts that are not as any text of that name in the ledger. */
export function editedCopies(view: LedgerView, task: Task): EditedCopy[] {
  const top = view.ws.repo.workTree
  if (top === null) return []
  const newest = new Map<string, TaskText>()
  const known = new Set<string>()
  for (const text of textsOf(view, task)) {
    if (text.copy === null || text.takenBack) continue
    newest.set(text.copy, text)
    known.add(`${text.copy} ${text.blob}`)
  }
  return [...newest].flatMap(([copy, text]) => {
    const bytes = readBytesIfThere(join(top, copy))
    if (bytes === null || known.has(`${copy} ${blobId(view.ws.repo, bytes)}`)) return []
    return [{ task, text, copy, bytes }]
  })
}

export interface EditedText {
  number: number
  copy: string
  /** It may not be the person's work. */
  isDoubtful: boolean
  sentence: Sentence
}

/** The edited copies of all plans and explorations of the ledger. */
export function editedTexts(ws: Workspace): EditedText[] {
  const folders = [OUTPUT_FOLDERS.plan, OUTPUT_FOLDERS.explore]
  const top = ws.repo.workTree
  const files = top === null ? [] : folders.flatMap((folder) => listFiles(join(top, '.gza', String(folder))))
  if (files.length === 0) return []
  const view = readLedger(ws)
  const stems = new Set(files.map((file) => basename(file, '.md')))
  const hasCopy = ({ path }: Artifact) => stems.has(readTextName(basename(path))?.stem ?? '')
  const found = artifactsOf(ws.state, view.row.lid).filter(hasCopy)
  const uids = new Set(found.map(({ path }) => path.split('/')[1] ?? ''))
  const tasks = [...uids]
    .flatMap((uid) => taskOf(ws.state, view.row.lid, uid) ?? [])
    .filter((task) => !task.deleted && !isAway(task, ws.ledger))
  const edited = tasks.flatMap((task) => editedCopies(view, task).filter(isTakable))
  return edited.map((each) => ({
    number: numberOf(view, each.task),
    copy: each.copy,
    isDoubtful: changedDuringRun(ws, each),
    sentence: editedSentence(view, each),
  }))
}

/** A review is a judgement of somebody's, and a verdict may depend on it: a person's own is `edit --verdict`. */
export function isTakable({ task, text }: Pick<EditedCopy, 'task' | 'text'>): boolean {
  return text.kind === 'result' && task.type !== 'review'
}

/** Says which copies of a task's texts a person changed, and how they are taken in. */
export function warnOfEditedCopies(view: LedgerView, task: Task): void {
  for (const edited of editedCopies(view, task).filter(isTakable)) view.ws.warnings.push(editedSentence(view, edited))
}

function editedSentence(view: LedgerView, { task, copy }: EditedCopy): Sentence {
  return sentence`${copy} is edited: ${command`edit ${numberOf(view, task)} --text`} takes it in`
}

/** Did the copy change in a second in which an agent ran? Then it may not be the person's work. */
export function changedDuringRun({ repo, live }: Workspace, { copy }: EditedCopy): boolean {
  const changed = repo.workTree === null ? null : changedAt(join(repo.workTree, copy))
  return changed !== null && live !== null && runAt(live, isoSeconds(changed)) !== null
}
