import type { Access, BoxPlan, Command, Enclosed } from './box-plan.ts'
import { baseMounts, isInside, type Surroundings } from './plan-mounts.ts'

/** The first argument that makes gza's own executable restrict itself and then become another program (`main.ts`). */
const LANDLOCK_COMMAND = '__landlock'

/** What that executable gets as its arguments. */
export interface LandlockPlan {
  /** Folders in which everything may be written, except what is in `kept`. */
  open: readonly string[]
  kept: readonly string[]
  /** The same, also inside of something that is kept. */
  writable: readonly string[]
  network: boolean
  /** What the box would show at /tmp; null: /tmp itself. */
  temporary: string | null
}

/** Devices that are not storage. */
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty', 'ptmx', 'pts', 'shm'].map((name) => `/dev/${name}`)
const KERNEL = ['/proc', '/sys', '/dev']

/** The command with writes refused outside of what the plan opens. Landlock cannot hide, or show another file. */
export function landlock({ argv, cwd, env }: Command, gza: string, plan: LandlockPlan): Enclosed {
  return {
    argv: [gza, LANDLOCK_COMMAND, JSON.stringify(plan), ...argv],
    cwd,
    env: { ...env, ...(plan.temporary !== null && { TMPDIR: plan.temporary }) },
    holders: 0,
  }
}

export function landlockPlan(plan: BoxPlan, around: Surroundings): LandlockPlan {
  const found = (paths: readonly string[]): string[] => paths.flatMap((path) => around.lookUp(path)?.path ?? [])
  const base = baseMounts(plan, around)
  const baseOf = (access: Access): string[] => base.filter((mount) => mount.access === access).map(({ to }) => to)
  const over = plan.over.filter(({ access }) => access === 'writable').map(({ from }) => from)
  const { from: temporary = null } = plan.over.find(({ to }) => to === '/tmp') ?? {}
  return {
    open: baseOf('writable'),
    kept: [...KERNEL, ...baseOf('read-only'), ...found(plan.hidden), ...found(plan.readOnly)],
    writable: [...found([...plan.writable, ...over]), ...DEVICES],
    network: plan.network,
    temporary,
  }
}

/**
 * The paths below which everything may be written. The kernel's rules only add rights to whole trees, so that a folder
 * with something to keep inside is opened entry by entry, and nothing new can be made directly in it.
 */
export function openPaths(plan: LandlockPlan, list: (folder: string) => readonly string[]): string[] {
  const kept = plan.kept.filter((path) => !plan.writable.includes(path))
  const walk = (path: string): string[] => {
    if (kept.includes(path)) return []
    return kept.some((each) => isInside(each, path)) ? list(path).flatMap(walk) : [path]
  }
  return [...new Set([...plan.open, ...plan.writable].flatMap(walk))]
}
