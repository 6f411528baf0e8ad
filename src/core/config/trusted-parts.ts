import type { Config } from './settings.ts'

/** What the project's files want that needs a person's trust, as the middle of a sentence, and the file that has it. */
export interface TrustedPart {
  key: string
  /** "wants to run 'make'". */
  wish: string
  file: string
  line: number
}

/**
 * Everything in the project's own files that starts something, lands, or raises a limit above the person's own. Nothing
 * is started before a person trusts those files. What only restricts is followed without trust, and the person's own
 * file needs none. `own`: the configuration without the project's files.
 */
export function partsThatNeedTrust(config: Config, own: Config): TrustedPart[] {
  const parts = [...config.origins].flatMap(([key, origin]) => {
    const wish = origin.kind === 'project' ? wishOf(key, { config, own }) : null
    return wish === null || origin.kind !== 'project' ? [] : [{ key, wish, file: origin.file, line: origin.line }]
  })
  return parts.sort((a, b) => a.line - b.line)
}

function wishOf(key: string, { config, own }: { config: Config; own: Config }): string | null {
  const value = valueAt(config, key)
  const owns = valueAt(own, key)
  if (value === undefined) return null
  if (RUNS.test(key)) return `wants to run '${text(value)}'`
  if (STARTS.test(key)) return `wants to set ${key} to ${text(value)}`
  if (LANDS.test(key)) return value === 'branch' || value === owns ? null : 'wants to land finished work by itself'
  if (key === 'scope' && value === 'report' && owns === 'ask')
    return 'wants to land changes outside of the declared files by itself'
  if (key === 'weakened' && value === 'report' && owns === 'ask') return 'wants to land weakened checks by itself'
  if (!LIMITS.test(key)) return null
  return isRaised(value, owns) ? `wants to raise ${key} from ${text(owns)} to ${text(value)}` : null
}

/** Commands. The variables and other settings of an agent come with its command. */
const RUNS = /^(?:agents\..+\.command|verify\.(?:command|test_command)|worktree\.setup)$/
/** Sections in which every setting decides what is started. */
const STARTS =
  /^(?:worktree|fallback)(?:\.|$)|^task_types\.\w+\.(?:prompt|fallback|verify|test_command|command)(?:\.|$)/
const LANDS = /^(?:task_types\.\w+\.)?land$/
const LIMITS = /^budgets\.|(?:^|\.)max_fil(?:ed_tasks|ing_depth)$/

/** Null or absent: the person has set no limit, so any value restricts. */
function isRaised(value: unknown, owns: unknown): boolean {
  return typeof value === 'number' && typeof owns === 'number' && value > owns
}

function valueAt(config: Config, key: string): unknown {
  const own = walk(config, key.split('.'))
  // A type that sets nothing has the common value.
  return own === undefined && key.startsWith('task_types.') ? commonValue(config, key) : own
}

function commonValue(config: Config, key: string): unknown {
  const name = key.split('.').at(-1) ?? ''
  return name === 'land' ? config.land : (config.defaults as unknown as Record<string, unknown>)[name]
}

function walk(node: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return node
  if (node instanceof Map) return walk(node.get(name), rest)
  return typeof node === 'object' && node !== null ? walk((node as Record<string, unknown>)[name], rest) : undefined
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}
