/**
 * Imports the tasks of another tool in one commit. A task that was imported before is recognised by its key, and left
 * unchanged unless an update is requested.
 */

import { command, sentence } from '../../core/sentence.ts'
import { assertAllowed } from '../../core/task/agent-mode.ts'
import { addNote, closeTask, type NewTask } from '../../core/task/operations.ts'
import { isPending } from '../../core/task/status-predicates.ts'
import { refOf, type Task, type TaskRef, uidOf } from '../../core/task/task.ts'
import { plural } from '../../core/text/plural.ts'
import { UserError } from '../../core/user-error.ts'
import { type MilestonesOfPlan, planMilestones } from '../../planning/import/plan-milestones.ts'
import { isoSeconds } from '../../platform/clock.ts'
import { entriesOfTool } from '../../state/index/find-entries.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { withFinishedParents } from '../../tasks/checks/finish-parents.ts'
import { IMPORT_WORDS, refuseCycles } from '../../tasks/checks/refuse-cycles.ts'
import { openTaskFactory, type TaskFactory } from '../../tasks/task-factory.ts'
import { changeLedger } from '../../workspace/ledger/change-ledger.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { checkedContent } from '../../workspace/views/field-input.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { applyDifference, type Compared, compareForeign, showDifference } from './compare-foreign.ts'
import type { ForeignSource } from './gather-foreign.ts'
import type { Imported } from './import-tasks.ts'
import { leaveOpenParents } from './leave-open-parents.ts'
import type { ForeignTask, ForeignTasks, Remark, Tool } from './tools/importer.ts'
import { importerOf } from './tools/importers.ts'

export interface ForeignOptions {
  dryRun?: boolean
  /** Update open tasks that an earlier import filed to their current state in the tool. */
  update?: boolean
}

export function importForeign(ws: Workspace, { tool, files }: ForeignSource, options: ForeignOptions): Imported<Task> {
  if (options.update) assertAllowed('import --update', ws.actor)
  const foreign = importerOf(tool).read(files)
  if (foreign.tasks.length === 0) throw nothingIn(tool, files[0]?.name ?? 'it', foreign.skipped.length)
  return changeLedger(ws, (view) => {
    const draft = draftForeign(view, tool, foreign)
    const updated = options.update ? draft.compared.map((compared) => applyDifference(view, compared)) : []
    const changed = [...draft.created, ...updated]
    refuseCycles(view, changed, IMPORT_WORDS)
    // Tasks are filed as they are in the tool: a task that it leaves open although all its parts are done stays open.
    const change = { tasks: changed, subject: subjectOf(tool, draft.created, updated) }
    const { tasks, subject } = withFinishedParents(view, change, updated)
    const hasNothing = options.dryRun || changed.length === 0
    return {
      tasks: hasNothing ? [] : tasks,
      artifacts: hasNothing ? new Map() : draft.milestones.artifacts,
      subject,
      result: {
        created: draft.created,
        updated,
        skipped: [...foreign.skipped, ...draft.remarks],
        tool,
        known_count: foreign.tasks.length - draft.created.length,
        differences: draft.compared.map((compared) => showDifference(compared, draft.keys)),
      },
    }
  })
}

function subjectOf(tool: Tool, created: readonly Task[], updated: readonly Task[]): string {
  const also = updated.length === 0 ? '' : `, ${updated.length} changed`
  return `import ${plural(created.length, 'task')} from ${tool}${also}`
}

function nothingIn(tool: Tool, name: string, skipped: number): UserError {
  return new UserError('NOTHING_TO_IMPORT', `No task of ${tool} was found in ${name}`, {
    hint:
      skipped === 0
        ? command`import --help`
        : sentence`${skipped} of its records were left out. ${command`import --help`}`,
  })
}

interface ForeignDraft {
  created: Task[]
  /** Open tasks of an earlier import that differ now. */
  compared: Compared[]
  milestones: MilestonesOfPlan
  keys: Map<TaskRef, string>
  remarks: Remark[]
}

/** Tools use their own names in different cases, and keys are found in any case. */
const keyOf = (tool: Tool, name: string): string => `${tool}:${name}`
const sameKey = (key: string): string => key.toLowerCase()

function draftForeign(view: LedgerView, tool: Tool, foreign: ForeignTasks): ForeignDraft {
  const create = openTaskFactory(view)
  const milestones = planMilestones(
    view,
    foreign.home === undefined ? tool : keyOf(tool, foreign.home),
    foreign.milestones.map((milestone) => ({ ...milestone, line: 0 })),
  )
  const milestoneOf = ({ milestone }: ForeignTask) =>
    milestone === undefined ? undefined : milestones.byId.get(milestone)?.id
  const refs = knownRefs(view, tool)
  const [known, unknown] = partition(foreign.tasks, (task) => refs.has(sameKey(keyOf(tool, task.name))))
  const made = unknown.map((task) => {
    const making = { tool, task, milestone: milestoneOf(task) }
    return { task, own: atTask(tool, task, () => createFrom(view, create, making)) }
  })
  for (const { task, own } of made) {
    const key = sameKey(keyOf(tool, task.name))
    if (refs.has(key)) throw twice(tool, task)
    refs.set(key, refOf(own))
  }
  const remarks: Remark[] = milestones.warnings.map(({ why }) => ({ why }))
  const created = made.map(({ task, own }) => connect({ tool, task, own, refs, remarks }))
  const differing = known.flatMap((task) => compareKnown(view, { tool, task, refs, milestone: milestoneOf(task) }))
  const { compared, left } = leaveOpenParents(view, differing, created)
  remarks.push(...left)
  const names = foreign.tasks.map((task) => keyOf(tool, task.name))
  const keys = new Map(names.map((key) => [refs.get(sameKey(key)) as TaskRef, key]))
  return { created, compared, milestones, keys, remarks }
}

