import type { Task } from '../../src/core/task/task.ts'
import { readTaskLine } from '../../src/ledger/read-task-line.ts'

/** What commands have acknowledged, and so must be there for ever, in whatever order the clones sync. */
export interface Facts {
  added(uid: string, content: string, isChild: boolean): void
  edited(uid: string, field: string, value: unknown): void
  noted(uid: string, text: string): void
  closed(uid: string, generation: number): void
  opened(uid: string, generation: number): void
  /** The facts that a ledger, exported as JSONL, does not hold. */
  missingFrom(exported: string, parent: string): string[]
}

type Claim = (task: Task, parent: string) => boolean

export function collectFacts(): Facts {
  const claims: { uid: string; fact: string; holds: Claim }[] = []
  const claim = (uid: string, fact: string, holds: Claim) => claims.push({ uid, fact, holds })
  return {
    added: (uid, content, isChild) =>
      claim(uid, `added ${content}`, (task, parent) => {
        const isInPlace = isChild ? task.parent?.startsWith(parent) === true : task.parent === undefined
        return (task.original ?? task.content) === content && isInPlace
      }),
    edited: (uid, field, value) =>
      claim(
        uid,
        `${field} edited to ${value}`,
        (task) =>
          task.edits.some((edit) => edit.field === field && edit.value === value) ||
          (field === 'content' && task.original === undefined && task.content === value) ||
          task.original === value,
      ),
    noted: (uid, text) => claim(uid, `noted ${text}`, (task) => task.notes.some((note) => note.text === text)),
    closed: (uid, generation) =>
      claim(
        uid,
        `closed in generation ${generation}`,
        (task) => task.generation > generation || (task.generation === generation && task.status === 'completed'),
      ),
    opened: (uid, generation) =>
      claim(uid, `opened as generation ${generation}`, (task) => task.generation >= generation),
    missingFrom: (exported, parent) => {
      const tasks = new Map(readLines(exported).map((task) => [task.uid, task]))
      return claims.flatMap(({ uid, fact, holds }) => {
        const task = tasks.get(uid)
        return task !== undefined && holds(task, parent) ? [] : [`task-${uid}: ${fact}`]
      })
    },
  }
}

export function readLines(exported: string): Task[] {
  return exported.split('\n').filter(Boolean).map(readWhole)
}

function readWhole(line: string): Task {
  const read = readTaskLine(line)
  if ('task' in read) return read.task
  throw new Error(`${read.why}: ${line}`)
}
