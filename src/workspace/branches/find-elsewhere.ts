import { command } from '../../core/sentence.ts'
import { list, named, nameOf, TaskNotFound } from '../../core/task/ref/ref-errors.ts'
import { type Candidate, parseRef } from '../../core/task/ref/resolve-ref.ts'
import { briefText } from '../../core/text/shorten.ts'
import { UserError } from '../../core/user-error.ts'
import { resolvedOrNone } from '../ledger/ledger-view.ts'
import { currentIfReadable, ledgerNames } from '../ledger/read-ledger.ts'
import { viewLedger } from '../ledger/view-ledger.ts'
import type { Workspace } from '../workspace.ts'

/** The error of a task that was not found, which names the ledgers of this repository that have the task. */
export function findElsewhere(ws: Workspace, error: unknown): unknown {
  if (!(error instanceof TaskNotFound)) return error
  const { text, ledger: here } = error.sought
  try {
    const others = ledgerNames(ws).filter((ledger) => ledger !== here)
    return isElsewhere(
      error,
      others.flatMap((ledger) => {
        const row = currentIfReadable(ws, ledger)
        const [task] = row === null ? [] : resolvedOrNone(viewLedger(ws, row), text)
        return task === undefined ? [] : [{ task, ledger }]
      }),
    )
  } catch {
    // Whatever prevents the search, the caller's mistake is still what must be said.
    return error
  }
}

/** A task that another ledger has under the name that was not found. */
interface Elsewhere {
  task: Candidate
  ledger: string
}

/**
 * The same error, which says where the task is. Every ledger has its own numbers: one that several others have does not
 * say which task is meant.
 */
function isElsewhere(error: TaskNotFound, places: readonly Elsewhere[]): UserError {
  const { text, ledger } = error.sought
  const [first, ...others] = places
  const ref = parseRef(text)
  if (first === undefined || (ref.kind === 'number' && others.length > 0)) return error
  const found = list(places.map((place) => `${named(place.task)} is on ${briefText(place.ledger)}`))
  return new UserError('TASK_NOT_FOUND', `No task ${nameOf(ref, text)} on ${briefText(ledger)}: ${found}`, {
    hint: command`show ${first.task.id} --branch ${first.ledger}`,
  })
}
