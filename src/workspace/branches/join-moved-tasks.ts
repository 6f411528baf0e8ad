/**
 * Keeps the lines of tasks that moved in order. Clones may move one task to several ledgers, and others may add facts
 * to a line that it has left: the line that the last move names gets every fact, and all others are hidden.
 */

import type { FileContent } from '../../core/ledger/import-stream.ts'
import { taskLine } from '../../core/ledger/task-line.ts'
import { joinMoved, lastMove, withMove } from '../../core/task/move.ts'
import type { Task } from '../../core/task/task.ts'
import { plural } from '../../core/text/plural.ts'
import { artifactsOf } from '../../state/index/ledger-files.ts'
import { type MovedRow, rowsOfMovedTasks } from '../../state/index/ledger-rows.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { changeLedger, type Decision } from '../ledger/change-ledger.ts'
import type { LedgerView } from '../ledger/ledger-view.ts'
import { alsoFor, type Workspace } from '../workspace.ts'
import { addArtifacts } from './add-artifacts.ts'
import { currentLedgers } from './current-ledgers.ts'
import { placeIn } from './place-moved-task.ts'

/** Brings the lines of all tasks that ever moved in order, in every ledger of this repository. True if one changed. */
export function joinMovedTasks(ws: Workspace, tips?: ReadonlyMap<string, string>): boolean {
  const ledgers = new Set(currentLedgers(ws, tips).map(({ ledger }) => ledger))
  const copies = copiesOfMoved(ws)
  const named = [...copies.values()].flatMap((lines) => targetOf(lines) ?? [])
  const involved = new Set([...named, ...[...copies.values()].flat().map(({ row }) => row.ledger)])
  let isChanged = false
  // First the lines that get facts; then those that are hidden. A crash in between leaves a task twice, never nowhere.
  for (const ledger of [...involved].sort((a, b) => Number(named.includes(b)) - Number(named.includes(a)))) {
    if (!ledgers.has(ledger) || decideLines({ ledger, copies }).length === 0) continue
    changeLedger(alsoFor(ws, { ledger }), (view) => decideSettled(view))
    isChanged = true
  }
  return isChanged
}

interface Copy {
  row: MovedRow
  task: Task
}

function copiesOfMoved(ws: Workspace): Map<string, Copy[]> {
  const copies = rowsOfMovedTasks(ws.state).flatMap((row) => {
    const task = taskOf(ws.state, row.lid, row.uid)
    return task === null ? [] : [{ row, task }]
  })
  return Map.groupBy(copies, ({ task }) => task.uid)
}

function targetOf(copies: readonly Copy[]): string | null {
  const target = lastMove(copies.map(({ task }) => task))?.value
  return typeof target === 'string' ? target : null
}

function decideSettled(view: LedgerView): Decision<void> {
  const copies = copiesOfMoved(view.ws)
  const changed = decideLines({ ledger: view.ws.ledger, copies, place: placeIn(view) })
  const artifacts = new Map(
    changed.flatMap(({ uid, isHere }) => [...(isHere ? foundArtifacts(view, copies.get(uid) ?? []) : [])]),
  )
  const tasks = changed.map(({ task }) => task)
  return { tasks, artifacts, subject: `join ${plural(tasks.length, 'moved task')}`, result: undefined }
}

interface SettledLine {
  uid: string
  task: Task
  /** Is this the line that the last move names? */
  isHere: boolean
}

interface Lines {
  ledger: string
  copies: ReadonlyMap<string, Copy[]>
  /** Makes the line of a task that is missing here. */
  place?: (task: Task) => Task
}

/** The lines of one ledger that must change. */
function decideLines({ ledger, copies, place = (task) => task }: Lines): SettledLine[] {
  return [...copies].flatMap(([uid, lines]) => {
    const move = lastMove(lines.map(({ task }) => task))
    const mine = lines.find(({ row }) => row.ledger === ledger)?.task
    const isHere = move?.value === ledger
    if (move === undefined || (mine === undefined && !isHere)) return []
    const first = lines[0]?.task as Task
    const start = withMove(mine ?? place(withMove(first, move, ledger)), move, ledger)
    const others = isHere ? lines.filter(({ row }) => row.ledger !== ledger) : []
    const task = others.reduce((joined, other) => joinMoved(joined, other.task, ledger), start)
    return mine !== undefined && taskLine(mine) === taskLine(task) ? [] : [{ uid, task, isHere }]
  })
}

function foundArtifacts(view: LedgerView, copies: readonly Copy[]): Map<string, FileContent> {
  const theirs = copies
    .filter(({ row }) => row.ledger !== view.ws.ledger)
    .flatMap(({ row }) => artifactsOf(view.ws.state, row.lid, `artifacts/${row.uid}/`))
  return addArtifacts(view, theirs)
}
