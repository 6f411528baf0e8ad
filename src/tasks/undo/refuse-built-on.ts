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
  tip: string
}

/**
 * Refuses to revert a commit that others have built on: people in other clones, and agents in runs here. Later commands
 * given here are not in the way, because they were all reverted before.
 */
export function refuseBuiltOn(view: LedgerView, { own, verb, given, step, tip }: Planned): void {
  const later = readHistory(view.ws.repo, tip, { since: given.commit.commit }).filter((row) => isByOthers(own, row))
  const changes = readChanges(view.ws.repo, later)
  const found = later.flatMap((row, i) =>
    builtOn(step, changes[i] as StepLines)
      .filter((built) => isStillThere(view, built))
      .map((built) => describe(view, own, row, built)),
  )
  if (found.length === 0) return
  const rest = found.length > MOST_NAMED ? `, and ${found.length - MOST_NAMED} more` : ''
  const what = found.reverse().slice(0, MOST_NAMED).join(', ') + rest
  throw new UserError('BUILT_ON', `${cannotBe(verb, given)}: ${what}`, {
    hint: sentence`Nothing was changed. ${command`log`} shows every change.`,
  })
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
  const who = commits.has(row.commit) ? 'a run here' : `${briefText(row.actor)} in another clone`
  return `${who} ${verb} ${name}${isDependent ? ', which depends on it' : ''} (${row.commit.slice(0, 7)})`
}
