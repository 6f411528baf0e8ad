import { TASK_TYPES } from '../task/task.ts'
import { BUILT_IN } from './built-in.ts'
import { TYPE_KEYS } from './effective.ts'
import { SAME_SETTING } from './same-setting.ts'

/** Every key that can be configured, dotted; `*` is a placeholder for a name that the user chooses. */
export const KNOWN_KEYS: readonly string[] = [
  ...['ledger', 'land', 'land_batch', 'land_attempts', 'delete_branches', 'scope', 'weakened'],
  ...['parallel_workers', 'fallback'],
  ...below('defaults', BUILT_IN.defaults),
  ...TASK_TYPES.flatMap((type) => TYPE_KEYS.map((key) => `task_types.${type}.${key}`)),
  ...['agents.*.command', 'agents.*.stdin', 'agents.*.env.*'],
  ...below('verify', BUILT_IN.verify),
  ...below('worktree', BUILT_IN.worktree),
  ...below('budgets', BUILT_IN.budgets),
  ...below('retry', BUILT_IN.retry),
  ...below('ralph', BUILT_IN.ralph),
  ...below('task_size_limits', BUILT_IN.task_size_limits),
  ...below('todo', BUILT_IN.todo),
  'views.*',
  ...below('integrations.linear', BUILT_IN.integrations.linear),
  ...below('notify', BUILT_IN.notify),
  ...below('isolation', BUILT_IN.isolation),
  ...Object.keys(SAME_SETTING),
]

/** The keys that `gza config` always accepts. */
export const SHOWN_KEYS: readonly string[] = KNOWN_KEYS.filter((key) => !key.includes('*'))

function below(section: string, values: object): string[] {
  return Object.keys(values).map((key) => `${section}.${key}`)
}
