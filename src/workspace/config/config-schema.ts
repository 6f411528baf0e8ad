/** What a configuration file may contain. Each field's error is the end of a sentence that begins with its key. */
import { z } from 'zod'
import { BUILT_IN } from '../../core/config/built-in.ts'
import { readPortRange } from '../../core/config/port-range.ts'
import { type Defaults, LANDINGS, SCOPES, SWITCHES } from '../../core/config/settings.ts'
import { whyBadFilter } from '../../core/filter/filter.ts'
import { ALLOWANCES, ISOLATIONS } from '../../core/isolation/levels.ts'
import { NOTICE_EVENTS, POST_FORMS } from '../../core/notify/notice.ts'

const WEEK = 7 * 24 * 60
const MOST_WORKERS = 256
const HIGHEST_SCORE = 13
const PORTS = mustBe('a range from 1024 to 65535 such as 20000-24999, with room for ten ports')

const { defaults, verify, worktree, retry, ralph, task_size_limits: limits } = BUILT_IN
const { linear } = BUILT_IN.integrations

const land = field(
  z.enum(LANDINGS, mustBe(`one of ${LANDINGS.join(', ')}`)),
  'How finished work reaches its base; with `branch` a person lands it',
  BUILT_IN.land,
)
const taskType = section({ ...typeFields({}), land }, 'Settings for tasks of this type')
const planType = section({ ...typeFields(BUILT_IN.task_types.plan ?? {}), land }, 'Settings for tasks of this type')

const parallelWorkers = field(
  z
    .int(mustBe(`a whole number from 1 to ${MOST_WORKERS}`))
    .min(1)
    .max(MOST_WORKERS),
  'How many tasks run at the same time; tasks that declare the same file never do',
  BUILT_IN.parallel_workers,
)

const linearSection = section(
  {
    enabled: flag('Synchronize tasks with Linear', linear.enabled),
    team_id: text('The team whose issues the tasks become'),
    create_project: flag('Create a project for each plan', linear.create_project),
  },
  'The tracker Linear',
)

const sizeLimits = section(
  {
    max_files_to_create: natural('How many files a task should create at most', limits.max_files_to_create),
    max_files_to_modify: natural('How many files a task should modify at most', limits.max_files_to_modify),
    max_criteria_per_task: natural(
      'How many acceptance criteria a task should have at most',
      limits.max_criteria_per_task,
    ),
    max_acceptance_criteria: natural('The same as max_criteria_per_task'),
    max_input_tokens: natural('How many tokens a task should need', limits.max_input_tokens),
    max_time_minutes: minutes('How long a task should take', limits.max_time_minutes),
    complexity_threshold: field(
      z
        .number(mustBe(`a score from 0 to ${HIGHEST_SCORE}`))
        .min(0)
        .max(HIGHEST_SCORE),
      'Tasks with a higher score are split',
      limits.complexity_threshold,
    ),
    auto_split: flag('Let plan import split such tasks', limits.auto_split),
  },
  'How large a task should be',
)

const agentName = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]*$/)
const variableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
const customAgent = z.strictObject(
  {
    command: words().describe(
      'The command line. The prompt replaces {prompt} in it, a file with the prompt {prompt_file}; otherwise it is the last argument',
    ),
    stdin: flag('Pass the prompt on standard input instead', false),
    env: field(
      z.record(variableName, z.string(mustBe('text, in quotes if it looks like something else')), mustBe('a section')),
      'Variables that only this agent gets',
    ),
  },
  mustBe('a section with a command'),
)

