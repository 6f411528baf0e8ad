/** Takes over the tasks of another tool in one commit. A task that came before is known by its key, and left alone. */
import { addNote, closeTask, type NewTask } from '../core/operations.ts'
import { refOf, type Task, type TaskRef } from '../core/task.ts'
import { UserError } from '../core/user-error.ts'
import type { ForeignTask, ForeignTasks, Remark, Tool } from '../integrations/importer.ts'
import { importerOf } from '../integrations/registry.ts'
import { entriesWhere } from '../state/sqlite/read-index.ts'
import { changeLedger } from './change-ledger.ts'
import { checkedContent } from './field-input.ts'
import type { ForeignSource } from './gather-foreign.ts'
import type { Imported } from './import-tasks.ts'
import type { LedgerView } from './ledger-view.ts'
import { type Nursery, openNursery } from './nursery.ts'
import { type MilestonesOfPlan, planMilestones } from './plan/plan-milestones.ts'
import { IMPORT_WORDS, refuseCycles } from './refuse-cycles.ts'
import type { Workspace } from './workspace.ts'

export function importForeign(
  ws: Workspace,
  { tool, files }: ForeignSource,
  options: { dryRun?: boolean } = {},
): Imported<Task> {
  const foreign = importerOf(tool).read(files)
  if (foreign.tasks.length === 0)
    throw new UserError('NOTHING_TO_IMPORT', `No task of ${tool} was found in ${files[0]?.name ?? 'it'}`, {
      hint: `${foreign.skipped.length} of its records were left out. gza import --help`,
    })
  return changeLedger(ws, (view) => {
    const draft = draftForeign(view, tool, foreign)
    const hasNothing = options.dryRun || draft.created.length === 0
    return {
      tasks: hasNothing ? [] : draft.created,
      artifacts: hasNothing ? new Map() : draft.milestones.artifacts,
      subject: `import ${draft.created.length} tasks from ${tool}`,
      result: {
        created: draft.created,
        updated: [],
        skipped: [...foreign.skipped, ...draft.remarks],
        from: tool,
        known: foreign.tasks.length - draft.created.length,
      },
    }
  })
}

interface ForeignDraft {
  created: Task[]
  milestones: MilestonesOfPlan
  remarks: Remark[]
}

/** Tools disagree on the case of their own names, and keys are found in any case. */
const keyOf = (tool: Tool, name: string): string => `${tool}:${name}`
const sameKey = (key: string): string => key.toLowerCase()

function draftForeign(view: LedgerView, tool: Tool, foreign: ForeignTasks): ForeignDraft {
  const create = openNursery(view)
  const milestones = planMilestones(
    view,
    tool,
    foreign.milestones.map((milestone) => ({ ...milestone, line: 0 })),
  )
  const refs = knownRefs(view, tool)
  const isNew = (task: ForeignTask) => !refs.has(sameKey(keyOf(tool, task.name)))
  const made = foreign.tasks.filter(isNew).map((task) => {
    const milestone = task.milestone === undefined ? undefined : milestones.byId.get(task.milestone)?.id
    return { task, own: atTask(tool, task, () => createFrom(view, create, { tool, task, milestone })) }
  })
  for (const { task, own } of made) {
    const key = sameKey(keyOf(tool, task.name))
    if (refs.has(key)) throw twice(tool, task)
    refs.set(key, refOf(own))
  }
  const remarks: Remark[] = []
  const created = made.map(({ task, own }) => connect({ tool, task, own, refs, remarks }))
  refuseCycles(view, created, IMPORT_WORDS)
  return { created, milestones, remarks }
}

/** Deleted ones too: what a person took out does not come back. */
function knownRefs({ ws, row }: LedgerView, tool: Tool): Map<string, TaskRef> {
  const rows = entriesWhere(ws.state, row.lid, 'e.key >= ? AND e.key < ?', `${tool}:`, `${tool};`)
  return new Map(rows.flatMap(({ key, uid }) => (key === null ? [] : [[sameKey(key), refOf({ uid })]])))
}

/** What is wrong with a task is said with its name there. */
function atTask<T>(tool: Tool, { name }: ForeignTask, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    throw new UserError('BAD_IMPORT', `${keyOf(tool, name)}: ${error.message}`, { hint: 'Nothing was imported.' })
  }
}

function twice(tool: Tool, { name }: ForeignTask): UserError {
  return new UserError('BAD_IMPORT', `Two tasks of ${tool} have the name ${name}`, { hint: 'Nothing was imported.' })
}

interface Making {
  tool: Tool
  task: ForeignTask
  milestone: string | undefined
}

/** An agent files in its own name and at this moment: who did what when is not its to say. */
function createFrom(view: LedgerView, create: Nursery, { tool, task, milestone }: Making): Task {
  const isPerson = view.ws.actor.mode === 'human'
  const now = { at: view.ws.now(), by: view.ws.actor.name }
  const at = isPerson && task.createdAt !== undefined ? seconds(task.createdAt) : now.at
  const by = isPerson ? task.createdBy || now.by : now.by
  const own = create({ ...fieldsOf(task), key: keyOf(tool, task.name), milestone_id: milestone }, { at, by })
  const noted = task.notes.reduce((next, note) => addNote(next, note, { at, by }, view.ws.random(8)), own)
  if (task.status === 'pending') return noted
  const closedAt = isPerson && task.closedAt !== undefined ? seconds(task.closedAt) : now.at
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

function seconds(time: string): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')
}

interface Connecting {
  tool: Tool
  task: ForeignTask
  own: Task
  refs: ReadonlyMap<string, TaskRef>
  remarks: Remark[]
}

/** A name that neither the file nor the ledger has was deleted over there, or not exported: nothing can wait for it. */
function connect({ tool, task, own, refs, remarks }: Connecting): Task {
  const refOfName = (name: string, what: string): TaskRef[] => {
    const ref = refs.get(sameKey(keyOf(tool, name)))
    if (ref === undefined) remarks.push({ why: `${task.name} ${what} ${name}, which is not there; left out` })
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
