/**
 * The legal steps of a task's life, as pure functions: a task and a happening in, the next copy of the task out. Each
 * result is a forward step: join(before, after) equals after.
 */

import { compareEdits, compareFacts, compareNotes, winningEdit } from '../ledger/join-tasks.ts'
import { type AnswerFact, askedByRun, type QuestionFact, unanswered } from './questions.ts'
import type { Edit, Editable, EditableField, LandAttempt, Note, Phase, Run, Status, Task, Verdict } from './task.ts'
import { abbreviate, idDigits, uidOfCreation } from './task-ids.ts'

/** Who does it and when: read once at the edge, then passed on. */
export interface Authorship {
  at: string
  by: string
}

export interface NewTask extends Partial<Editable> {
  content: string
}

/** What must be known about the ledger before a task can be made in it. */
export interface NewIdentity {
  number: number
  taskCount: number
  isIdTaken: (id: string) => boolean
  salt: string
  head: string | null
}

export function createTask(fields: NewTask, { at, by }: Authorship, identity: NewIdentity): Task {
  const birth = { content: fields.content, created_at: at, created_by: by, salt: identity.salt }
  const uid = uidOfCreation(birth)
  return {
    type: 'task',
    priority: 'medium',
    after: [],
    depends_on: [],
    based_on: [],
    ...withoutUndefined(fields),
    ...birth,
    id: abbreviate(uid, idDigits(identity.taskCount), identity.isIdTaken),
    uid,
    number: identity.number,
    renumbered: [],
    ...(identity.head !== null && { created_head: identity.head }),
    generation: 0,
    status: 'pending',
    closed_at: null,
    closed_commit: null,
    link: 0,
    commits: [],
    notes: [],
    edits: [],
    runs: [],
    phases: [],
    landings: [],
  }
}

/** The commit of HEAD when the task was closed, and the commits of its work, oldest first. */
export interface Closing {
  head: string | null
  branch: string | null
  commits: readonly string[]
}

export function closeTask(task: Task, status: Exclude<Status, 'pending'>, authorship: Authorship, work: Closing): Task {
  const commit = work.commits.at(-1) ?? null
  const awaited = commit === null && work.head !== null ? { closed_head: work.head } : {}
  const closed: Task = { ...task, status, closed_at: authorship.at, closed_by: authorship.by, ...awaited }
  if (commit === null && work.branch !== null) closed.closed_branch = work.branch
  return commit === null ? closed : linkCommits(closed, work.commits)
}

/** Points the closed task at its commits; the last one closes it. `closed_branch` stays: see `hasWaitedForCommit`. */
export function linkCommits(task: Task, commits: readonly string[]): Task {
  const { closed_head: _head, ...rest } = task
  const linked = [...new Set([...task.commits, ...commits])].sort()
  return { ...rest, closed_commit: commits.at(-1) ?? task.closed_commit, link: task.link + 1, commits: linked }
}

/** Opens the task again. A higher generation beats any end of the last one. */
export function reopenTask(task: Task): Task {
  const { closed_by: _by, closed_head: _head, closed_branch: _branch, ...rest } = task
  return { ...rest, generation: task.generation + 1, status: 'pending', closed_at: null, closed_commit: null, link: 0 }
}

/** Opens it for another attempt: a person's verdict on the last one's work no longer applies. */
export function reopenForWork(task: Task, authorship: Authorship): Task {
  const open = reopenTask(task)
  return open.final_verdict === undefined ? open : editTask(open, { final_verdict: null }, authorship)
}

export function addNote(task: Task, text: string, { at, by }: Authorship, random: string): Task {
  const note: Note = { id: nextNoteId(task, random), at, by, text }
  return { ...task, notes: [...task.notes, note].sort(compareNotes) }
}

function nextNoteId({ notes }: Task, random: string): string {
  return `${Math.max(0, ...notes.map((note) => Number.parseInt(note.id, 10))) + 1}-${random}`
}

/** A note of which a field of the task tells what it is (questions.ts). */
function addNoteWith(task: Task, text: string, authorship: Authorship, random: string, fact: MarkedFact): Task {
  const name = `${fact.kind}:${nextNoteId(task, random)}`
  return { ...addNote(task, text, authorship, random), extra: { ...task.extra, [name]: fact.about } }
}

