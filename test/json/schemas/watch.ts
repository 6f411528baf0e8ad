import { z } from 'zod'
import { count, flag, maybe, named, seconds, status, TaskName, taskId, text, texts, time, usd } from './fields.ts'
import { Task } from './task.ts'

const run = {
  id: text,
  run: text,
  number: count,
  uid: text,
  ledger: text,
  title: text,
  type: text,
  attempt: count,
  agent: text,
  phase: text,
  step: text,
  started_at: time,
  last_action: maybe(text),
  session: maybe(text),
  tokens_in: count,
  tokens_out: count,
  cost_usd: usd,
  turns: count,
  cancel: maybe(text),
}
const LiveRun = named('LiveRun', 'A run in progress.', run)
const orphan = maybe(named('Orphan', 'Its gza has died; its processes still run.', { pids: z.array(count) }))
export const ListedRun = named('ListedRun', 'A run as `ps` lists it.', { ...run, orphan })
export const KilledRun = named('KilledRun', 'The run that was ended.', { ...run, orphan, detail: maybe(text) })

export const InboxEntry = named('InboxEntry', 'Something that needs a person.', {
  task: maybe(TaskName),
  subject: maybe(text),
  code: text,
  detail: text,
  commands: texts,
  cycle_texts: texts,
})

export const Watched = named('Watched', 'Everything that `watch` shows.', {
  ledger: text,
  counts: named('WatchCounts', 'Tasks, counted.', {
    in_progress: count,
    ready: count,
    blocked: count,
    completed: count,
    failed: count,
  }),
  inbox: z.array(InboxEntry),
  queue: z.array(Task),
  runs: z.array(LiveRun),
  elsewhere: z.array(
    named('ElsewhereTask', 'A task that others work on.', {
      number: count,
      id: taskId,
      title: text,
      holder: text,
      started_at: time,
    }),
  ),
})

const totals = {
  attempts: count,
  completed: count,
  failed: count,
  interrupted: count,
  seconds,
  tokens_in: count,
  tokens_out: count,
  cost_usd: usd,
  attempts_without_cost: count,
  turns: count,
}
const Budget = named('Budget', 'The limits of the day, or of one task.', { cost_usd: maybe(usd), turns: maybe(count) })
const worked = {
  task_count: count,
  ...totals,
  first_attempts: count,
  first_try_completed: count,
  review_cycles: count,
  verify_seconds: seconds,
}
export const Stats = named('Stats', 'Cost, tokens, attempts and time.', {
  days: maybe(count),
  total: named('Totals', 'The sums over all runs.', worked),
  by_type: z.array(named('TypeTotals', 'The sums for a type.', { type: text, ...worked })),
  by_agent: z.array(named('AgentTotals', 'The sums for an agent.', { agent: text, ...worked })),
  by_model: z.array(
    named('ModelTotals', 'The sums for an agent with a model; null: the client chose it.', {
      agent: text,
      model: maybe(text),
      ...worked,
    }),
  ),
  by_day: z.array(
    named('DayTotals', 'The sums for a local day, on which the runs ended.', {
      day: text,
      finished_count: count,
      landed_count: count,
      ...worked,
    }),
  ),
  by_task: z.array(
    named('TaskTotals', 'The sums for a task.', {
      number: count,
      id: taskId,
      title: text,
      status,
      type: text,
      deleted: flag,
      ...totals,
    }),
  ),
  time: named('TimeSpent', 'Of all tasks together: working, verifying and waiting.', {
    working_seconds: seconds,
    verifying_seconds: seconds,
    waiting_to_start_seconds: seconds,
    waiting_to_retry_seconds: seconds,
    waiting_to_land_seconds: seconds,
  }),
  today: named('Today', 'What the person has spent today, in all repositories.', {
    cost_usd: usd,
    turns: count,
    budget: Budget,
  }),
  task_budget: Budget,
})

export const LogLine = named('LogLine', 'A line that the agent printed, with the events that were read from it.', {
  number: count,
  run: text,
  at: time,
  phase: text,
  stream: z.enum(['out', 'err', 'gza']).describe('`gza`: a message about the log itself'),
  line: text,
  events: z.array(
    z
      .looseObject({
        kind: z.enum(['session', 'text', 'tool', 'denied', 'turn', 'tokens', 'cost', 'limit', 'result', 'error']),
      })
      .meta({ id: 'LogEvent', description: 'What the line says. The other fields depend on its kind.' }),
  ),
  cut: maybe(count).describe('In a message of gza: how many bytes were cut out of the log'),
})

export const Prompt = named('Prompt', 'What an agent would get.', {
  id: taskId,
  number: count,
  phase: text,
  agent: text,
  estimated_tokens: count,
  parts: z.array(
    named('PromptPart', 'A part of a prompt.', { name: text, estimated_tokens: count, estimated_tokens_uncut: count }),
  ),
  prompt: text,
})

export const Served = named('Served', 'Where the page is served.', { address: text, already: flag })

export const ResolvedPlan = named('ResolvedPlan', 'A rejected plan that is out of the inbox.', {
  subject: text,
  resolved: text,
})