const everywhere = {
  land,
  land_batch: whole('How many branches are verified together before they land', BUILT_IN.land_batch),
  land_attempts: natural('How often work that cannot land goes back to its agent', BUILT_IN.land_attempts),
  delete_branches: flag("Delete a task's branch after its work has landed", BUILT_IN.delete_branches),
  scope: field(
    z.enum(SCOPES, mustBe(`one of ${SCOPES.join(', ')}`)),
    "What happens to work that changes files outside of its task's list; with `ask` a person lands it",
    BUILT_IN.scope,
  ),
  weakened: field(
    z.enum(SCOPES, mustBe(`one of ${SCOPES.join(', ')}`)),
    'What happens to work that makes checks see less, such as a skipped test; with `ask` a person lands it',
    BUILT_IN.weakened,
  ),
  parallel_workers: parallelWorkers,
  fallback: field(
    z.array(words(), mustBe('a list of agents')),
    'Agents that stand in for the usual one while it is paused, in this order',
  ),
  defaults: section(typeFields(defaults), 'Settings for tasks of every type'),
  task_types: section(
    { task: taskType, explore: taskType, plan: planType, implement: taskType, review: taskType, improve: taskType },
    'Settings for tasks of one type; they override `defaults`',
  ),
  agents: field(z.record(agentName, customAgent, mustBe('a section of agents by name')), 'Your own agents, by name'),
  verify: section(
    {
      command: text('Checks the whole tree; exit code 0 means that the tree is good'),
      test_command: text("Runs a task's own test files"),
      timeout_minutes: minutes('The longest time either command may take', verify.timeout_minutes),
      locks: lockNames('Resources that only one check at a time may use, such as a database'),
      network: field(
        z.enum(SWITCHES, mustBe(`one of ${SWITCHES.join(', ')}`)),
        'With `off`, both commands have only localhost where they run in a box',
        verify.network,
      ),
    },
    'How finished work is checked',
  ),
  worktree: section(
    {
      setup: text('Runs in each fresh worktree before its agent and its checks, for example `npm ci`'),
      timeout_minutes: minutes('The longest time `setup` may take', worktree.timeout_minutes),
      copy: field(
        z.array(words(), mustBe('a list of patterns')),
        'Ignored files that each worktree gets a copy of: patterns as in .gitignore; a .worktreeinclude file counts too',
      ),
      link: field(
        z.array(folderInside(), mustBe('a list of folders')),
        'Folders that each worktree gets as a link to yours; an install through a link changes the original',
      ),
      ports: field(
        z.string(mustBe('a range such as 20000-24999')).refine((range) => readPortRange(range) !== null, PORTS),
        'The ports that are shared out: each slot has ten, and GZA_PORT is the first',
        worktree.ports,
      ),
      root: text('The folder in which worktrees are made; a relative path starts at the top of the main checkout'),
    },
    'How a fresh worktree is made ready',
  ),
  budgets: section(
    {
      phase_usd: dollars('The most one phase may cost, in dollars'),
      phase_turns: whole('The most turns of one phase'),
      task_usd: dollars('The most one task may cost, all attempts together'),
      task_turns: whole('The most turns of one task, all attempts together'),
      day_usd: dollars('The most that may be spent in a day, in all repositories together'),
      day_turns: whole('The most turns in a day, in all repositories together'),
    },
    'How much may be spent',
  ),
  retry: section(
    {
      max_attempts: whole('The same as defaults.max_attempts'),
      backoff_seconds: field(
        z.number(mustBe('a number of seconds, 0 or more')).min(0),
        'The pause before a second attempt; it doubles with each further attempt',
        retry.backoff_seconds,
      ),
    },
    'What happens after a failed attempt',
  ),
  ralph: section(
    {
      max_iterations: whole('The most agent calls of one run; the flag --max-iterations wins', ralph.max_iterations),
    },
    'Where `gza work --ralph` stops',
  ),
  task_size_limits: sizeLimits,
  todo: section(
    {
      flow: field(
        z.array(step(), mustBe('a list of steps')),
        'The steps that are filed for an item: titles, each with an optional task type, as in `plan: Write the plan`',
        BUILT_IN.todo.flow,
      ),
    },
    'How `gza todo start` makes tasks from an item of TODO.md',
  ),
  views: field(
    z.record(agentName, filterLine(), mustBe('a section of filters by name')),
    'Saved filters of `gza list`, by name, such as `urgent: status:ready priority:critical,high -group:later`',
  ),
  integrations: section({ linear: linearSection }, 'Other systems'),
}

