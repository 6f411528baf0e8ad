/**
 * Ledgers as they come about: clones of one repository that file tasks, change them by the real operations, and take
 * each other's tasks in. A history is a list of plain commands, so that fast-check can shrink it.
 */
import fc from 'fast-check'
import { joinTasks } from '../../src/core/ledger/join-tasks.ts'
import {
  type Authorship,
  addNote,
  closeTask,
  createTask,
  deleteTask,
  editTask,
  linkCommits,
  recordLanding,
  recordPhase,
  recordRun,
  reopenTask,
  retractNote,
} from '../../src/core/task/operations.ts'
import type { Status, Task } from '../../src/core/task/task.ts'
import { renumber } from '../../src/core/task/task-ids.ts'
import { anyCommit, anyExtra, anyFieldChange, anyFields, anyHappening, anyText } from './arbitrary-task.ts'

export const CLONES = 3

type CloneAction =
  | { do: 'note'; text: string }
  | { do: 'retract' }
  | { do: 'edit'; change: { field: string; value: unknown } }
  | { do: 'delete' }
  | { do: 'undelete' }
  | { do: 'close'; as: Exclude<Status, 'pending'>; commits: string[]; head: string | null }
  | { do: 'reopen' }
  | { do: 'link'; commits: string[] }
  | { do: 'start' }
  | { do: 'end'; outcome: string }
  | { do: 'phase'; cycle: number; head: string }
  | { do: 'land'; outcome: 'landed' | 'conflict' | 'red'; head: string }
  | { do: 'upgrade'; extra: Record<string, unknown> }

type Command =
  | { kind: 'file'; clone: number; fields: { content: string }; authorship: Authorship }
  | { kind: 'change'; clone: number; task: number; deed: CloneAction; authorship: Authorship }
  | { kind: 'take'; clone: number; from: number }

const anyCloneAction: fc.Arbitrary<CloneAction> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('note' as const), text: anyText }) },
  { weight: 1, arbitrary: fc.constant<CloneAction>({ do: 'retract' }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('edit' as const), change: anyFieldChange }) },
  { weight: 1, arbitrary: fc.constantFrom<CloneAction>({ do: 'delete' }, { do: 'undelete' }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('close' as const),
      as: fc.constantFrom('completed' as const, 'failed' as const, 'skipped' as const),
      commits: fc.uniqueArray(anyCommit, { maxLength: 2 }),
      head: fc.option(anyCommit),
    }),
  },
  { weight: 1, arbitrary: fc.constant<CloneAction>({ do: 'reopen' }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('link' as const), commits: fc.uniqueArray(anyCommit, { maxLength: 2 }) }),
  },
  { weight: 1, arbitrary: fc.constant<CloneAction>({ do: 'start' }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), outcome: anyText }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('phase' as const), cycle: fc.nat(3), head: anyCommit }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('land' as const),
      outcome: fc.constantFrom('landed' as const, 'conflict' as const, 'red' as const),
      head: anyCommit,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('upgrade' as const), extra: anyExtra }) },
)

const anyClone = fc.nat(CLONES - 1)

const anyFiling: fc.Arbitrary<Command> = fc.record({
  kind: fc.constant('file' as const),
  clone: anyClone,
  fields: anyFields,
  authorship: anyHappening,
})
const anyChange: fc.Arbitrary<Command> = fc.record({
  kind: fc.constant('change' as const),
  clone: anyClone,
  task: fc.nat(4),
  deed: anyCloneAction,
  authorship: anyHappening,
})
const anyTaking: fc.Arbitrary<Command> = fc.record({
  kind: fc.constant('take' as const),
  clone: anyClone,
  from: anyClone,
})

/** One operation on one task: what the task was, and what it became. */
export interface Step {
  deed: CloneAction['do']
  before: Task
  after: Task
}

export interface History {
  clones: Task[][]
  steps: Step[]
}

/** Tasks filed and changed in three clones that now and then take each other's ledgers in. */
export const anyHistory: fc.Arbitrary<History> = histories(
  fc.oneof(
    { weight: 1, arbitrary: anyFiling },
    { weight: 4, arbitrary: anyChange },
    { weight: 1, arbitrary: anyTaking },
  ),
)

/** Three copies of one task that were changed apart. */
export const anyCopies: fc.Arbitrary<[Task, Task, Task]> = histories(anyChange).map(
  ({ clones }) => clones.map((tasks) => tasks[0]) as [Task, Task, Task],
)

