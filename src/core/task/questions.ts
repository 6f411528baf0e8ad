/**
 * Questions that agents ask about their task, and the answers of people. Both are notes. A field of the task's line,
 * `question:` or `answer:` with the id of the note, tells which notes they are: older versions keep such fields.
 */
import { isFinished } from './status-predicates.ts'
import type { Note, Task } from './task.ts'

type HasNotes = Pick<Task, 'notes' | 'extra'>

/** What is stored about a question. */
export interface QuestionFact {
  /** The run that asked; absent for an agent that gza did not start. */
  run?: string
}

/** What is stored about an answer. */
export interface AnswerFact {
  /** The ids of the notes that it answers. */
  to: string[]
  /** The agent itself continued without an answer. */
  withdrawn?: true
}

/** A note that an agent begins like this is a question. */
const BLOCKED = /^blocked:\s*\S/i

export function isWordedAsQuestion(text: string): boolean {
  return BLOCKED.test(text)
}

/** Everything that was asked and not answered, whether or not the task is still open. */
export function unanswered(task: HasNotes): Note[] {
  const answered = new Set(answersOf(task).flatMap(({ fact }) => fact.to))
  return questionsOf(task).flatMap(({ note }) => (answered.has(note.id) ? [] : [note]))
}

/** The last question that keeps the task from being worked on; null: there is none. */
export function openQuestion(task: HasNotes & Pick<Task, 'status'>): Note | null {
  return isFinished(task) ? null : (unanswered(task).at(-1) ?? null)
}

/**
 * What a run has asked since it last reported that it is done. An answer that came before the end of its agent does not
 * count: the agent has not read it.
 */
export function askedByRun(task: HasNotes, run: string | undefined): Note[] {
  if (run === undefined) return []
  const withdrawn = new Set(answersOf(task).flatMap(({ fact }) => (fact.withdrawn ? fact.to : [])))
  const own = questionsOf(task).filter(({ note, fact }) => fact.run === run && !withdrawn.has(note.id))
  return own.map(({ note }) => note)
}

export interface Exchange {
  question: Note
  answer: Note
}

/** Questions with their answers, in the order in which they were asked. */
export function answeredQuestions(task: HasNotes): Exchange[] {
  const answers = answersOf(task)
  return questionsOf(task).flatMap(({ note: question }) => {
    const answer = answers.findLast(({ fact }) => fact.to.includes(question.id))
    return answer === undefined ? [] : [{ question, answer: answer.note }]
  })
}

/** The notes that are neither a question nor an answer. */
export function plainNotes(task: HasNotes): Note[] {
  const others = new Set([...questionsOf(task), ...answersOf(task)].map(({ note }) => note.id))
  return task.notes.filter(({ id, retracted }) => !retracted && !others.has(id))
}

function questionsOf(task: HasNotes) {
  return notesWith(task, 'question', (fact): fact is QuestionFact => !Array.isArray(fact))
}

function answersOf(task: HasNotes) {
  return notesWith(task, 'answer', (fact): fact is AnswerFact => 'to' in fact && Array.isArray(fact.to))
}

function notesWith<T extends object>({ notes, extra }: HasNotes, kind: string, isFact: (fact: object) => fact is T) {
  if (extra === undefined) return []
  return notes.flatMap((note) => {
    const fact = note.retracted ? undefined : extra[`${kind}:${note.id}`]
    return typeof fact === 'object' && fact !== null && isFact(fact) ? [{ note, fact }] : []
  })
}
