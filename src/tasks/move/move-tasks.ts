import type { FileContent } from '../../core/ledger/import-stream.ts'
import { command, sentence } from '../../core/sentence.ts'
import { assertAllowed } from '../../core/task/agent-mode.ts'
import { joinMoved, nextMove, withMove } from '../../core/task/move.ts'
import { editTask } from '../../core/task/operations.ts'
import type { Task } from '../../core/task/task.ts'
import { plural } from '../../core/text/plural.ts'
import { briefText } from '../../core/text/shorten.ts'
import { UserError } from '../../core/user-error.ts'
import { type RefUpdate, readRef } from '../../platform/git/refs.ts'
import type { Entry } from '../../state/index/index-tables.ts'
import { type Artifact, artifactsOf } from '../../state/index/ledger-files.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { addArtifacts } from '../../workspace/branches/add-artifacts.ts'
import { placeIn } from '../../workspace/branches/place-moved-task.ts'
import { changeLedger, type Decision } from '../../workspace/ledger/change-ledger.ts'
import { indexLedger } from '../../workspace/ledger/index-ledger.ts'
import { ledgerFileChanges } from '../../workspace/ledger/ledger-file-changes.ts'
import { entry, type LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { nameOwner, othersWithKey } from '../../workspace/ledger/taken-keys.ts'
import { viewLedger } from '../../workspace/ledger/view-ledger.ts'
import { writeLedgerCommit } from '../../workspace/ledger/write-ledger-commit.ts'
import { viewChanged } from '../../workspace/views/view-changed.ts'
import type { TaskView } from '../../workspace/views/views.ts'
import { alsoFor, ledgerRef, type Workspace } from '../../workspace/workspace.ts'
import { type Chosen, type ChosenTasks, chooseMovedTasks } from './choose-moved-tasks.ts'

export interface MoveOptions {
  from: string
  to: string
  chosen: Chosen
  /** They arrive on hold. */
  onHold?: boolean
  /** What they follow: a branch that was renamed, or their whole. Nobody commanded that, so it is not undone. */
  follows?: 'rename' | 'whole'
}

export interface MovedTask extends Pick<TaskView, 'number' | 'id' | 'title' | 'status'> {
  /** The number that it had in the ledger it left. */
  number_before: number
  /** It was not named: it is part of a named task, or a named task depends on it. */
  along: boolean
}

export interface MoveReport {
  from: string
  to: string
  moved: MovedTask[]
  /** Finished dependencies. They stay where they are, and the other ledger has a copy. */
  copied: Omit<MovedTask, 'along'>[]
}

/**
 * Moves tasks to another ledger, in one transaction: they are in both ledgers then, and visible in the second. Every
 * fact, artifact and open dependency goes along.
 */
export function moveTasks(ws: Workspace, options: MoveOptions): MoveReport {
  assertAllowed('move', ws.actor)
  const { from, to } = options
  const there = alsoFor(ws, { ledger: to })
  const { moved, along, copied, tasks } = changeLedger(there, (target) => decideMove(target, options))
  const views = new Map(viewChanged(there, tasks).map((view) => [view.uid, view]))
  const asked = new Set(along.map(({ uid }) => uid))
  return {
    from,
    to,
    moved: moved.flatMap((row) => {
      const view = views.get(row.uid)
      return view === undefined ? [] : [{ ...nameOf(view), number_before: row.number, along: asked.has(row.uid) }]
    }),
    copied: copied.flatMap(({ uid, number }) => {
      const view = views.get(uid)
      return view === undefined ? [] : [{ ...nameOf(view), number_before: number }]
    }),
  }
}

function nameOf({ number, id, title, status }: TaskView): Pick<TaskView, 'number' | 'id' | 'title' | 'status'> {
  return { number, id, title, status }
}

/** In the audit line of a move that is not the rename of a branch. */
export const WITH_WHOLE = 'with its whole'

type Decided = ChosenTasks & { tasks: Task[] }

/** Decided on the ledger that the tasks arrive in; the other one moves in the same transaction. */
function decideMove(target: LedgerView, { from, chosen, onHold, follows }: MoveOptions): Decision<Decided> {
  const source = viewOther(target.ws, from)
  const { selected, left, arrived, artifacts } = planMove({ source, target, chosen, onHold })
  const { moved } = selected
  const result = { ...selected, tasks: arrived }
  const verb = follows === undefined ? 'move' : 'carry over'
  const what = follows === 'whole' ? `${namesOf(moved)} ${WITH_WHOLE}` : namesOf(moved)
  const subject = `${verb} ${what} from ${from} to ${target.ws.ledger}`
  if (moved.length === 0) return { tasks: [], subject, result }
  return { tasks: arrived, subject, artifacts, moves: [commitOther(source, { tasks: left, subject })], result }
}

export interface MovePlan {
  selected: ChosenTasks
  /** The lines of the ledger that they leave. */
  left: Task[]
  /** The lines of the ledger that they arrive in, copies included. */
  arrived: Task[]
  /** The files that arrive with them. */
  artifacts: ReadonlyMap<string, FileContent>
}

interface Ends {
  source: LedgerView
  target: LedgerView
  chosen: Chosen
  onHold?: boolean | undefined
}

/** What both ledgers hold after a move. */
export function planMove({ source, target, chosen, onHold }: Ends): MovePlan {
  const selected = chooseMovedTasks(source, chosen)
  const { moved, copied } = selected
  for (const row of moved) refuseKey(target, row, source.ws.ledger)
  const arrive = arrivals(target, { source, onHold: onHold ?? false })
  const pairs = moved.map((row) => arrive.moved(row))
  const arrived = [...pairs.map(({ arrived }) => arrived), ...copied.flatMap((row) => arrive.copied(row))]
  return {
    selected,
    left: pairs.map(({ left }) => left),
    arrived,
    artifacts: addArtifacts(target, artifactsToTake(source, arrived)),
  }
}

/** Another ledger of the same repository. */
export function viewOther(ws: Workspace, ledger: string): LedgerView {
  const there = alsoFor(ws, { ledger })
  return viewLedger(there, indexLedger(ws, ledger, readRef(ws.repo, ledgerRef(ledger))))
}

interface Arrivals {
  moved(row: Entry): { left: Task; arrived: Task }
  copied(row: Entry): Task[]
}

/** The lines on both sides. A task that comes back joins the line that it had left. */
function arrivals(target: LedgerView, { source, onHold }: { source: LedgerView; onHold: boolean }): Arrivals {
  const { ws } = target
  const authorship = { at: ws.now(), by: ws.actor.name }
  const place = placeIn(target)
  const lineIn = (view: LedgerView, uid: string) => taskOf(ws.state, view.row.lid, uid)
  return {
    moved(row) {
      const task = lineIn(source, row.uid) as Task
      const known = lineIn(target, row.uid)
      const move = nextMove(known === null ? [task] : [task, known], ws.ledger, authorship)
      const going = withMove(task, move, ws.ledger)
      const arrived = known === null ? place(going, row.number) : joinMoved(known, going, ws.ledger)
      return {
        left: withMove(task, move, source.ws.ledger),
        arrived: onHold ? editTask(arrived, { on_hold: true }, authorship) : arrived,
      }
    },
    copied(row) {
      const task = lineIn(source, row.uid)
      return task === null || lineIn(target, row.uid) !== null ? [] : [place(task, row.number)]
    },
  }
}

/** The texts of their runs, and the names of their milestones. */
function artifactsToTake({ ws, row }: LedgerView, tasks: readonly Task[]): Artifact[] {
  const milestones = new Set(tasks.flatMap(({ milestone_id }) => milestone_id ?? []))
  const prefixes = [
    ...tasks.map(({ uid }) => `artifacts/${uid}/`),
    ...[...milestones].map((id) => `artifacts/milestones/${id}.json`),
  ]
  return prefixes.flatMap((prefix) => artifactsOf(ws.state, row.lid, prefix))
}

interface OtherChange {
  tasks: readonly Task[]
  artifacts?: ReadonlyMap<string, FileContent>
  subject: string
  undoes?: string | undefined
}

/** The commit of the other ledger, as a step of the transaction. */
export function commitOther({ ws, row }: LedgerView, { tasks, artifacts, subject, undoes }: OtherChange): RefUpdate {
  const { files } = ledgerFileChanges(ws.state, row, tasks)
  const all = new Map<string, FileContent | null>([...files, ...(artifacts ?? [])])
  const to = writeLedgerCommit(ws, { parents: [row.tip], files: all, subject, undoes })
  return { ref: ledgerRef(ws.ledger), to, from: row.tip }
}

const NAMED_AT_MOST = 10

function namesOf(rows: readonly Entry[]): string {
  return rows.length > NAMED_AT_MOST ? plural(rows.length, 'task') : rows.map(({ id }) => id).join(' ')
}

/** If two tasks had one key, neither could be named by it. */
function refuseKey(target: LedgerView, row: Entry, from: string): void {
  const [other] = entry(target, row.uid)?.away === 0 ? [] : othersWithKey(target, row)
  if (other === undefined) return
  const key = briefText(row.key ?? '')
  throw new UserError(
    'KEY_TAKEN',
    `The key ${key} of #${row.number} belongs to ${nameOwner(other)} on ${target.ws.ledger}`,
    {
      hint: sentence`Nothing was changed. Choose another key first: ${command`edit ${row.number} --key NEW --branch ${from}`}`,
    },
  )
}
