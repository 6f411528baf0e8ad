/** Settings with two names: both are accepted, and the second is the canonical one. */
export const SAME_SETTING: Readonly<Record<string, string>> = {
  'retry.max_attempts': 'defaults.max_attempts',
  'task_size_limits.max_acceptance_criteria': 'task_size_limits.max_criteria_per_task',
}

export function canonicalKey(key: string): string {
  return Object.hasOwn(SAME_SETTING, key) ? (SAME_SETTING[key] ?? key) : key
}
