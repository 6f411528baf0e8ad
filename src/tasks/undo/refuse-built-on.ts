import { type BuiltOn, builtOn } from '../../core/ledger/built-on.ts'
import { type GivenCommand, isCommand } from '../../core/ledger/undo-order.ts'
import { command, sentence } from '../../core/sentence.ts'
import { briefText } from '../../core/text/shorten.ts'
import { UserError } from '../../core/user-error.ts'
import { type AuditRow, readChanges, readHistory } from '../../ledger/read-history.ts'
import type { StepLines } from '../../ledger/verify/step-lines.ts'
import { entry, type LedgerView } from '../../workspace/ledger/ledger-view.ts'
import type { OwnHistory } from './own-history.ts'

interface Planned {
  own: OwnHistory
  verb: Verb
  given: GivenCommand
  /** What the commit to revert changed. */
  step: StepLines
  /** Where the histories that may have built on it end. */
  tips: readonly string[]
  /** Later commands given here that stay in effect. */
  kept: ReadonlySet<string>
}

/** Why a commit cannot be reverted: something was built on it since. */
export interface BuiltOnIt {
  error: UserError
  /** Only runs of this clone, and commands given here that stay because of them, have built on it. */
  isOwn: boolean
}

/**
 * What others have built on a commit: people in other clones, and agents in runs here. Other commands given here are not in
 * the way, because they were all reverted before. Null if there is nothing.
 */
export function findBuiltOn(view: LedgerView, { own, verb, given, step, tips, kept }: Planned): BuiltOnIt | null {
  const { repo } = view.ws
  const rows = tips.flatMap((tip) => readHistory(repo, tip, { since: given.commit.commit }))
  const later = rows.filter((row) => isByOthers(own, row) || kept.has(row.commit))
  const changes = readChanges(repo, later)
  const found = later.flatMap((row, i) =>
    builtOn(step, changes[i] as StepLines)
      .filter((built) => isStillThere(view, built))
      .map((built) => ({ words: describe(view, own, row, built), isOwn: own.commits.has(row.commit) })),
  )
  if (found.length === 0) return null
  const rest = found.length > MOST_NAMED ? `, and ${found.length - MOST_NAMED} more` : ''
  const what =
    found
      .reverse()
      .slice(0, MOST_NAMED)
      .map(({ words }) => words)
      .join(', ') + rest
  const error = new UserError('BUILT_ON', `${cannotBe(verb, given)}: ${what}`, {
    hint: sentence`Nothing was changed. ${command`log`} shows every change.`,
  })
  return { error, isOwn: found.every(({ isOwn }) => isOwn) }
}

const MOST_NAMED = 5

export type Verb = 'undo' | 'redo'

export function cannotBe(verb: Verb, { command }: GivenCommand): string {
  return `${briefText(command, 200)} cannot be ${verb === 'undo' ? 'undone' : 'redone'}`
}

/** A join only repeats what others did, and their commits are in the history too. */
function isByOthers({ commits }: OwnHistory, row: AuditRow): boolean {
  if (row.parents.length > 1) return false
  if (!commits.has(row.commit)) return true
  return row.undoes === null && !isCommand(row) && !/^(?:claim|release|carry over) /.test(row.subject)
}

function isStillThere(view: LedgerView, { uid, isDependent }: BuiltOn): boolean {
  return !isDependent || entry(view, uid)?.deleted === 0
}

function describe(
  view: LedgerView,
  { commits }: OwnHistory,
  row: AuditRow,
  { uid, verb, isDependent }: BuiltOn,
): string {
  const task = entry(view, uid)
  const name = task === undefined ? `task-${uid.slice(0, 12)}` : `#${task.number} ${task.id}`
  const who = commits.has(row.commit)
    ? isCommand(row)
      ? 'a command here'
      : 'a run here'
    : `${briefText(row.actor)} in another clone`
  return `${who} ${verb} ${name}${isDependent ? ', which depends on it' : ''} (${row.commit.slice(0, 7)})`
}
