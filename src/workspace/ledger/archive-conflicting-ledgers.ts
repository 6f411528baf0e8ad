import { joinTasks } from '../../core/ledger/join-tasks.ts'
import { command, sentence } from '../../core/sentence.ts'
import { arriveIn, isAway, nextMove, withMove } from '../../core/task/move.ts'
import { isOpen } from '../../core/task/status-predicates.ts'
import { dependenciesOf, type Edit, type Task, uidOf } from '../../core/task/task.ts'
import { renumber } from '../../core/task/task-ids.ts'
import { plural } from '../../core/text/plural.ts'
import { UserError } from '../../core/user-error.ts'
import { listRefs, type RefUpdate, readRef } from '../../platform/git/refs.ts'
import type { LedgerRow } from '../../state/index/index-tables.ts'
import { tasksInOrder } from '../../state/index/read-tasks.ts'
import { isTracked } from '../branches/branch-files.ts'
import { ledgerRef, type Workspace } from '../workspace.ts'
import { archiveRef } from './archive-ref.ts'
import { indexLedger } from './index-ledger.ts'
import { ledgerFileChanges } from './ledger-file-changes.ts'
import { swapLedgers } from './swap-ledgers.ts'
import { writeLedgerCommit } from './write-ledger-commit.ts'

/**
 * Git cannot store refs/tasks/feature and refs/tasks/feature/x together. If the conflicting ledger belongs to a branch
 * that no longer exists, it moves to the archive and its open tasks start the new ledger. True if something was moved.
 */
export function archiveConflictingLedgers(ws: Workspace, row: LedgerRow): boolean {
  const inTheWay = ledgersInTheWay(ws)
  for (const ledger of inTheWay) refuseExistingBranch(ws, ledger)
  for (const ledger of inTheWay) refuseAgents(ws, ledger)
  const archived = inTheWay.map((ledger) => archiveLedger(ws, ledger))
  if (archived.some(({ carried }) => carried.length > 0)) startLedger(ws, row, archived)
  return inTheWay.length > 0
}

function ledgersInTheWay(ws: Workspace): string[] {
  const parts = ws.ledger.split('/')
  const above = parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'))
  const below = [...listRefs(ws.repo, `${ledgerRef(ws.ledger)}/`).keys()].map((ref) => ref.slice('refs/tasks/'.length))
  return [...above.filter((ledger) => readRef(ws.repo, ledgerRef(ledger)) !== null), ...below]
}

/** A clone that does not fetch all branches cannot know whether the remote has it: a person asks with prune. */
function refuseExistingBranch(ws: Workspace, ledger: string): void {
  const isHere = readRef(ws.repo, `refs/heads/${ledger}`) !== null
  if (!isHere && isTracked(ws.repo, ledger) === false) return
  throw new UserError(
    'LEDGER_IN_THE_WAY',
    `Tasks of ${ws.ledger} cannot be kept next to those of ${ledger}: git does not allow a ref below another`,
    {
      hint: isHere
        ? `Use the ledger of that branch: --branch ${ledger}`
        : sentence`Use the ledger of that branch: --branch ${ledger}. If its branch is gone: ${command`prune --move-to BRANCH`}`,
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

interface ArchivedLedger {
  row: LedgerRow
  archive: string
  open: Task[]
  /** The open tasks with their dependencies. */
  carried: Task[]
}

/** Archives a ledger as it is. A crash right after it loses nothing: a restored ledger has all its tasks. */
function archiveLedger(ws: Workspace, ledger: string): ArchivedLedger {
  const tip = readRef(ws.repo, ledgerRef(ledger)) as string
  const row = indexLedger(ws, ledger, tip)
  const tasks = new Map([...tasksInOrder(ws.state, row.lid)].map((task) => [task.uid, task]))
  const open = [...tasks.values()].filter((task) => isOpen(task) && !isAway(task, ledger))
  const archive = archiveRef(ws.repo, ledger)
  const moves = [
    { ref: ledgerRef(ledger), to: null, from: tip },
    { ref: archive, to: tip, from: null },
  ]
  swapLedgers(ws, moves, `gza: archive ${ledger}, whose branch is gone`)
  ws.warnings.push(
    `The branch ${ledger} no longer exists: its ledger moved to ${archive}, its open tasks (${open.length}) to ${ws.ledger}`,
  )
  return { row, archive, open, carried: withDependencies(open, tasks) }
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

/** The new ledger and the moves in the archived ones are one transaction: a restored ledger shows no task twice. */
function startLedger(ws: Workspace, row: LedgerRow, archived: readonly ArchivedLedger[]): void {
  const names = archived.map((each) => each.row.ledger).join(', ')
  const carried = archived.flatMap((each) => each.carried)
  const subject = `carry over ${plural(carried.length, 'task')} of ${names}`
  const moved = new Map(archived.flatMap(({ open }) => open).map((task) => [task.uid, moveOf(ws, task)]))
  const arrived = carried.map((task) => {
    const move = moved.get(task.uid)
    const going = move === undefined ? task : withMove(task, move, ws.ledger)
    return { ...arriveIn(going, { ledger: ws.ledger, number: task.number, id: task.id }), renumbered: task.renumbered }
  })
  const { files } = ledgerFileChanges(ws.state, row, renumber(joinTasks(arrived, [])))
  const commit = writeLedgerCommit(ws, { parents: [], files, subject })
  const leaving = archived.map((each) => markMoved(ws, each, { moved, subject }))
  swapLedgers(ws, [{ ref: ledgerRef(ws.ledger), to: commit, from: null }, ...leaving], `gza: ${subject}`)
}

function moveOf(ws: Workspace, task: Task): Edit {
  return nextMove([task], ws.ledger, { at: ws.now(), by: ws.actor.name })
}

/** Hides the carried tasks in the archived ledger. */
function markMoved(
  ws: Workspace,
  { row, archive, open }: ArchivedLedger,
  { moved, subject }: { moved: ReadonlyMap<string, Edit>; subject: string },
): RefUpdate {
  const left = open.map((task) => withMove(task, moved.get(task.uid) as Edit, row.ledger))
  if (left.length === 0) return { ref: archive, to: row.tip, from: row.tip }
  const { files } = ledgerFileChanges(ws.state, row, left)
  const to = writeLedgerCommit(ws, { parents: [row.tip], files, subject })
  return { ref: archive, to, from: row.tip }
}