const notify = section(
  {
    desktop: flag('Show a notice on the desktop', BUILT_IN.notify.desktop),
    bell: flag('Ring the bell of the terminal', BUILT_IN.notify.bell),
    command: text('A command that gets the message as JSON on standard input'),
    url: field(
      z.url({ protocol: /^https?$/, ...mustBe('an http or https address') }),
      'An address to post the message to',
    ),
    form: field(
      z.enum(POST_FORMS, mustBe(`one of ${POST_FORMS.join(', ')}`)),
      'What the address reads; without it, the host decides',
    ),
    events: field(
      z.array(z.enum(NOTICE_EVENTS, mustBe(`one of ${NOTICE_EVENTS.join(', ')}`)), mustBe('a list of events')),
      'What to send',
      BUILT_IN.notify.events,
    ),
  },
  'How you are notified while agents work',
)

const isolationSection = z.strictObject(
  {
    level: field(isolationLevel(), 'How strongly agents are isolated', BUILT_IN.isolation.level),
    allow: field(
      z.array(allowance(), mustBe('a list')),
      'What a box leaves open: docker, ssh-agent, network-for-checks, or folders',
    ),
  },
  mustBe(`one of ${ISOLATIONS.join(', ')}, or a section`),
)

/** `isolation: auto` is short for a section with that level. Not a union: its errors would not say what is wrong. */
const isolation = field(
  z.unknown().transform((given, context): z.infer<typeof isolationSection> => {
    const isShort = typeof given === 'string'
    const read = isShort ? isolationLevel().safeParse(given) : isolationSection.safeParse(given)
    if (!read.success) context.issues.push(...(read.error.issues as z.core.$ZodRawIssue[]))
    return typeof read.data === 'string' ? { level: read.data } : (read.data ?? {})
  }),
)

function isolationLevel() {
  return z.enum(ISOLATIONS, mustBe(`one of ${ISOLATIONS.join(', ')}`))
}

function allowance() {
  const what = mustBe(`one of ${ALLOWANCES.join(', ')}, or the path of a folder that begins with / or ~/`)
  return z.string(what).regex(new RegExp(`^(?:${ALLOWANCES.join('|')}|~?/[^\\n]*)$`), what)
}

/** The person's own file. It cannot set the ledger, which belongs to the repository. */
export const USER_FILE = z.strictObject({ ...everywhere, notify, isolation }, mustBe('a map of keys'))

/** gza.yaml. */
export const PROJECT_FILE = z.strictObject(
  { ledger: text('The branch whose ledger is used, whatever branch is checked out'), ...everywhere },
  mustBe('a map of keys'),
)

/** `.project-config.json` is shared with other tools; other keys in it are theirs. */
export const SHARED_FILE = z.looseObject(
  {
    parallel_workers: parallelWorkers,
    task_size_limits: sizeLimits,
    integrations: field(z.looseObject({ linear: linearSection }, mustBe('a section'))),
  },
  mustBe('an object'),
)

