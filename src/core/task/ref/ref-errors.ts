import { command } from '../../sentence.ts'
import { briefText } from '../../text/shorten.ts'
import { UserError } from '../../user-error.ts'
import type { Asked, Candidate, Ref, RefLookup, Resolved } from './resolve-ref.ts'

/** Why a reference names no task. `deleted`: those that it named once. */
export function notFound({ ref, text, lookup, ledger }: Asked, deleted: readonly Candidate[]): UserError {
  const message = `No task ${nameOf(ref, text)} on ${briefText(ledger)}`
  const moved = deleted.find(({ movedTo }) => movedTo != null)
  if (moved !== undefined) return hasMoved(message, moved)
  if (deleted.length > 0) {
    const verb = deleted.length === 1 ? 'was' : 'were'
    return new UserError('TASK_NOT_FOUND', `${message}: ${list(deleted.map(named))} ${verb} deleted`, {
      hint: command`restore ${restorableName(ref, deleted)}`,
    })
  }
  const near = nearTo(ref, text, lookup)
  const suggestion = near.length > 0 ? `; did you mean ${near.map(named).join(' or ')}?` : ''
  return new TaskNotFound(message + suggestion, { text, ledger })
}

/** A name that no task of the ledger has or had. Another ledger may have one: see `findElsewhere`. */
export class TaskNotFound extends UserError {
  readonly sought: { readonly text: string; readonly ledger: string }

  constructor(fact: string, sought: TaskNotFound['sought']) {
    super('TASK_NOT_FOUND', fact, { hint: command`list --all` })
    this.sought = sought
  }
}

/** The name as messages show it. */
export function nameOf(ref: Ref, text: string): string {
  return ref.kind === 'number' ? `#${briefText(text.replace('#', ''))}` : briefText(text)
}

function restorableName(ref: Ref, [task, ...others]: readonly Candidate[]): string | number {
  if (task === undefined || others.length > 0) return 'ID'
  return ref.kind === 'number' ? ref.n : task.id
}

function hasMoved(message: string, task: Candidate): UserError {
  const to = task.movedTo ?? ''
  return new UserError('TASK_MOVED', `${message}: ${named(task)} moved to ${briefText(to)}`, {
    hint: command`show ${task.id} --branch ${to}`,
  })
}

/** Ids are printed with at least this many digits. */
const SHORTEST_ID = 4

/**
 * Digits may be meant as an id; after a `#` they are a number. Fewer digits than an id has are a number too: random ids
 * that begin with a 2 do not help a person who looks for #2.
 */
function nearTo(ref: Ref, text: string, lookup: RefLookup): Candidate[] {
  if (ref.kind === 'number' && (text.startsWith('#') || text.length < SHORTEST_ID)) return []
  const near = lookup.near(ref.kind === 'number' ? `task-${text}` : text)
  return near.filter((candidate) => !candidate.deleted).slice(0, 3)
}

export function ambiguous({ text }: Asked, candidates: readonly Candidate[]): UserError {
  const hint = `use the id: ${idsOf(candidates)}`
  return new UserError('TASK_AMBIGUOUS', `${briefText(text)} could be ${list(candidates.map(named))}`, { hint })
}

export function clashed(n: number, claimants: readonly Candidate[]): UserError {
  const count = claimants.length === 2 ? 'two' : `${claimants.length}`
  const each = claimants.map((task) => {
    return `${task.id} (${nowName(task)}) ${briefText(task.title)}`
  })
  const hint = `use the id: ${idsOf(claimants.filter((task) => !task.deleted))}`
  return new UserError('NUMBER_CLASHED', `#${n} was given to ${count} tasks in a merge: ${list(each)}`, { hint })
}

function idsOf(tasks: readonly Candidate[]): string {
  return tasks
    .slice(0, 3)
    .map((task) => task.id)
    .join(' or ')
}

export function named(task: Candidate): string {
  return `${task.id} ${briefText(task.title)}`.trimEnd()
}

const MOST_NAMED = 20

// One letter may start thousands of ids.
export function list(names: readonly string[]): string {
  const rest = names.length - MOST_NAMED
  return names.slice(0, MOST_NAMED).join(', ') + (rest > 0 ? `, and ${rest} more` : '')
}

/** `#3 names task-a3f8 Parser; before a merge it also named task-b4c9 (now #9) Lexer`. */
export function formerNames({ task, formerly }: Resolved): string {
  const others = formerly.map((other) => `${other.id} (${nowName(other)}) ${briefText(other.title)}`.trimEnd())
  return `#${task.number} is ${named(task)}; before a merge it was also ${list(others)}`
}

function nowName({ deleted, movedTo, number }: Candidate): string {
  if (movedTo != null) return `moved to ${briefText(movedTo)}`
  return deleted ? 'deleted' : `now #${number}`
}