type MarkedFact = { kind: 'question'; about: QuestionFact } | { kind: 'answer'; about: AnswerFact }

/** A question to a person, which keeps the task from being worked on until it is answered. */
export function addQuestion(task: Task, text: string, { run, ...by }: AuthorInRun, random: string): Task {
  return addNoteWith(task, text, by, random, { kind: 'question', about: run === undefined ? {} : { run } })
}

interface AuthorInRun extends Authorship {
  run: string | undefined
}

/** Answers everything that is open. */
export function addAnswer(task: Task, text: string, authorship: Authorship, random: string): Task {
  const to = unanswered(task).map(({ id }) => id)
  return addNoteWith(task, text, authorship, random, { kind: 'answer', about: { to } })
}

/** The agent reports the task as done, so it needs no answer, or has found it. */
export function withdrawQuestions(task: Task, { run, ...by }: AuthorInRun, random: string): Task {
  const to = [...new Set([...unanswered(task), ...askedByRun(task, run)].map(({ id }) => id))]
  if (to.length === 0) return task
  const text = 'withdrawn: reported as done without an answer'
  return addNoteWith(task, text, by, random, { kind: 'answer', about: { to, withdrawn: true } })
}

export function retractNote(task: Task, noteId: string): Task {
  return { ...task, notes: task.notes.map((note) => (note.id === noteId ? { ...note, retracted: true } : note)) }
}

/** Sets fields to new values; `null` clears an optional one. Fields that already have the value are left alone. */
export function editTask(task: Task, changes: Partial<Record<EditableField, unknown>>, authorship: Authorship): Task {
  let edited = task
  for (const [field, value] of Object.entries(changes) as [EditableField, unknown][]) {
    if (JSON.stringify(edited[field] ?? null) !== JSON.stringify(value))
      edited = editField(edited, field, value, authorship)
  }
  return edited
}

/** A person's verdict on the current work: given again for other commits, it is a new verdict. */
export function setVerdict(task: Task, verdict: Verdict, authorship: Authorship & { head: string | null }): Task {
  const { head, ...when } = authorship
  const isSaid = task.final_verdict === verdict && (winningEdit(task.edits, 'final_verdict')?.head ?? null) === head
  return isSaid ? task : editField(task, 'final_verdict', verdict, when, head === null ? {} : { head })
}

/** The same, also if it was given before: each review has a verdict of its own. */
export function addVerdict(task: Task, verdict: Verdict, { head, ...when }: Authorship & { head: string }): Task {
  return editField(task, 'final_verdict', verdict, when, { head })
}

function editField(
  task: Task,
  field: EditableField,
  value: unknown,
  { at, by }: Authorship,
  about: Pick<Edit, 'head'> = {},
): Task {
  const n = (winningEdit(task.edits, field)?.n ?? 0) + 1
  const edit: Edit = { field, n, at, by, value, ...about }
  const next = { ...task, [field]: value ?? undefined, edits: [...task.edits, edit].sort(compareEdits) }
  return field === 'content' ? { ...next, original: task.original ?? task.content } : next
}

export function deleteTask(task: Task, authorship: Authorship): Task {
  return editTask(task, { deleted: true }, authorship)
}

/** Removes the tombstone: this edit has a higher count, so it wins in every copy. */
export function restoreTask(task: Task, authorship: Authorship): Task {
  return editTask(task, { deleted: false }, authorship)
}

/** Records a run, or its result. Idempotent by run id. */
export function recordRun(task: Task, run: Run): Task {
  const others = task.runs.filter((other) => other.run !== run.run)
  return { ...task, runs: [...others, run].sort((a, b) => a.attempt - b.attempt || (a.run < b.run ? -1 : 1)) }
}

export function recordPhase(task: Task, phase: Phase): Task {
  return { ...task, phases: [...task.phases, phase].sort(compareFacts) }
}

export function recordLanding(task: Task, landing: LandAttempt): Task {
  return { ...task, landings: [...task.landings, landing].sort(compareFacts) }
}

function withoutUndefined<T extends object>(fields: T): T {
  const known = { ...fields }
  for (const name in known) if (known[name] === undefined) delete known[name]
  return known
}
