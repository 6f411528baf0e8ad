import { z } from 'zod'
import {
  about,
  commit,
  count,
  flag,
  maybe,
  named,
  ShortTask,
  seconds,
  TaskName,
  taskId,
  taskType,
  text,
  texts,
  time,
  usd,
} from './fields.ts'
import { Summary } from './look.ts'
import { Task } from './task.ts'

export const Claimed = named('Claimed', 'A claimed task.', { task: Task, run: text, expires_at: time })

const agent = {
  agent: text,
  client: maybe(text),
  registered: flag,
  status: z.enum(['idle', 'busy', 'blocked', 'failed']),
  detail: maybe(text),
  current_task: maybe(TaskName),
  open_count: count,
  heartbeat_at: maybe(time),
}
export const Agent = named('Agent', 'An agent.', agent)
export const PausableAgent = named('PausableAgent', 'An agent, and whether it is paused.', {
  ...agent,
  paused_until: maybe(time),
})
export const RemovedAgent = named('RemovedAgent', 'The agent that was removed.', { agent: text })
export const ResumedAgent = named('ResumedAgent', 'The pauses that were lifted.', {
  agent: text,
  lifted: z.array(named('LiftedPause', 'A pause that was lifted.', { model: text, paused_until: time })),
})

export const BoxAdvice = named('BoxAdvice', 'What makes a check pass in a box.', {
  allow: texts,
  file: text,
  advice: text,
})
const TaskRun = named('TaskRun', 'A run of a task.', { number: count, id: taskId, run: text, branch: maybe(text) })
const Pause = named('Pause', 'An agent at its usage limit.', { agent: text, paused_until: time })
const DayBudget = named('DayBudget', 'The budget of the day is used up.', { detail: text, paused_until: time })
const Lead = maybe(ShortTask).describe('The task whose branch it lands with')
export const AnError = named('Error', 'An error.', { code: text, message: text, hint: maybe(text) })

export const End = named('End', 'How a work session ended.', {
  completed: z.array(ShortTask),
  unverified: z.array(ShortTask),
  landed: z.array(named('LandedShort', 'A task that landed.', { ...ShortTask.shape, base: text })),
  failed: z.array(named('FailedShort', 'A task whose last attempt failed.', { ...ShortTask.shape, reason: text })),
  to_land: z.array(ShortTask),
  texts: z.array(
    named('EndedText', 'A text that was written.', { ...ShortTask.shape, type: text, copy: text, next: text }),
  ),
  inbox_count: maybe(count),
  cost_usd: maybe(usd),
  agents_without_cost: texts,
  next: maybe(about('The next command')),
})

const Deadlock = named('Deadlock', 'Why nothing can run.', {
  open_count: count,
  failed: z.array(TaskName),
  on_hold: z.array(TaskName),
  asking: z.array(TaskName),
  unknown: z.array(TaskName),
  cycles: z.array(z.array(TaskName)),
  detail: text,
})

export const LandedTask = named('LandedTask', 'A task that landed.', {
  number: count,
  id: taskId,
  title: text,
  base: text,
  method: text,
  commits: z.array(commit),
})
export const ReturnedTask = named('ReturnedTask', 'A task that could not land.', {
  number: count,
  id: taskId,
  title: text,
  outcome: z.enum(['conflict', 'red']),
  detail: text,
  lead: Lead,
  sent_back: flag,
})
export const WaitingLanding = named('WaitingLanding', 'Verified work that waits for a checkout.', {
  path: text,
  detail: text,
  lock: maybe(text),
  numbers: z.array(count),
})
export const StoppedLanding = named('StoppedLanding', 'Why nothing more lands.', {
  code: z.enum(['BASE_RED', 'CANCELLED']),
  detail: text,
  in_box: maybe(BoxAdvice),
})
const BuildCheck = named('BuildCheck', 'The check of the base after the last task.', {
  base: text,
  commit,
  ok: flag,
  detail: text,
  in_box: maybe(BoxAdvice),
  failed_outside: flag.describe('It fails without a box too'),
})
const SessionLanding = named('SessionLanding', 'What landed by itself.', {
  base: text,
  landed: z.array(LandedTask),
  returned: z.array(ReturnedTask),
  waiting: maybe(WaitingLanding),
  stopped: maybe(StoppedLanding),
  failure: maybe(text),
  build: maybe(BuildCheck),
})