function histories(commands: fc.Arbitrary<Command>): fc.Arbitrary<History> {
  const birth = fc.record({ fields: anyFields, authorship: anyHappening })
  return fc
    .tuple(birth, fc.array(commands, { maxLength: 24 }))
    .map(([{ fields, authorship }, rest]) => playHistory(fileTask([], fields, authorship, 0), rest))
}

/** Every clone starts with the same task; then one command follows the other. */
function playHistory(first: Task, commands: readonly Command[]): History {
  const clones: Task[][] = Array.from({ length: CLONES }, () => [first])
  const steps: Step[] = []
  commands.forEach((command, index) => {
    const tasks = clones[command.clone] as Task[]
    if (command.kind === 'file') tasks.push(fileTask(tasks, command.fields, command.authorship, index + 1))
    if (command.kind === 'take')
      clones[command.clone] = renumber(joinTasks(tasks, clones[command.from] as readonly Task[]))
    if (command.kind !== 'change') return
    const at = command.task % tasks.length
    const before = tasks[at] as Task
    const after = changeTask(before, command.deed, command.authorship, index)
    tasks[at] = after
    if (after !== before) steps.push({ deed: command.deed.do, before, after })
  })
  return { clones, steps }
}

function fileTask(tasks: readonly Task[], fields: { content: string }, authorship: Authorship, index: number): Task {
  return createTask(fields, authorship, {
    number: Math.max(0, ...tasks.flatMap((task) => [task.number, ...task.renumbered])) + 1,
    taskCount: tasks.length,
    isIdTaken: (id) => tasks.some((task) => task.id === id),
    salt: unique(index),
    head: null,
  })
}

/** The task after the change, or as it was where gza would refuse it or leave it alone. */
function changeTask(task: Task, deed: CloneAction, authorship: Authorship, index: number): Task {
  switch (deed.do) {
    case 'note':
      return addNote(task, deed.text, authorship, unique(index))
    case 'retract':
      return task.notes[0] ? retractNote(task, task.notes[0].id) : task
    case 'edit':
      return editTask(task, { [deed.change.field]: deed.change.value }, authorship)
    case 'delete':
      return deleteTask(task, authorship)
    case 'undelete':
      return editTask(task, { deleted: false }, authorship)
    case 'close':
      return task.status === 'pending' || (deed.as === 'completed' && task.status !== 'completed')
        ? closeTask(task, deed.as, authorship, { head: deed.head, branch: deed.head && 'main', commits: deed.commits })
        : task
    case 'reopen':
      return task.status === 'pending' ? task : reopenTask(task)
    case 'link':
      return task.status === 'pending' ? task : linkCommits(task, deed.commits)
    case 'start':
      return recordRun(task, startedRun(task, authorship, index))
    case 'end':
      return endRun(task, deed.outcome, authorship)
    case 'phase':
      return passPhase(task, deed, authorship)
    case 'land':
      return landTask(task, deed, authorship, index)
    case 'upgrade':
      return { ...task, extra: { ...deed.extra, ...task.extra } }
  }
}

function startedRun(task: Task, { at, by }: Authorship, index: number) {
  return { run: unique(index), attempt: task.runs.length + 1, machine: by, started_at: at }
}

function endRun(task: Task, outcome: string, { at }: Authorship): Task {
  const open = task.runs.find((run) => !run.ended_at)
  return open ? recordRun(task, { ...open, ended_at: at, outcome, cost: 0.25 }) : task
}

function passPhase(task: Task, { cycle, head }: { cycle: number; head: string }, { at }: Authorship): Task {
  const open = task.runs.find((run) => !run.ended_at)
  const about = { generation: task.generation, at, cycle, head }
  const phase =
    cycle === 0 ? { phase: 'implement' as const } : { phase: 'review' as const, verdict: 'APPROVED' as const }
  return open ? recordPhase(task, { run: open.run, ...phase, ...about }) : task
}

function landTask(
  task: Task,
  { outcome, head }: { outcome: 'landed' | 'conflict' | 'red'; head: string },
  { at, by }: Authorship,
  index: number,
): Task {
  const about = { generation: task.generation, at, by, base: 'main', head, method: 'merge' }
  return recordLanding(task, { id: unique(index), outcome, ...about })
}

/** Stands for the random digits of salts, notes and runs: never the same twice in one history. */
function unique(index: number): string {
  return index.toString(16).padStart(8, '0')
}
