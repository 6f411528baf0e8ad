import { basename } from 'node:path/posix'
import { type Milestone, type MilestoneNames, milestonesOf } from '../../../core/graph/milestones-of-tasks.ts'
import { countedTasks } from '../../../core/task/counted-tasks.ts'
import { isFinished, isOnHold, isUnstarted } from '../../../core/task/status-predicates.ts'
import type { DerivedStatus } from '../../../core/task/task.ts'
import { percent } from '../../../core/text/percent.ts'
import { readBlobs } from '../../../ledger/read-blobs.ts'
import { artifactsOf } from '../../../state/index/ledger-files.ts'
import { entriesOfMilestones } from '../../../state/index/list-entries.ts'
import type { LedgerView } from '../../ledger/ledger-view.ts'
import { readLedger } from '../../ledger/read-ledger.ts'
import type { Workspace } from '../../workspace.ts'
import { derivedStatus } from '../task-status.ts'

export interface MilestoneView extends Milestone {
  total: number
  /** Including skipped ones. */
  completed: number
  skipped: number
  failed: number
  in_progress: number
  /** Including blocked ones. */
  pending: number
  /** How many of its open tasks a person has stopped. */
  on_hold_count: number
  progress: string
}

/** The milestones in the order of work, with their progress. */
export function listMilestones(ws: Workspace): MilestoneView[] {
  const view = readLedger(ws)
  const members = entriesOfMilestones(ws.state, view.row.lid).map((row) => ({
    ...{ uid: row.uid, parent: row.parent, id: row.key ?? row.id, milestone_id: row.milestone_id },
    status: derivedStatus(view, row),
    on_hold: isOnHold(row),
  }))
  const statuses = Map.groupBy(members, ({ milestone_id }) => milestone_id)
  return milestonesOf(members, milestoneNames(view)).map((milestone) =>
    counted(milestone, countedTasks(statuses.get(milestone.id) ?? [])),
  )
}

interface Counted {
  status: DerivedStatus
  on_hold: boolean
}

function counted(milestone: Milestone, tasks: readonly Counted[]): MilestoneView {
  const count = (is: (task: Counted) => boolean) => tasks.filter(is).length
  const completed = count(isFinished)
  return {
    ...milestone,
    total: tasks.length,
    completed,
    skipped: count(({ status }) => status === 'skipped'),
    failed: count(({ status }) => status === 'failed'),
    in_progress: count(({ status }) => status === 'in_progress'),
    pending: count(isUnstarted),
    on_hold_count: count(({ on_hold }) => on_hold),
    progress: percent(completed, tasks.length),
  }
}

const FOLDER = 'artifacts/milestones/'

/** The names and descriptions of milestones from plans, by id. */
export function milestoneNames({ ws, row }: LedgerView): MilestoneNames {
  const artifacts = artifactsOf(ws.state, row.lid, FOLDER)
  const blobs = readBlobs(
    ws.repo,
    artifacts.map(({ blob }) => blob),
  )
  return new Map(
    artifacts.map(({ path, blob }) => [basename(path, '.json'), namesIn(blobs.get(blob)?.toString() ?? '')]),
  )
}

/** Anybody can write an artifact: an invalid name is ignored. */
function namesIn(text: string): { name?: string; description?: string } {
  try {
    const { name, description } = Object(JSON.parse(text))
    return {
      ...(typeof name === 'string' && name !== '' && { name }),
      ...(typeof description === 'string' && { description }),
    }
  } catch {
    return {}
  }
}
