/** What an agent should do next, and the commands for it. */
import { type Command, command, type Sentence } from '../sentence.ts'
import { plural } from '../text/plural.ts'
import { briefText } from '../text/shorten.ts'

export interface NamedTask {
  number: number
  id: string
  title: string
}

/** Where an agent stands. */
export type Standing =
  /** In a run of gza, which closes the task itself. */
  | { state: 'in_run'; task: NamedTask }
  /** `by`: its name, if only that shows that the claim is its own. */
  | { state: 'claimed'; task: NamedTask; by: string | null }
  | { state: 'ready'; task: NamedTask }
  /** The task that was asked for cannot be taken now. */
  | {
      state: 'not_ready'
      task: NamedTask
      why: keyof typeof WHY_NOT
    }
  /** Tasks are open, and none can start. `task` is one of them. */
  | ({ state: 'waiting'; task: NamedTask | null } & Record<
      'blocked' | 'failed' | 'asking' | 'held' | 'running',
      number
    >)
  | { state: 'nothing_open'; task: null }

const WHY_NOT = {
  blocked: 'waits for other tasks',
  held: 'waits for a person',
  in_parts: 'has open parts; take one of them',
  in_progress: 'is in progress',
  finished: 'is finished',
  failed: 'has failed',
} as const

export interface Step {
  command: Command
  does: string
}

export interface NextSteps {
  says: Sentence
  steps: Step[]
}

/** How a face names tasks: `#3` in a list, `task #3 (task-a3f8)` in a text, and 3 in a command. */
export interface TaskNames {
  name(task: Omit<NamedTask, 'title'>): string
  label(task: NamedTask): string
  ref(task: NamedTask): string
}

const MORE_WORK: Step = { command: command`add "…"`, does: 'files work that you found' }
const OTHERS: Step = { command: command`next`, does: 'lists the tasks that can start now' }
const TAKE_ANOTHER: Step = { command: command`claim --next`, does: 'takes the most urgent task' }

export function nextSteps(standing: Standing, names: TaskNames): NextSteps {
  switch (standing.state) {
    case 'in_run':
      return inRun(standing.task, names)
    case 'claimed':
      return claimed(standing.task, standing.by, names)
    case 'ready':
      return ready(standing.task, names)
    case 'not_ready':
      return notReady(standing, names)
    case 'waiting':
      return waiting(standing, names)
    case 'nothing_open':
      return {
        says: 'No task is open. Do what you were asked for; file what is left to do.',
        steps: [
          { command: command`add "…"`, does: 'files a task' },
          { command: command`list --all`, does: 'lists what is finished' },
        ],
      }
    default:
      return standing satisfies never
  }
}

function inRun(task: NamedTask, names: TaskNames): NextSteps {
  const ref = names.ref(task)
  return {
    says: `You are in a run of ${titled(task, names)}. Do it and commit: gza checks your commit and closes the task.`,
    steps: [
      { command: command`show ${ref}`, does: 'prints everything known about it' },
      { command: command`note ${ref} "…"`, does: 'writes down what the next agent must know' },
      { command: command`ask ${ref} "…"`, does: 'asks a person, if you cannot decide' },
      MORE_WORK,
    ],
  }
}

function claimed(task: NamedTask, by: string | null, names: TaskNames): NextSteps {
  const ref = names.ref(task)
  const says =
    by === null
      ? `You have ${titled(task, names)}. Do it, commit, then close it.`
      : `${by} has claimed ${titled(task, names)}. If that was you: do it, commit, then close it.`
  return {
    says,
    steps: [
      { command: command`show ${ref}`, does: 'prints everything known about it' },
      { command: command`note ${ref} "…"`, does: 'writes down what the next agent must know' },
      { command: command`done ${ref}`, does: 'closes it' },
      by === null ? { command: command`release ${ref}`, does: 'gives it back' } : TAKE_ANOTHER,
    ],
  }
}

function ready(task: NamedTask, names: TaskNames): NextSteps {
  const ref = names.ref(task)
  return {
    says: `Take ${titled(task, names)}. It can start now.`,
    steps: [
      { command: command`claim ${ref}`, does: 'takes it; then do it and commit' },
      { command: command`note ${ref} "…"`, does: 'writes down what the next agent must know' },
      { command: command`done ${ref}`, does: 'closes it' },
      OTHERS,
    ],
  }
}

function notReady({ task, why }: Extract<Standing, { state: 'not_ready' }>, names: TaskNames): NextSteps {
  const ref = names.ref(task)
  return {
    says: `Leave ${names.label(task)} alone: it ${WHY_NOT[why]}.`,
    steps: [
      ...(why === 'finished' ? [] : [{ command: command`why ${ref}`, does: 'says what it waits for' }]),
      { command: command`show ${ref}`, does: 'prints everything known about it' },
      TAKE_ANOTHER,
    ],
  }
}

function waiting(standing: Extract<Standing, { state: 'waiting' }>, names: TaskNames): NextSteps {
  const { task, blocked, failed, asking, held, running } = standing
  const counts = [
    [blocked, 'blocked by others'],
    [failed, 'failed'],
    [asking, 'waiting for the answer of a person'],
    [held, 'on hold'],
    [running, 'in progress'],
  ] as const
  const words = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
  const all = counts.reduce((sum, [count]) => sum + count, 0)
  return {
    says: `Nothing can start now: ${plural(all, 'open task')}, ${words.join(', ')}. Report that and stop, or file new work.`,
    steps: [
      ...(task === null
        ? []
        : [{ command: command`why ${names.ref(task)}`, does: `says what ${names.name(task)} waits for` }]),
      { command: command`list`, does: 'lists what is open' },
      { command: command`add "…"`, does: 'files a task' },
    ],
  }
}

/** As gza names them. */
export const BY_NUMBER: TaskNames = {
  name: ({ number }) => `#${number}`,
  label: ({ number, id }) => `task #${number} (${id})`,
  ref: ({ number }) => String(number),
}

/** As git tasks names them. */
export const BY_ID: TaskNames = { name: ({ id }) => id, label: ({ id }) => id, ref: ({ id }) => id }

function titled(task: NamedTask, names: TaskNames): string {
  return `${names.label(task)}: ${briefText(task.title, 100)}`.replace(/[.:;]$/, '')
}
