import { command } from '../../sentence.ts'
import { UserError } from '../../user-error.ts'

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

/** What a user typed, and where it is looked for. */
export interface Asked {
  ref: Ref
  text: string
  lookup: RefLookup
  ledger: string
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

/** The number that lists show names that task, no matter which had it before. */
function resolveNumber(n: number, asked: Asked): Resolved {
  const claimants = asked.lookup.byNumber(n)
  const [first] = claimants
  if (first !== undefined && claimants.length === 1 && !first.deleted) return { task: first, formerly: [] }
  const living = claimants.filter((candidate) => !candidate.deleted)
  if (living.length === 0) throw refErrors().notFound(asked, claimants)
  const [task, ...others] = living.filter(({ number }) => number === n)
  // Nobody shows it: its owner is deleted. Or two show it, until the next write gives one of them another number.
  if (task === undefined || others.length > 0) throw refErrors().clashed(n, claimants)
  return { task, formerly: claimants.filter(({ uid }) => uid !== task.uid) }
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
  if (!only) throw refErrors().notFound(asked, candidates)
  if (others.length > 0) throw refErrors().ambiguous(asked, [only, ...others])
  return only
}

/** Loaded only then: most references are right. */
function refErrors() {
  const { ambiguous, clashed, notFound }: typeof import('./ref-errors.ts') = require('./ref-errors.ts')
  return { ambiguous, clashed, notFound }
}
