/** How strongly a run's processes are kept away from everything that is not theirs, the strongest first. */
export const LEVELS = ['bubblewrap', 'unshare', 'landlock', 'none'] as const
export type Level = (typeof LEVELS)[number]

/**
 * What a person asks for. `auto`: the strongest level that this machine has. `strict`: the same, and a read-only home
 * folder. `required`: no run starts without a box. `off`: no level.
 */
export const ISOLATIONS = ['auto', 'strict', 'required', 'off'] as const
export type Isolation = (typeof ISOLATIONS)[number]

/** Names that `isolation.allow` knows. Anything else in it is the path of a folder. */
export const ALLOWANCES = ['docker', 'ssh-agent', 'network-for-checks'] as const

export interface IsolationSettings {
  level: Isolation
  /** What a box leaves open although it would be closed: names of `ALLOWANCES`, and folders that stay writable. */
  allow: readonly string[]
}

/** A box has its own view of files and processes. Landlock only refuses: nothing is hidden, and nothing can be mounted. */
export function isBox(level: Level): boolean {
  return level === 'bubblewrap' || level === 'unshare'
}
