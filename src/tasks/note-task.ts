import { readTextName } from '../core/run/text-names.ts'
import { command } from '../core/sentence.ts'
import { addNote } from '../core/task/operations.ts'
import { isWordedAsQuestion } from '../core/task/questions.ts'
import type { Task } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import { artifactsOf } from '../state/index/ledger-files.ts'
import { changeLedger } from '../workspace/ledger/change-ledger.ts'
import { findTask, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { refuseTooLarge } from '../workspace/views/field-input.ts'
import { viewChanged } from '../workspace/views/view-changed.ts'
import type { TaskView } from '../workspace/views/views.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { noteHeartbeat, releaseAskedClaim, withQuestion, worksOn } from './agent-claim.ts'
import { withoutSecrets } from './redact-input.ts'

export interface Attachment {
  name: string
  text: string
}

/** Appends a note; attached texts are kept next to the tasks as artifacts, under the task's uid. */
export function noteTask(ws: Workspace, ref: string, text: string, attached: readonly Attachment[] = []): TaskView {
  const note = withoutSecrets(ws, checkedNote(text), 'note')
  // A file of a person's own is taken as it is.
  const clean = ws.actor.mode === 'human' ? attached : withoutSecrets(ws, attached, 'attached text')
  noteHeartbeat(ws)
  const task = changeLedger(ws, (view) => {
    const task = findTask(view, ref)
    const isAsking = isWordedAsQuestion(note) && worksOn(ws, task)
    const noted = isAsking
      ? withQuestion(view, task, note)
      : addNote(task, note, { at: ws.now(), by: ws.actor.name }, ws.random(8))
    const artifacts = new Map<string, string>()
    for (const { name, text: content } of clean) artifacts.set(freeArtifact(view, noted, name, artifacts), content)
    return { tasks: [noted], subject: `note ${noted.id}`, result: noted, artifacts }
  })
  releaseAskedClaim(ws, task)
  return viewChanged(ws, [task])[0] as TaskView
}

/** An artifact never changes: a second one with the same name gets a number. */
function freeArtifact({ ws, row }: LedgerView, task: Task, name: string, taken: ReadonlyMap<string, string>): string {
  const plain = name.replace(/[^\w.-]+/g, '-').replace(/^\.+/, '') || 'text'
  // It must not pass for a plan that an agent's run made, or for one that a person edited.
  const safe = readTextName(plain) === null ? plain : `attached-${plain}`
  const [stem = safe, ending = ''] = /^(.+?)(\.[^.]+)?$/.exec(safe)?.slice(1) ?? []
  for (let n = 1; ; n++) {
    const path = `artifacts/${task.uid}/${n === 1 ? safe : `${stem}-${n}${ending}`}`
    if (!taken.has(path) && artifactsOf(ws.state, row.lid, path).every((known) => known.path !== path)) return path
  }
}

export function checkedNote(text: string): string {
  const note = text.replace(/\r\n/g, '\n').trim().toWellFormed()
  refuseTooLarge(note, { text: 'note', holder: 'note' })
  if (note !== '') return note
  throw new UserError('EMPTY_NOTE', 'A note needs some text', { hint: command`note ID "what was learnt"`, exitCode: 2 })
}
