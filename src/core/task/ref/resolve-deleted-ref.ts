import { command } from '../../sentence.ts'
import { UserError } from '../../user-error.ts'
import { ambiguous, named, notFound } from './ref-errors.ts'
import { type Asked, type Candidate, parseRef, type RefLookup } from './resolve-ref.ts'

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
