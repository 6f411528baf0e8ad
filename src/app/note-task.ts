import { addNote } from '../core/operations.ts'
import { UserError } from '../core/user-error.ts'
import { changeLedger } from './change-ledger.ts'
import { readLedger } from './fresh-ledger.ts'
import { findTask } from './ledger-view.ts'
import { viewTask } from './task-view.ts'
import type { TaskView } from './views.ts'
import type { Workspace } from './workspace.ts'

export function noteTask(ws: Workspace, ref: string, text: string): TaskView {
  const note = checkedNote(text)
  const task = changeLedger(ws, (view) => {
    const noted = addNote(findTask(view, ref), note, { at: ws.now(), by: ws.actor.name }, ws.random(8))
    return { tasks: [noted], subject: `note ${noted.id}`, result: noted }
  })
  return viewTask(readLedger(ws), task)
}

export function checkedNote(text: string): string {
  const note = text.replace(/\r\n/g, '\n').trim().toWellFormed()
  if (note !== '') return note
  throw new UserError('EMPTY_NOTE', 'A note needs some text', { hint: 'gza note ID "what was learnt"', exitCode: 2 })
}
