import { basename } from 'node:path'
import { compareMilestones } from '../../core/graph/ready-order.ts'
import { isFinished } from '../../core/task/status-predicates.ts'
import { dependenciesOf, refOf, type Task, titleOf, uidOf } from '../../core/task/task.ts'
import { shortenToUnits, wholeCharacters } from '../../core/text/shorten.ts'
import { tasksInOrder } from '../../state/index/read-tasks.ts'
import { entry, type LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { milestoneNames } from '../../workspace/views/groups/list-milestones.ts'
import { derivedStatus } from '../../workspace/views/task-status.ts'
import type { SyncMemory, SyncTask } from './sync-task.ts'

/** The tasks that have an issue or should get one: tasks that were finished before the first sync get none. */
export function collectSyncTasks(view: LedgerView, memory: SyncMemory, withProjects: boolean): SyncTask[] {
  const all = [...tasksInOrder(view.ws.state, view.row.lid)]
  const projectOf = withProjects ? openProjects(view, all) : () => null
  const milestoneOf = openMilestones(view, all)
  return all.flatMap((task) => {
    const row = entry(view, task.uid)
    if (row === undefined || row.deleted === 1) return []
    const derived = derivedStatus(view, row)
    const status = derived === 'blocked' ? 'pending' : derived
    if (isFinished({ status }) && task.linear_issue_id === undefined && !memory.has(task.uid)) return []
    return {
      uid: task.uid,
      id: row.id,
      number: row.number,
      title: shortenToUnits(titleOf(task), LONGEST_TITLE),
      description: describe(task),
      status,
      priority: task.priority,
      estimate: task.estimated_complexity ?? null,
      labels: [...(task.type === 'task' ? [] : [task.type]), ...(task.group === undefined ? [] : [task.group])],
      parent: task.parent === undefined ? null : uidOf(task.parent),
      dependencies: dependenciesOf(task).map(uidOf),
      project: projectOf(task),
      milestone: milestoneOf(task),
      linearId: task.linear_issue_id ?? null,
    }
  })
}

/** The longest title that Linear accepts. */
const LONGEST_TITLE = 255

function describe(task: Task): string {
  const [first = '', ...rest] = task.content.split('\n')
  const body = first === titleOf(task) ? rest.join('\n').trim() : task.content.trim()
  const list = (heading: string, items: readonly string[] | undefined, mark: string) =>
    items === undefined || items.length === 0 ? '' : `## ${heading}\n\n${items.map((item) => mark + item).join('\n')}`
  return [
    body,
    task.user_story ?? '',
    list('Acceptance criteria', task.acceptance_criteria, '- [ ] '),
    list('Files to create', task.files_to_create, '- '),
    list('Files to modify', task.files_to_modify, '- '),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** A plan is a project; milestones without a plan are in a project with the repository's name. */
function openProjects({ ws }: LedgerView, tasks: readonly Task[]): (task: Task) => SyncTask['project'] {
  const tops = new Map<string, Task>()
  for (const task of tasks)
    if (task.plan_file !== undefined && task.parent === undefined && !tops.has(task.plan_file))
      tops.set(task.plan_file, task)
  const [first] = tasks
  return (task) => {
    const top = task.plan_file === undefined ? undefined : tops.get(task.plan_file)
    if (top !== undefined) return { key: refOf(top), name: wholeCharacters(titleOf(top), 80) }
    if (task.milestone_id === undefined || first === undefined) return null
    return { key: refOf(first), name: basename(ws.repo.workTree ?? ws.repo.commonDir) }
  }
}

function openMilestones(view: LedgerView, tasks: readonly Task[]): (task: Task) => SyncTask['milestone'] {
  const ids = [...new Set(tasks.flatMap(({ milestone_id }) => milestone_id ?? []))].sort(compareMilestones)
  const names = ids.length === 0 ? new Map() : milestoneNames(view)
  return ({ milestone_id: id }) => {
    if (id === undefined) return null
    const { name = id, description = '' } = names.get(id) ?? {}
    return { id, name, description, place: ids.indexOf(id) }
  }
}
