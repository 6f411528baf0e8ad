import { command, sentence } from '../../core/sentence.ts'
import type { TaskType } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { findTask, numberOf } from '../ledger/ledger-view.ts'
import { readLedger } from '../ledger/read-ledger.ts'
import type { Workspace } from '../workspace.ts'
import { warnOfEditedCopies } from './copies.ts'
import { readText, type TaskText, textsOf } from './task-texts.ts'

/** A text of a task as the ledger has it. */
export interface ShownText {
  id: string
  number: number
  name: string
  kind: TaskText['kind']
  /** The name of its copy in this work tree; null if it never has one. */
  copy: string | null
  /** Every text of the task, the newest last. */
  names: string[]
  text: string
}

/** What a task has produced, or the reviews of it. */
export type TextSubject = 'plan' | 'review'

/**
 * The newest text of a task, or the one with this name. Any part of a name that only one text has is enough. With a
 * subject, only such texts count.
 */
export function showText(ws: Workspace, ref: string, name: string | undefined, subject?: TextSubject): ShownText {
  const view = readLedger(ws)
  const task = findTask(view, ref)
  const texts = textsOf(view, task).filter(({ kind }) => subject === undefined || kind === kindOf(subject, task.type))
  const number = numberOf(view, task)
  const text = chosenText(number, texts, name)
  const { id } = task
  const content = readText(view, text)
  if (content === undefined) throw new Error(`${text.path} has no blob ${text.blob}`)
  warnOfEditedCopies(view, task)
  return {
    id,
    number,
    name: text.name,
    kind: text.kind,
    copy: text.copy,
    names: texts.map((one) => one.name),
    text: content,
  }
}

/** A review task has its review as its result. */
function kindOf(subject: TextSubject, type: TaskType): TaskText['kind'] {
  return subject === 'review' && type !== 'review' ? 'review' : 'result'
}

function chosenText(number: number, texts: readonly TaskText[], name: string | undefined): TaskText {
  const newest = texts.at(-1)
  if (newest === undefined)
    throw new UserError('NO_TEXT', `Task #${number} has no text: no plan, exploration, review or attachment`, {
      hint: command`show ${number}`,
    })
  if (name === undefined) return newest
  const wanted = name.slice(name.lastIndexOf('/') + 1)
  const exact =
    texts.find((text) => text.name === wanted) ?? texts.findLast((text) => text.copy?.endsWith(`/${wanted}`))
  if (exact !== undefined) return exact
  const [part, ...others] = texts.filter((text) => wanted !== '' && text.name.includes(wanted))
  if (part !== undefined && others.length === 0) return part
  const names = (part === undefined ? texts : [part, ...others]).map((text) => text.name).join(', ')
  const what = part === undefined ? `has no text named '${name}'` : `has several texts named like '${name}'`
  throw new UserError('NO_SUCH_TEXT', `Task #${number} ${what}. Its texts are: ${names}`, {
    hint: sentence`${command`show ${number} --text`} prints the newest one; add a name to print another.`,
  })
}
