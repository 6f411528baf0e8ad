import { basename } from 'node:path'
import { readTextName, takeInNote, textName } from '../core/run/text-names.ts'
import { command, sentence } from '../core/sentence.ts'
import { assertAllowed } from '../core/task/agent-mode.ts'
import { addNote } from '../core/task/operations.ts'
import type { Task } from '../core/task/task.ts'
import { decodeUtf8 } from '../core/text/decode-utf8.ts'
import { UserError } from '../core/user-error.ts'
import { changeLedger } from '../workspace/ledger/change-ledger.ts'
import { findTask, type LedgerView, numberOf } from '../workspace/ledger/ledger-view.ts'
import { changedDuringRun, type EditedCopy, editedCopies, isTakable } from '../workspace/texts/copies.ts'
import { textsOf } from '../workspace/texts/task-texts.ts'
import { refuseTooLarge } from '../workspace/views/field-input.ts'
import { viewChanged } from '../workspace/views/view-changed.ts'
import type { TaskView } from '../workspace/views/views.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Takes a copy that a person changed into the ledger, as a new text by that person. */
export function takeInText(ws: Workspace, ref: string, name?: string): TaskView {
  assertAllowed('edit', ws.actor)
  const task = changeLedger(ws, (view) => {
    const found = findTask(view, ref)
    const edited = copyToTakeIn(view, found, name)
    const text = textOf(edited)
    const as = nextName(view, found, edited)
    const noted = addNote(found, takeInNote(edited.copy, as), { at: ws.now(), by: ws.actor.name }, ws.random(8))
    const artifacts = new Map([[`artifacts/${found.uid}/${as}`, text]])
    return { tasks: [noted], subject: `edit ${found.id} text`, result: noted, artifacts }
  })
  return viewChanged(ws, [task])[0] as TaskView
}

function copyToTakeIn(view: LedgerView, task: Task, name: string | undefined): EditedCopy {
  const changed = editedCopies(view, task)
  const wanted =
    name === undefined ? changed : changed.filter(({ copy, text }) => [copy, basename(copy), text.name].includes(name))
  const [edited, ...others] = wanted.filter(isTakable)
  if (edited === undefined) throw nothingToTakeIn(view, task, wanted)
  if (others.length > 0) throw severalEdited(view, task, [edited, ...others])
  if (changedDuringRun(view.ws, edited))
    view.ws.warnings.push(`${edited.copy} changed while an agent was running: read what was taken in`)
  return edited
}

function nothingToTakeIn(view: LedgerView, task: Task, changed: readonly EditedCopy[]): UserError {
  const number = numberOf(view, task)
  const [review] = changed
  if (review !== undefined)
    return new UserError('REVIEW_NOT_TAKEN_IN', `${review.copy} is a review: reviews are never taken in`, {
      hint: sentence`Say it yourself: ${command`note ${number} "…"`}, or ${command`edit ID --verdict APPROVED`}`,
    })
  const copies = textsOf(view, task).flatMap(({ copy }) => copy ?? [])
  const what =
    copies.length === 0 ? 'no text has a copy in .gza/' : `${[...new Set(copies)].join(', ')} is not edited here`
  return new UserError('NOT_EDITED', `There is nothing to take in for task #${number}: ${what}`, {
    hint: command`show ${number} --text`,
  })
}

function severalEdited(view: LedgerView, task: Task, edited: readonly EditedCopy[]): UserError {
  const number = numberOf(view, task)
  const names = edited.map(({ copy }) => copy).join(', ')
  return new UserError('SEVERAL_EDITED', `Several texts of task #${number} are edited: ${names}`, {
    hint: command`edit ${number} --text ${basename(edited[0]?.copy ?? '')}`,
  })
}

function textOf({ bytes, copy }: EditedCopy): string {
  const text = decodeUtf8(bytes)
  if (text === null)
    throw new UserError('NOT_UTF8', `${copy} is not UTF-8 text`, { hint: 'Convert it first, for instance with iconv.' })
  if (text.trim() === '') throw new UserError('EMPTY_TEXT', `${copy} is empty`, { hint: 'Nothing was taken in.' })
  refuseTooLarge(text, { text: 'text', holder: 'task' })
  return text
}

/** After every text that the task has, and still with the name of its copy. */
function nextName(view: LedgerView, task: Task, { copy }: EditedCopy): string {
  const names = textsOf(view, task).flatMap(({ name }) => readTextName(name) ?? [])
  const attempt = Math.max(1, ...names.map((name) => name.attempt))
  const editions = names.filter((name) => name.attempt === attempt).map((name) => name.edition)
  return textName({ stem: basename(copy, '.md'), attempt, edition: Math.max(0, ...editions) + 1 })
}
