import { joinTasks } from '../../core/ledger/join-tasks.ts'
import { command, sentence } from '../../core/sentence.ts'
import { isPending } from '../../core/task/status-predicates.ts'
import { dependenciesOf, type Task, uidOf } from '../../core/task/task.ts'
import { renumber } from '../../core/task/task-ids.ts'
import { plural } from '../../core/text/plural.ts'
import { UserError } from '../../core/user-error.ts'
import { listRefs, readRef, swapRefs } from '../../platform/git/refs.ts'
import type { LedgerRow } from '../../state/index/index-tables.ts'
import { tasksInOrder } from '../../state/index/read-tasks.ts'
import { ledgerRef, type Workspace } from '../workspace.ts'
import { archiveRef } from './archive-ref.ts'
import { indexLedger } from './index-ledger.ts'
import { ledgerFileChanges } from './ledger-file-changes.ts'
import { writeLedgerCommit } from './write-ledger-commit.ts'

/**
 * Git cannot store refs/tasks/feature and refs/tasks/feature/x together. If the conflicting ledger belongs to a branch
 * that no longer exists, it moves to the archive and its open tasks start the new ledger. True if something was moved.
 */
export function archiveConflictingLedgers(ws: Workspace, row: LedgerRow): boolean {
  const inTheWay = ledgersInTheWay(ws)
  for (const ledger of inTheWay) refuseExistingBranch(ws, ledger)
  for (const ledger of inTheWay) refuseAgents(ws, ledger)
  const carried = inTheWay.flatMap((ledger) => archiveLedger(ws, ledger))
  if (carried.length > 0)
    startLedger(ws, row, carried, `carry over ${plural(carried.length, 'task')} of ${inTheWay.join(', ')}`)
  return inTheWay.length > 0
}

function ledgersInTheWay(ws: Workspace): string[] {
  const parts = ws.ledger.split('/')
  const above = parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'))
  const below = [...listRefs(ws.repo, `${ledgerRef(ws.ledger)}/`).keys()].map((ref) => ref.slice('refs/tasks/'.length))
  return [...above.filter((ledger) => readRef(ws.repo, ledgerRef(ledger)) !== null), ...below]
}

function refuseExistingBranch(ws: Workspace, ledger: string): void {
  if (readRef(ws.repo, `refs/heads/${ledger}`) === null) return
  throw new UserError(
    'LEDGER_IN_THE_WAY',
    `Tasks of ${ws.ledger} cannot be kept next to those of ${ledger}: git does not allow a ref below another`,
    {
      hint: `Use the ledger of that branch: --branch ${ledger}`,
    },
  )
}

/**
 * Like prune. Otherwise an agent's commit would begin the new ledger with a person's edits, and verify would rightly
 * object.
 */
function refuseAgents(ws: Workspace, ledger: string): void {
  if (ws.actor.mode === 'human') return
  const why = `Tasks of ${ws.ledger} cannot be kept next to those of ${ledger}, whose branch no longer exists`
  throw new UserError('AGENT_MODE', `${why}: only people archive ledgers`, {
    hint: sentence`Leave it to a person: ${command`prune`}`,
  })
}

/** Archives a ledger and returns its open tasks with their dependencies. A crash right after it loses none of them. */
function archiveLedger(ws: Workspace, ledger: string): Task[] {
  const tip = readRef(ws.repo, ledgerRef(ledger)) as string
  const { lid } = indexLedger(ws.repo, ws.state, ledger, tip)
  const tasks = new Map([...tasksInOrder(ws.state, lid)].map((task) => [task.uid, task]))
  const open = [...tasks.values()].filter(isPending)
  const archive = archiveRef(ws.repo, ledger)
  const moves = [
    { ref: ledgerRef(ledger), to: null, from: tip },
    { ref: archive, to: tip, from: null },
  ]
  swapRefs(ws.repo, moves, `gza: archive ${ledger}, whose branch is gone`)
  ws.warnings.push(
    `The branch ${ledger} no longer exists: its ledger moved to ${archive}, its open tasks (${open.length}) to ${ws.ledger}`,
  )
  return withDependencies(open, tasks)
}

/**
 * The tasks and everything they name: without a finished dependency they would wait for something that nobody can see.
 */
function withDependencies(open: readonly Task[], tasks: ReadonlyMap<string, Task>): Task[] {
  const carried = new Set(open)
  for (const task of carried) {
    for (const ref of [...dependenciesOf(task), ...(task.parent ? [task.parent] : [])]) {
      const needed = tasks.get(uidOf(ref))
      if (needed) carried.add(needed)
    }
  }
  return [...carried]
}

function startLedger(ws: Workspace, row: LedgerRow, carried: readonly Task[], subject: string): void {
  const tasks = renumber(joinTasks(carried, []))
  const { files } = ledgerFileChanges(ws.state, row, tasks)
  const commit = writeLedgerCommit(ws, { parents: [], files, subject })
  swapRefs(ws.repo, [{ ref: ledgerRef(ws.ledger), to: commit, from: null }], `gza: ${subject}`)
}