/** `builtIn` is for the reader of the schema: a type that sets nothing gets the value of `defaults`, not this one. */
function typeFields(builtIn: Partial<Defaults>) {
  return {
    agent: text('The agent: a built-in client, or a name from `agents`', builtIn.agent),
    model: text('Passed to the agent unchanged; without it the client chooses'),
    max_turns: whole('The most turns of one phase, for clients that can count them'),
    timeout_minutes: minutes(
      'The longest time a phase may take, except review and improve phases of a review cycle',
      builtIn.timeout_minutes,
    ),
    stall_minutes: minutes('The longest time a phase may be silent', builtIn.stall_minutes),
    auto_review: flag('Review and improve inside the task until a review approves', builtIn.auto_review),
    wait_for_discussion: flag(
      'Wait while a review of work that the task depends on wants a discussion',
      builtIn.wait_for_discussion,
    ),
    max_review_cycles: whole('The most review cycles of one task', builtIn.max_review_cycles),
    review_agent: text('The agent of review phases; without it, the agent that did the work'),
    review_model: text('The model of review phases'),
    review_timeout_minutes: minutes('The longest time a review phase may take', builtIn.review_timeout_minutes),
    improve_timeout_minutes: minutes('The longest time an improve phase may take', builtIn.improve_timeout_minutes),
    max_attempts: whole('Attempts before a person is asked', builtIn.max_attempts),
    locks: lockNames('Resources that only one task at a time may use, such as a database'),
    max_filed_tasks: natural(
      'Tasks that the agents of one run may file; further ones are filed on hold, and are in the inbox',
      builtIn.max_filed_tasks,
    ),
    max_filing_depth: natural(
      'The same for tasks filed by runs of tasks that were filed by runs: how deep that may go',
      builtIn.max_filing_depth,
    ),
  }
}

/** The JSON schema of gza.yaml for editors, exactly as it is published. */
export function configJsonSchema(): string {
  const schema = z.toJSONSchema(PROJECT_FILE, { target: 'draft-7', io: 'input' })
  return `${JSON.stringify({ title: 'gza.yaml', ...schema }, null, 2)}\n`
}

/** An empty value is allowed everywhere and sets nothing. */
function field<T extends z.ZodType>(schema: T, description?: string, builtIn?: unknown) {
  const meta = { ...(description !== undefined && { description }), ...(builtIn != null && { default: builtIn }) }
  return schema.nullish().meta(meta)
}

function section<T extends z.ZodRawShape>(shape: T, description: string) {
  return field(z.strictObject(shape, mustBe('a section')), description)
}

function text(description: string, builtIn?: string) {
  return field(words(), description, builtIn)
}

function words() {
  return z.string(mustBe('text')).regex(/\S/)
}

/** A path below the top of the repository, but not git's own folder or gza's. */
function folderInside() {
  const path = /^(?!\/|~)(?!(?:.*\/)?\.\.?(?:\/|$))(?!\.(?:git|gza)(?:\/|$))[^\n]*\S[^\n]*$/
  return z.string(mustBe('a path')).regex(path, mustBe('a path below the top of the repository'))
}

/** `- plan: Write the plan` is a map in YAML unless it is quoted, but its author means a step. */
function step() {
  const titled = z.record(z.string(), z.string().regex(/\S/)).refine((map) => Object.keys(map).length === 1)
  const joined = titled.transform((map) => Object.entries(map).flat().join(': '))
  return z.union([z.string().regex(/\S/), joined], mustBe('a title, optionally with a type before it'))
}

/** A filter that cannot be read is an error of the file, not of the command that uses it. */
function filterLine() {
  return z.string(mustBe('a filter')).superRefine((line, context) => {
    const problem = whyBadFilter(line)
    if (problem !== null) context.addIssue({ code: 'custom', message: problem, params: { isWholeSentence: true } })
  })
}

function lockNames(description: string) {
  const name = z.string().regex(/^[A-Za-z0-9][\w.:-]*$/, mustBe('a name of letters, digits and -._:'))
  return field(z.array(name, mustBe('a list of names')), description)
}

function flag(description: string, builtIn?: boolean) {
  return field(z.boolean(mustBe('true or false')), description, builtIn)
}

function minutes(description: string, builtIn?: number) {
  const number = z.number(mustBe(`a number of minutes above 0, at most ${WEEK}`))
  return field(number.positive().max(WEEK), description, builtIn)
}

function dollars(description: string) {
  return field(z.number(mustBe('an amount in dollars above 0')).positive(), description)
}

function whole(description: string, builtIn?: number | null) {
  return field(z.int(mustBe('a whole number above 0')).min(1), description, builtIn)
}

function natural(description: string, builtIn?: number) {
  return field(z.int(mustBe('a whole number')).min(0), description, builtIn)
}

function mustBe(what: string): { error: string } {
  return { error: `must be ${what}` }
}