export const Worked = named('Worked', 'What `work` did.', {
  completed: z.array(TaskRun),
  failed: z.array(named('FailedRun', 'A failed attempt.', { ...TaskRun.shape, reason: text, final: flag })),
  interrupted: z.array(TaskRun),
  asked: z.array(named('AskedTask', 'A task whose agent asked.', { ...ShortTask.shape, question: text })),
  refused: z.array(named('RefusedTask', 'A task that cannot start.', { ...ShortTask.shape, code: text, detail: text })),
  paused: z.array(Pause),
  down: texts.describe('Agents that could not be started'),
  day_budget: maybe(DayBudget),
  deadlock: maybe(Deadlock),
  base_red: maybe(
    named('BaseRed', 'The base fails its checks.', {
      base: text,
      commit,
      detail: text,
      command: text,
      in_box: maybe(BoxAdvice),
    }),
  ),
  landing: maybe(SessionLanding),
  summary: maybe(Summary),
  end: End,
  error: maybe(AnError).describe('A fault of the machine'),
})

export const RanInTree = named('RanInTree', 'What `git tasks run` did.', {
  completed: z.array(ShortTask),
  failed: z.array(ShortTask),
  skipped: z.array(ShortTask),
  asked: z.array(ShortTask),
  planned: z.array(named('PlannedInTree', 'With --dry-run.', { number: count, id: taskId, title: text, agent: text })),
  all_done: flag,
  paused: z.array(Pause),
  day_budget: maybe(DayBudget),
  nested_repositories: texts,
  failure: maybe(text),
  end: maybe(End),
  error: maybe(AnError).describe('A fault of the machine'),
})

const why = { number: count, id: taskId, code: text, detail: text }
export const Why = named('Why', 'Why a task is not running.', why)
export const WorkPlan = named('WorkPlan', 'What `work` would do.', {
  workers: count,
  batches: z.array(
    z.array(
      named('PlannedRun', 'A run that would start.', {
        number: count,
        id: taskId,
        key: maybe(text),
        title: text,
        type: taskType,
        attempt: count,
        agent: text,
        model: maybe(text),
        branch: maybe(text),
        start: named('StartPoint', 'Where its work starts.', {
          commit: maybe(commit),
          merge: texts,
          builds_on_numbers: z.array(count),
        }),
        not_before: maybe(time),
        max_iterations: maybe(count),
        max_review_cycles: maybe(count),
        review: flag,
      }),
    ),
  ),
  not_run: z.array(named('NotRun', 'A task that would not run.', { ...why, key: maybe(text), title: text })),
})

const simulated = { number: count, id: taskId, key: maybe(text), title: text }
const SimulatedTask = named('SimulatedTask', 'A task of a simulation.', simulated)
export const Simulation = named('Simulation', 'How long the work would take.', {
  workers: count,
  schedules: z.array(
    named('ScheduleTime', 'The time with so many workers.', { workers: count, seconds, idle_seconds: seconds }),
  ),
  schedule: z.array(
    named('ScheduledRun', 'A run of the schedule; its times count from now.', {
      ...simulated,
      worker: count,
      start_seconds: seconds,
      end_seconds: seconds,
      seconds,
      basis: z.enum(['recorded', 'estimated']),
    }),
  ),
  critical_path: named('CriticalPath', 'The longest chain.', { seconds, tasks: z.array(SimulatedTask) }),
  durations: named('DurationCounts', 'Where the durations come from.', { recorded: count, estimated: count }),
  not_run: z.array(named('NotSimulated', 'A task that would not run.', { ...simulated, code: text })),
})

const Landing = {
  base: text,
  landed: z.array(LandedTask),
  returned: z.array(ReturnedTask),
  waiting: maybe(WaitingLanding),
  stopped: maybe(StoppedLanding),
}
const asked = { number: count, id: taskId, lead: Lead }
export const Merged = named('Merged', 'What `merge` did.', {
  ...Landing,
  planned: z.array(named('PlannedLanding', 'With --dry-run.', { ...asked, title: text, branch: text, method: text })),
  refused: z.array(
    named('RefusedLanding', 'A task that cannot land.', { ...asked, code: text, detail: text, next: maybe(text) }),
  ),
  warnings: texts,
})
export const QueueItem = named('QueueItem', 'Finished work that has not landed.', {
  number: count,
  id: taskId,
  uid: text,
  title: text,
  branch: text,
  base: text,
  code: text,
  detail: text,
  needs_branches: texts,
  outside: texts,
  weakened: z.array(
    named('Weakening', 'A place at which work makes checks see less.', {
      kind: text,
      path: text,
      line: maybe(count.describe('Null: the whole file')),
      text,
    }),
  ),
  automatic: flag,
})
export const Diff = named('Diff', 'What a task changed.', {
  number: count,
  id: taskId,
  from: text,
  to: text,
  landed: flag,
  text,
})
