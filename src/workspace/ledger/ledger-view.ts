import type { WrittenTask } from '../../core/ledger/written-task.ts'
import { type Candidate, parseRef, type RefLookup, type Resolved, resolveRef } from '../../core/task/ref/resolve-ref.ts'
import type { Task } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import {
  candidateWithId,
  entriesByNumber,
  entriesByUidPrefix,
  entriesWithKey,
  entryOf,
  isIdTaken,
  undeletedByUidPrefix,
} from '../../state/index/find-entries.ts'
import type { Entry, LedgerRow } from '../../state/index/index-tables.ts'
import { taskOf, writtenTaskOf } from '../../state/index/read-tasks.ts'
import type { Workspace } from '../workspace.ts'

/** One ledger as the index shows it at one commit. */
export interface LedgerView {
  ws: Workspace
  row: LedgerRow
  /** Uids of the tasks that somebody on this machine is working on now. */
  readonly leased: ReadonlySet<string>
  /** Uids of the tasks with a failed child. */
  readonly stuck: ReadonlySet<string>
}

/** The task a user means by a number, an id, a prefix or a key. */
export function findTask(view: LedgerView, ref: string): Task {
  return taskOf(view.ws.state, view.row.lid, findUid(view, ref)) as Task
}

/** The same without defaults, for commands that only show it. */
export function findWrittenTask(view: LedgerView, ref: string): WrittenTask {
  return writtenTaskOf(view.ws.state, view.row.lid, findUid(view, ref)) as WrittenTask
}

function findUid(view: LedgerView, ref: string): string {
  const resolved = resolveRef(ref, lookupIn(view), view.ws.ledger)
  if (resolved.formerly.length > 0) warnOnce(view.ws, formerNames(resolved))
  return resolved.task.uid
}

/** Loaded only then: few numbers were given twice. */
function formerNames(resolved: Resolved): string {
  const errors: typeof import('../../core/task/ref/ref-errors.ts') = require('../../core/task/ref/ref-errors.ts')
  return errors.formerNames(resolved)
}

/** A command may look one task up several times. */
function warnOnce({ warnings }: Workspace, warning: string): void {
  if (!warnings.includes(warning)) warnings.push(warning)
}

/** What the user must be asked about before a number is used for something serious. */
export interface SharedNumber {
  number: number
  /** The task that has it now, then those that had it before a merge. */
  ids: string[]
  words: string
}

/** The given numbers that other tasks had before a merge. Names that do not resolve are left to the command. */
export function sharedNumbers(view: LedgerView, refs: readonly string[]): SharedNumber[] {
  return refs.flatMap((ref) => {
    const [owner, ...others] = isNumber(ref) ? resolvedOrNone(view, ref) : []
    if (owner === undefined || others.length === 0) return []
    const words = formerNames({ task: owner, formerly: others })
    return [{ number: owner.number, ids: [owner, ...others].map(({ id }) => id), words }]
  })
}

function isNumber(ref: string): boolean {
  return ref.trim() !== '' && parseRef(ref).kind === 'number'
}

/** The task with this name, then those that had the number before a merge; none if the name does not resolve. */
export function resolvedOrNone(view: LedgerView, ref: string): Candidate[] {
  try {
    const { task, formerly } = resolveRef(ref, lookupIn(view), view.ws.ledger)
    return [task, ...formerly]
  } catch (error) {
    if (error instanceof UserError) return []
    throw error
  }
}

/** The tasks a user means, each once. */
export function findTasks(view: LedgerView, refs: readonly string[]): Task[] {
  return [...new Map(refs.map((ref) => findTask(view, ref)).map((task) => [task.uid, task])).values()]
}

/** The deleted tasks a user means, each once. */
export function findDeletedTasks(view: LedgerView, refs: readonly string[]): Task[] {
  const {
    resolveDeletedRef,
  }: typeof import('../../core/task/ref/resolve-deleted-ref.ts') = require('../../core/task/ref/resolve-deleted-ref.ts')
  const uids = new Set(refs.map((ref) => resolveDeletedRef(ref, lookupIn(view), view.ws.ledger).uid))
  return [...uids].map((uid) => taskOf(view.ws.state, view.row.lid, uid) as Task)
}

function lookupIn({ ws: { state }, row: { lid } }: LedgerView): RefLookup {
  return {
    byNumber: (number) => entriesByNumber(state, lid, number),
    byUidPrefix: (hex) => entriesByUidPrefix(state, lid, hex),
    byId: (id) => candidateWithId(state, lid, id),
    byKey: (key) => entriesWithKey(state, lid, key),
    near: (id) => {
      const hex = /^task-(.{0,2})/i.exec(id)?.[1]?.toLowerCase()
      return hex === undefined ? [] : undeletedByUidPrefix(state, lid, hex, 5)
    },
  }
}

export function hasId({ ws, row }: LedgerView, id: string): boolean {
  return isIdTaken(ws.state, row.lid, id)
}

export function entry({ ws, row }: LedgerView, uid: string): Entry | undefined {
  return entryOf(ws.state, row.lid, uid)
}

/** The number that lists show. A join may have given the task another one than it was filed with. */
export function numberOf(view: LedgerView, task: Task): number {
  return entry(view, task.uid)?.number ?? task.number
}