function partition<T>(all: readonly T[], belongs: (one: T) => boolean): [T[], T[]] {
  const groups = Object.groupBy(all, (one) => (belongs(one) ? 'in' : 'out'))
  return [groups.in ?? [], groups.out ?? []]
}

interface Known extends Making {
  refs: ReadonlyMap<string, TaskRef>
}

/** What is finished or deleted here stays unchanged. */
function compareKnown(view: LedgerView, { tool, task, refs, milestone }: Known): Compared[] {
  const refsOf = (names: readonly string[]) => names.flatMap((name) => refs.get(sameKey(keyOf(tool, name))) ?? [])
  const [ref] = refsOf([task.name])
  const own = ref === undefined ? null : taskOf(view.ws.state, view.row.lid, uidOf(ref))
  if (own === null || !isPending(own)) return []
  const changes = compareForeign(view, own, {
    foreign: task,
    fields: atTask(tool, task, () => fieldsOf(task)),
    waits: [...new Set(refsOf(task.dependsOn))].filter((other) => other !== ref),
    parent: refsOf(task.parent === undefined ? [] : [task.parent]).find((other) => other !== ref),
    milestone,
    ofTool: new Set(refs.values()),
  })
  return changes.length === 0 ? [] : [{ task: own, changes }]
}

/** Including deleted ones: a task that a person deleted does not come back. */
function knownRefs({ ws, row }: LedgerView, tool: Tool): Map<string, TaskRef> {
  const rows = entriesOfTool(ws.state, row.lid, tool)
  return new Map(rows.flatMap(({ key, uid }) => (key === null ? [] : [[sameKey(key), refOf({ uid })]])))
}

/** An error in a task is reported with the task's name in the tool. */
function atTask<T>(tool: Tool, { name }: ForeignTask, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    throw new UserError('BAD_IMPORT', sentence`${keyOf(tool, name)}: ${error.fact}`, { hint: 'Nothing was imported.' })
  }
}

function twice(tool: Tool, { name }: ForeignTask): UserError {
  return new UserError('BAD_IMPORT', `Two tasks of ${tool} have the name ${name}`, {
    hint: 'Nothing was imported. Rename one of them in the tool, or remove it.',
  })
}

interface Making {
  tool: Tool
  task: ForeignTask
  milestone: string | undefined
}

/** An agent files in its own name and at the present time: it may not state who did what when. */
function createFrom(view: LedgerView, create: TaskFactory, { tool, task, milestone }: Making): Task {
  const isPerson = view.ws.actor.mode === 'human'
  const now = { at: view.ws.now(), by: view.ws.actor.name }
  const at = isPerson && task.createdAt !== undefined ? isoSeconds(task.createdAt) : now.at
  const by = isPerson ? task.createdBy || now.by : now.by
  const own = create({ ...fieldsOf(task), key: keyOf(tool, task.name), milestone_id: milestone }, { at, by })
  const noted = task.notes.reduce((next, note) => addNote(next, note, { at, by }, view.ws.random(8)), own)
  if (task.status === 'pending') return noted
  const closedAt = isPerson && task.closedAt !== undefined ? isoSeconds(task.closedAt) : now.at
  return closeTask(noted, task.status, { at: closedAt, by }, { head: null, branch: null, commits: [] })
}

function fieldsOf(task: ForeignTask): NewTask {
  const parts = [task.title, task.body, task.about.join('\n')].filter((part) => part.trim() !== '')
  const { criteria = [], filesToModify = [] } = task
  return {
    content: checkedContent(parts.join('\n\n')),
    priority: task.priority ?? 'medium',
    type: task.type ?? 'task',
    ...(task.group !== undefined && { group: task.group }),
    ...(task.isOnHold && { on_hold: true }),
    ...(criteria.length > 0 && { acceptance_criteria: criteria }),
    ...(filesToModify.length > 0 && { files_to_modify: filesToModify }),
  }
}

interface Connecting {
  tool: Tool
  task: ForeignTask
  own: Task
  refs: ReadonlyMap<string, TaskRef>
  remarks: Remark[]
}

/**
 * A name that is neither in the file nor in the ledger was deleted in the tool or not exported: nothing can wait for
 * it.
 */
function connect({ tool, task, own, refs, remarks }: Connecting): Task {
  const refOfName = (name: string, what: string): TaskRef[] => {
    const ref = refs.get(sameKey(keyOf(tool, name)))
    if (ref === undefined) remarks.push({ why: `${task.name} ${what} ${name}, which does not exist; it is ignored` })
    return ref === undefined || ref === refOf(own) ? [] : [ref]
  }
  const waits = [...new Set(task.dependsOn.flatMap((name) => refOfName(name, 'waits for')))]
  const [parent] = task.parent === undefined ? [] : refOfName(task.parent, 'is a part of')
  return {
    ...own,
    ...(waits.length > 0 && { depends_on: waits }),
    ...(parent !== undefined && { parent }),
  }
}
