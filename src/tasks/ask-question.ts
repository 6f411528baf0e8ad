import { command } from '../core/sentence.ts'
import { assertAllowed } from '../core/task/agent-mode.ts'
import { addAnswer } from '../core/task/operations.ts'
import { openQuestion } from '../core/task/questions.ts'
import type { Task } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import { changeLedger } from '../workspace/ledger/change-ledger.ts'
import { entry, findTask, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { viewChanged } from '../workspace/views/view-changed.ts'
import type { TaskView } from '../workspace/views/views.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { noteHeartbeat, releaseAskedClaim, withQuestion, worksOn } from './agent-claim.ts'
import { checkedNote } from './note-task.ts'
import { withoutSecrets } from './redact-input.ts'

/** An agent asks about the task that it works on. The task waits for a person's answer from now on. */
export function askQuestion(ws: Workspace, ref: string, text: string): TaskView {
  const question = checked(ws, text, { what: 'question', ref, verb: 'ask' })
  noteHeartbeat(ws)
  const asked = changeLedger(ws, (view) => {
    const task = findTask(view, ref)
    if (ws.actor.mode === 'human')
      throw new UserError('NOT_AN_AGENT', 'Only agents ask questions', { hint: command`note ${ref} "…"` })
    if (!worksOn(ws, task)) throw notYours(view, task)
    const result = withQuestion(view, task, question)
    return { tasks: [result], subject: `ask ${task.id}`, result }
  })
  releaseAskedClaim(ws, asked)
  return viewChanged(ws, [asked])[0] as TaskView
}

/** A person answers. The task can be worked on again. */
export function answerQuestion(ws: Workspace, ref: string, text: string): TaskView {
  assertAllowed('answer', ws.actor)
  const answer = checked(ws, text, { what: 'answer', ref, verb: 'answer' })
  const answered = changeLedger(ws, (view) => {
    const task = findTask(view, ref)
    if (openQuestion(task) === null) throw noQuestion(view, task)
    const result = addAnswer(task, answer, { at: ws.now(), by: ws.actor.name }, ws.random(8))
    return { tasks: [result], subject: `answer ${task.id}`, result }
  })
  return viewChanged(ws, [answered])[0] as TaskView
}

interface Asked {
  what: string
  ref: string
  verb: 'ask' | 'answer'
}

function checked(ws: Workspace, text: string, { what, ref, verb }: Asked): string {
  if (text.trim() !== '') return withoutSecrets(ws, checkedNote(text), what)
  // No task is named with a space: the text was given in its place.
  if (/\s/.test(ref.trim()))
    throw new UserError('USAGE', `Name the task before the ${what}`, { hint: command`${verb} ID ${ref}`, exitCode: 2 })
  throw new UserError('EMPTY_NOTE', `The ${what} is empty`, { hint: command`${verb} ${ref} "…"`, exitCode: 2 })
}

function noQuestion(view: LedgerView, task: Task): UserError {
  const number = entry(view, task.uid)?.number ?? task.number
  return new UserError('NO_QUESTION', `Task #${number} has no open question`, { hint: command`note ${number} "…"` })
}

function notYours(view: LedgerView, task: Task): UserError {
  const number = entry(view, task.uid)?.number ?? task.number
  return new UserError('NOT_YOUR_TASK', `You do not work on task #${number}, so you cannot ask about it`, {
    hint: command`note ${number} "…"`,
  })
}
