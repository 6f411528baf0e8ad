import { command } from '../sentence.ts'
import { briefText } from '../text/shorten.ts'
import { UserError } from '../user-error.ts'

export type Ref = { kind: 'number'; n: number } | { kind: 'id'; hex: string } | { kind: 'key'; key: string }

/** A task that a reference may mean. `key` only matters for those found by key. */
export interface Candidate {
  uid: string
  id: string
  /** The number it has now. */
  number: number
  title: string
  /** Deleted, or moved to another ledger. A row of the index has 0 or 1. */
  deleted: boolean | number
  /** The ledger that it moved to. */
  movedTo?: string | null
  key?: string | null
}

export interface RefLookup {
  /** Every task that ever claimed the number. */
  byNumber(n: number): Candidate[]
  byUidPrefix(hex: string): Candidate[]
  byId(id: string): Candidate | undefined
  /** Every task with this key, ignoring case. */
  byKey(key: string): Candidate[]
  /** Tasks with an id similar to the one typed. */
  near(id: string): Candidate[]
}

export interface Resolved {
  task: Candidate
  /** Other tasks that had the given number before a merge. */
  formerly: Candidate[]
}

/** The task that a user means: by a number, an id or the start of one, or a key. Deleted tasks are not found. */
export function resolveRef(text: string, lookup: RefLookup, ledger: string): Resolved {
  const ref = parseRef(text)
  const asked: Asked = { ref, text: text.trim(), lookup, ledger }
  switch (ref.kind) {
    case 'number':
      return resolveNumber(ref.n, asked)
    case 'id':
      return { task: resolveId(ref.hex, asked), formerly: [] }
    case 'key':
      return { task: resolveKey(asked), formerly: [] }
    default:
      return ref satisfies never
  }
}

/** The deleted task that a user means. */
export function resolveDeletedRef(text: string, lookup: RefLookup, ledger: string): Candidate {
  const ref = parseRef(text)
  const asked: Asked = { ref, text: text.trim(), lookup, ledger }
  const found = candidatesFor(asked)
  const deleted = found.filter((candidate) => candidate.deleted && candidate.movedTo == null)
  // Of the tasks that ever had a number, the one that has it now.
  const [only, ...others] = ref.kind === 'number' ? ownersFirst(deleted, ref.n) : deleted
  if (only !== undefined && others.length > 0) throw ambiguous(asked, deleted)
  if (only !== undefined) return only
  const [living] = found
  if (living === undefined || living.movedTo != null) throw notFound(asked, found)
  throw new UserError('NOT_DELETED', `#${living.number} ${named(living)} is not deleted`, {
    hint: command`show ${living.number}`,
  })
}

function ownersFirst(claimants: readonly Candidate[], n: number): readonly Candidate[] {
  const owners = claimants.filter(({ number }) => number === n)
  return owners.length > 0 ? owners : claimants
}

function candidatesFor({ ref, text, lookup }: Asked): Candidate[] {
  if (ref.kind === 'number') return lookup.byNumber(ref.n)
  if (ref.kind === 'key') return lookup.byKey(text)
  const exact = lookup.byId(`task-${ref.hex}`)
  const found = exact ? [exact] : lookup.byUidPrefix(ref.hex)
  return found.length > 0 ? found : lookup.byKey(text)
}

export function parseRef(text: string): Ref {
  const typed = text.trim()
  if (typed === '') {
    throw new UserError('EMPTY_REF', 'The task reference is empty', { hint: command`list --all`, exitCode: 2 })
  }
  // Forty digits are a whole uid that happens to have no letter, not a number.
  const number = typed.startsWith('#') ? typed.slice(1) : typed
  if (isDigits(number) && typed.length < UID_LENGTH) return { kind: 'number', n: Number(number) }
  const hex = /^(?:task-(?<id>[\da-f]{1,40})|(?<bare>[\da-f]{4,40}))$/i.exec(typed)?.groups
  const digits = hex?.id ?? hex?.bare
  return digits === undefined ? { kind: 'key', key: typed } : { kind: 'id', hex: digits.toLowerCase() }
}

const UID_LENGTH = 40

/** Not a pattern: most calls name a number, and a pattern takes 25 µs to compile. */
function isDigits(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (!(text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57)) return false
  return text !== ''
}

interface Asked {
  ref: Ref
  text: string
  lookup: RefLookup
  ledger: string
}

/** The number that lists show names that task, whoever had it before. */
function resolveNumber(n: number, asked: Asked): Resolved {
  const claimants = asked.lookup.byNumber(n)
  const [first] = claimants
  if (first !== undefined && claimants.length === 1 && !first.deleted) return { task: first, formerly: [] }
  const living = claimants.filter((candidate) => !candidate.deleted)
  if (living.length === 0) throw notFound(asked, claimants)
  const [task, ...others] = living.filter(({ number }) => number === n)
  // Nobody shows it: its owner is deleted. Or two show it, until the next write gives one of them another number.
  if (task === undefined || others.length > 0) throw clashed(n, claimants)
  return { task, formerly: claimants.filter(({ uid }) => uid !== task.uid) }
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

function resolveId(hex: string, asked: Asked): Candidate {
  const exact = asked.lookup.byId(`task-${hex}`)
  // Also if it is deleted: a longer id with the same start is another task.
  const candidates = exact ? [exact] : asked.lookup.byUidPrefix(hex)
  return candidates.length > 0 ? pickOne(candidates, asked) : resolveKey(asked)
}

function resolveKey(asked: Asked): Candidate {
  const candidates = asked.lookup.byKey(asked.text)
  const exact = candidates.filter((candidate) => candidate.key === asked.text && !candidate.deleted)
  return pickOne(exact.length > 0 ? exact : candidates, asked)
}

function pickOne(candidates: readonly Candidate[], asked: Asked): Candidate {
  const [only, ...others] = candidates.filter((candidate) => !candidate.deleted)
  if (!only) throw notFound(asked, candidates)
  if (others.length > 0) throw ambiguous(asked, [only, ...others])
  return only
}

function notFound({ ref, text, lookup, ledger }: Asked, deleted: readonly Candidate[]): UserError {
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

function ambiguous({ text }: Asked, candidates: readonly Candidate[]): UserError {
  const hint = `use the id: ${idsOf(candidates)}`
  return new UserError('TASK_AMBIGUOUS', `${briefText(text)} could be ${list(candidates.map(named))}`, { hint })
}

function clashed(n: number, claimants: readonly Candidate[]): UserError {
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
