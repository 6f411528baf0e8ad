import { command, sentence } from '../../core/sentence.ts'
import { assertAllowed } from '../../core/task/agent-mode.ts'
import { briefText } from '../../core/text/shorten.ts'
import { UserError } from '../../core/user-error.ts'
import { readRef } from '../../platform/git/refs.ts'
import { branchNames } from '../../workspace/branches/branch-names.ts'
import { meant, whereTasksAre } from '../../workspace/branches/refuse-unknown-name.ts'
import { assertLedgerName } from '../../workspace/choose-ledger.ts'
import { ledgerNames } from '../../workspace/ledger/read-ledger.ts'
import { ledgerRef, type Workspace } from '../../workspace/workspace.ts'

/** From where to where tasks move. The one that is not given is the ledger of the current branch. */
export function nameLedgers(ws: Workspace, given: { from?: string; to?: string }): { from: string; to: string } {
  assertAllowed('move', ws.actor)
  if (given.from === undefined && given.to === undefined)
    throw new UserError('USAGE', 'Where to?', { hint: command`move 3 --to BRANCH`, exitCode: 2 })
  const from = assertLedgerName(given.from ?? ws.ledger)
  const to = assertLedgerName(given.to ?? ws.ledger)
  if (from === to)
    throw new UserError('SAME_LEDGER', `The tasks are already on ${briefText(to)}`, {
      hint: sentence`Name another branch: ${command`move 3 --to BRANCH`}`,
      exitCode: 2,
    })
  assertSource(ws, from)
  assertDestination(ws, to)
  return { from, to }
}

function assertSource(ws: Workspace, from: string): void {
  if (readRef(ws.repo, ledgerRef(from)) !== null) return
  const known = ledgerNames(ws)
  throw new UserError('NO_LEDGER', `${briefText(from)} has no tasks${meant(from, known)}`, {
    hint: whereTasksAre(known),
  })
}

/** A branch, here or on a remote, or a ledger without a branch. A misspelled name would hide the tasks. */
export function assertDestination(ws: Workspace, to: string): void {
  if (to === ws.namedLedger || readRef(ws.repo, ledgerRef(to)) !== null) return
  if (readRef(ws.repo, `refs/heads/${to}`) !== null) return
  const branches = branchNames(ws, 'branches')
  if (branches.includes(to)) return
  throw new UserError('NO_BRANCH', `There is no branch ${briefText(to)}${meant(to, branches)}`, {
    hint: sentence`Nothing was changed. Make the branch first, or fetch it: git branch ${to}`,
  })
}
