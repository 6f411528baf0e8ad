/**
 * The configuration as the rest of gza sees it. Sources, weakest first: built in, the person's own file,
 * `.project-config.json`, `gza.yaml`, the environment. Each command applies the values of its command line on top.
 */
import type { IsolationSettings } from '../isolation/levels.ts'
import type { NotifySettings } from '../notify/notice.ts'
import type { TaskType } from '../task/task.ts'

export const LANDINGS = ['branch', 'cherry-pick', 'merge', 'squash'] as const
export type Landing = (typeof LANDINGS)[number]

/** `report`: it is reported. `ask`: it also does not land before a person has looked at it. */
export const SCOPES = ['report', 'ask'] as const
export type Scope = (typeof SCOPES)[number]

/** The place of a value. `project` files come with a clone, so what they execute needs a person's trust. */
export type Origin =
  | { kind: 'built-in' }
  | { kind: 'user' | 'project'; file: string; line: number }
  | { kind: 'environment' | 'command-line'; name: string }

/** The settings for tasks of every type, unless their type sets something else. */
export interface Defaults {
  agent: string
  /** Null: the client chooses. */
  model: string | null
  /** Null: no limit is passed. */
  max_turns: number | null
  timeout_minutes: number
  /** Minutes without a sign of life. */
  stall_minutes: number
  auto_review: boolean
  /** Whether a task waits while a review of work that it depends on wants a discussion. */
  wait_for_discussion: boolean
  max_review_cycles: number
  /** Null: the agent that did the work. */
  review_agent: string | null
  /** Null: the model of the work, if the reviewer is the same agent. */
  review_model: string | null
  review_timeout_minutes: number
  improve_timeout_minutes: number
  max_attempts: number
  /** Tasks that the agents of one run may file before they are filed on hold. */
  max_filed_tasks: number
  /** The same for tasks filed by runs of tasks that runs have filed. */
  max_filing_depth: number
  /** Resources that only one task at a time may use. */
  locks: readonly string[]
}

/** The settings for a task of one type, with the origin of each value. */
export interface TypeSettings extends Defaults {
  review_agent: string
  land: Landing
  origins: Record<TypeKey, Origin>
}
export type TypeKey = keyof Defaults | 'land'

export interface CustomAgent {
  command: string
  /** The prompt goes to standard input instead of the last argument. */
  stdin: boolean
  env: Record<string, string>
}

export interface VerifySettings {
  /** Null: nothing is run. */
  command: string | null
  test_command: string | null
  timeout_minutes: number
  /** Resources that only one check at a time may use. */
  locks: readonly string[]
  /** Whether checks in a box reach the network. `off` in any file wins: it only restricts. */
  network: Switch
}

export const SWITCHES = ['on', 'off'] as const
export type Switch = (typeof SWITCHES)[number]

/** How a fresh worktree is made ready for its agent and its checks. */
export interface WorktreeSettings {
  /** A command line; null: nothing is run. */
  setup: string | null
  timeout_minutes: number
  /** Patterns as in .gitignore. The ignored files that match are copied. */
  copy: readonly string[]
  /** Folders that become links to those of the person's checkout. */
  link: readonly string[]
  /** The folder for worktrees; null: below the person's state folder. */
  root: string | null
  /** The ports that slots share out, as `20000-24999`. */
  ports: string
}

/** Null: no limit. */
export interface Budgets {
  phase_usd: number | null
  phase_turns: number | null
  task_usd: number | null
  task_turns: number | null
  day_usd: number | null
  day_turns: number | null
}

export interface TaskSizeLimits {
  max_files_to_create: number
  max_files_to_modify: number
  max_criteria_per_task: number
  max_input_tokens: number
  max_time_minutes: number
  complexity_threshold: number
  auto_split: boolean
}

export interface LinearSettings {
  enabled: boolean
  team_id: string | null
  create_project: boolean
}

export interface Config {
  /** Null: the branch decides. */
  ledger: string | null
  land: Landing
  /** How many branches are verified together before they land. */
  land_batch: number
  /** How often a task that cannot land goes back to its agent before a person is asked. */
  land_attempts: number
  /** Whether a branch is deleted once its work has landed. */
  delete_branches: boolean
  /** What happens to work that changes files outside of its task's list. */
  scope: Scope
  /** What happens to work that makes checks see less. */
  weakened: Scope
  parallel_workers: number
  /** Agents that stand in for the usual one while it is paused, in this order. */
  fallback: readonly string[]
  defaults: Defaults
  /** Only what a type sets itself; `effective` returns all settings. */
  task_types: Partial<Record<TaskType, GivenValues<Defaults & { land: Landing }>>>
  agents: ReadonlyMap<string, CustomAgent>
  verify: VerifySettings
  worktree: WorktreeSettings
  budgets: Budgets
  retry: { backoff_seconds: number }
  ralph: { max_iterations: number }
  task_size_limits: TaskSizeLimits
  /** The steps for a TODO.md item that is taken up, each a title, or a type and a title: `plan: Write the plan`. */
  todo: { flow: readonly string[] }
  /** Saved filters of `gza list`, by name. */
  views: Readonly<Record<string, string>>
  integrations: { linear: LinearSettings }
  notify: NotifySettings
  isolation: IsolationSettings
  /** By dotted key; a key that is missing here is built in. */
  origins: ReadonlyMap<string, Origin>
}

/** The values that a source sets, which are never null: an empty value sets nothing. */
export type GivenValues<T> = { [K in keyof T]?: NonNullable<T[K]> }

/** The values of one source, under the canonical name of each setting. */
export interface ConfigValues {
  ledger?: string
  land?: Landing
  land_batch?: number
  land_attempts?: number
  delete_branches?: boolean
  scope?: Scope
  weakened?: Scope
  parallel_workers?: number
  fallback?: readonly string[]
  defaults?: GivenValues<Defaults>
  task_types?: Config['task_types']
  agents?: Record<string, GivenValues<CustomAgent> & Pick<CustomAgent, 'command'>>
  verify?: GivenValues<VerifySettings>
  worktree?: GivenValues<WorktreeSettings>
  budgets?: GivenValues<Budgets>
  retry?: GivenValues<Config['retry']>
  ralph?: GivenValues<Config['ralph']>
  task_size_limits?: GivenValues<TaskSizeLimits>
  todo?: GivenValues<Config['todo']>
  views?: Record<string, string>
  integrations?: { linear?: GivenValues<LinearSettings> }
  notify?: GivenValues<NotifySettings>
  isolation?: GivenValues<IsolationSettings>
}

export interface ConfigLayer {
  values: ConfigValues
  origins: ReadonlyMap<string, Origin>
}

const BUILT_IN: Origin = { kind: 'built-in' }

export function originOf(config: Config, key: string): Origin {
  return config.origins.get(key) ?? BUILT_IN
}
