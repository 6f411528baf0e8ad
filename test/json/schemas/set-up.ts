import { z } from 'zod'
import { commit, count, flag, maybe, named, seconds, taskId, text, texts } from './fields.ts'
import { TreeLine } from './look.ts'
import { BoxAdvice } from './work.ts'

const { depth: _, ...lineShape } = TreeLine.shape

export const Context = z
  .strictObject({
    markdown: text,
    tasks: z.array(
      named('ContextLine', 'A line of the context.', {
        ...lineShape,
        step: maybe(text),
        parts: maybe(named('PartCounts', 'How many parts are finished.', { done: count, total: count })),
      }),
    ),
    omitted: count,
    next: named('NextStep', 'What an agent does next.', {
      state: z.enum(['in_run', 'claimed', 'not_ready', 'ready', 'nothing_open', 'waiting']),
      task: maybe(named('NamedTask', 'A task.', { number: count, id: taskId, title: text })),
      commands: texts,
    }),
  })
  .meta({ id: 'Context', description: 'What an agent should know about the tasks around its own.' })
export const Hook = named('SessionHook', 'With --hook: in the form that clients accept.', {
  hookSpecificOutput: named('HookOutput', 'Its names are those of the clients.', {
    hookEventName: text,
    additionalContext: text,
  }),
})

export const PullRequestText = named('PullRequestText', 'The description of a pull request.', { markdown: text })
export const Synced = named('Synced', 'What was exchanged with a remote.', {
  remote: text,
  ledgers: z.array(
    named('SyncedLedger', 'A ledger.', { ledger: text, result: text, task_count: count, detail: maybe(text) }),
  ),
  printed: texts.describe('What the remote printed about rejected ledgers'),
})
const linearRow = { id: taskId, number: count, title: text, issue: maybe(text), url: maybe(text), detail: text }
const LinearRow = named('LinearRow', 'A task and its issue.', linearRow)
export const LinearSynced = named('LinearSynced', 'What was exchanged with Linear.', {
  team: text,
  dry_run: flag,
  created: z.array(LinearRow),
  updated: z.array(LinearRow),
  pulled: z.array(LinearRow),
  labels: texts,
  projects: texts,
  milestones: texts,
  relations: count,
  left: z.array(LinearRow),
  failed: z.array(named('LinearFailure', 'What Linear refused.', { id: maybe(taskId), what: text, detail: text })),
})

const BadCommit = named('BadCommit', 'A commit that is not legal.', { commit: text, detail: text, author: maybe(text) })
export const Verified = named('Verified', 'A ledger whose history was checked.', {
  ledger: text,
  ok: flag,
  commit_count: count,
  task_count: count,
  first_bad: maybe(BadCommit),
  problems: z.array(BadCommit),
  accepted_count: count,
  refused: z.array(
    named('RefusedHistory', 'A fetched history that was not taken in.', { remote: text, first_bad: BadCommit }),
  ),
  witnesses: z.array(
    named('Witness', 'A witness.', {
      name: text,
      state: z.enum(['agrees', 'warns', 'differs', 'missing']),
      detail: text,
    }),
  ),
  links: z.array(
    named('LostLink', 'A link to a commit that no branch has.', {
      id: taskId,
      number: count,
      commit,
      state: z.enum(['unreachable', 'missing']),
    }),
  ),
})
export const Finding = named('Finding', 'What doctor found.', {
  name: text,
  state: z.enum(['ok', 'warn', 'fail']),
  detail: text,
  next: maybe(text),
})
export const Pruned = named('Pruned', 'What prune did.', {
  archived: z.array(
    named('ArchivedLedger', 'An archived ledger.', {
      ledger: text,
      ref: text,
      open_count: count,
      moved_to: maybe(text),
    }),
  ),
  kept: z.array(named('KeptLedger', 'A ledger with open tasks.', { ledger: text, open_count: count })),
  archived_on_remote: texts,
  restored: maybe(text),
  joined: flag,
})

export const Initialized = named('Initialized', 'What init did.', {
  done: texts.describe('Sentences'),
  config: maybe(
    named('WrittenConfig', 'What was done about gza.yaml.', {
      action: z.enum(['create', 'add', 'none']),
      committed: flag,
      trusted: flag,
    }),
  ).describe('Null with --bare'),
  checks: maybe(
    named('FirstCheck', 'The first run of the checks.', {
      base: text,
      ok: flag,
      detail: text,
      seconds,
      in_box: maybe(BoxAdvice),
    }),
  ).describe('Null: none were run'),
})
export const TrustedFile = named('TrustedFile', 'A file whose commands may run.', {
  file: text,
  hash: text,
  trusted: flag,
})
export const Setting = named('Setting', 'A setting and where it comes from.', {
  key: text,
  value: z.union([z.string(), z.number(), z.boolean(), texts, z.null()]),
  origin: z
    .strictObject({
      kind: z.enum(['built-in', 'user', 'project', 'environment', 'command-line']),
      file: maybe(text),
      line: maybe(count),
      name: maybe(text),
    })
    .meta({ id: 'Origin', description: 'A file with its line, a variable, or a flag.' }),
})
export const Notified = named('Notified', 'How notifications are sent.', {
  channels: texts,
  events: texts,
  sent: maybe(z.array(named('SentMessage', 'A test message.', { channel: text, failure: maybe(text) }))),
})
export const ClientSetup = named('ClientSetup', 'A change of the settings of a client.', {
  client: text,
  path: text,
  kind: z.enum(['hook', 'request', 'server']),
  action: z.enum(['none', 'create', 'change', 'delete']),
  diff: texts,
  applied: flag,
})
export const Script = named('Script', 'A script for a shell.', { script: text })
