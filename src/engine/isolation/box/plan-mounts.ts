import { dirname } from 'node:path'
import { UserError } from '../../../core/user-error.ts'
import type { Access, BoxPlan } from './box-plan.ts'

export type Mount = { kind: 'hide'; to: string } | Bind

export interface Bind {
  kind: 'bind'
  from: string
  to: string
  access: Access
  isFolder: boolean
}

/** Finds what a path leads to; null if there is nothing. */
export type LookUp = (path: string) => { path: string; isFolder: boolean } | null

/** What else decides about the mounts. */
export interface Surroundings {
  lookUp: LookUp
  home: string
  /** Root owns the system's folders, so that only a mount keeps it from writing there. */
  isRoot: boolean
  /** Whether the person can rename and remove what is in a folder. */
  mayChange: (folder: string) => boolean
}

/**
 * The mounts of a box, in their order: a folder comes before what is inside it, because a mount covers what is below
 * it. The first one is the root folder.
 */
export function planMounts(plan: BoxPlan, around: Surroundings): Mount[] {
  const mounts = [
    ...baseMounts(plan, around),
    ...plan.hidden.flatMap((path) => hide(path, around.lookUp)),
    ...bindFound(plan.readOnly, 'read-only', around),
    ...plan.writable.map((path) => bindSelf(path, 'writable', around)),
  ]
  const isNew = (to: string): boolean => mounts.some((mount) => mount.kind === 'hide' && isInside(to, mount.to))
  const over = plan.over.map(({ from, to, access }): Mount => {
    const there = around.lookUp(to)
    if (there === null && !isNew(to)) throw missing(to)
    return { ...found(from, around.lookUp), kind: 'bind', to: there?.path ?? to, access }
  })
  return withWays(withoutNested(byDepth([...lastOfEach([...mounts, ...over])])), plan, around)
}

function byDepth(mounts: readonly Mount[]): Mount[] {
  return mounts.toSorted((a, b) => depth(a.to) - depth(b.to))
}

/**
 * A folder above a mount could be renamed in the box, with the mount, and another one put in its place, outside too: a
 * repository with hooks, or settings of gza. What is a mount itself cannot be renamed or removed.
 */
function withWays(mounts: readonly Mount[], { tree }: BoxPlan, { mayChange }: Surroundings): Mount[] {
  const isOpen = (path: string): boolean => {
    const around = mounts.findLast(({ to }) => to === path || isInside(path, to))
    if (around?.kind !== 'bind' || around.to === path || around.access === 'read-only' || around.from !== around.to)
      return false
    return (tree === undefined || !isInside(path, tree)) && mayChange(dirname(path))
  }
  const ways = [...new Set(mounts.flatMap(({ to }) => foldersAbove(to)))].filter(isOpen)
  const kept = ways.map((path): Mount => ({ kind: 'bind', from: path, to: path, access: 'writable', isFolder: true }))
  return kept.length === 0 ? [...mounts] : byDepth([...mounts, ...kept])
}

/** Without the root folder. */
function foldersAbove(path: string): string[] {
  const folder = dirname(path)
  return folder === '/' || folder === path ? [] : [folder, ...foldersAbove(folder)]
}

/** What is inside of a hidden folder is hidden with it: each mount of a box costs all later ones time. */
function withoutNested(mounts: readonly Mount[]): Mount[] {
  return mounts.filter(({ kind, to }) => {
    const around = mounts.findLast((other) => isInside(to, other.to))
    return kind !== 'hide' || around?.kind !== 'hide'
  })
}

/** Folders in which programs of root keep what they need between runs. */
const ROOTS_OWN = ['/tmp', '/var/tmp']

/**
 * The kernel lets root write there from every namespace, and `/proc/sys/kernel/core_pattern` starts a program outside.
 * bubblewrap covers only folders that are writable themselves. A user's box has no covers: they would keep a box inside
 * it from having a /proc of its own.
 */
const KERNEL_SETTINGS = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'scsi', 'mtrr'].map(
  (name) => `/proc/${name}`,
)

/** What holds where the lists of the plan do not decide. */
export function baseMounts({ home, isSealed = false }: BoxPlan, around: Surroundings): Bind[] {
  return [
    bindSelf('/', around.isRoot || isSealed ? 'read-only' : 'writable', around),
    ...bindFound(['/sys', ...(around.isRoot ? KERNEL_SETTINGS : [])], 'read-only', around),
    ...bindFound(around.isRoot && !isSealed ? ROOTS_OWN : [], 'writable', around),
    ...bindFound([around.home], home, around),
  ]
}

/** Nothing can be mounted into a file, so that a file is covered by an empty one. */
function hide(path: string, lookUp: LookUp): Mount[] {
  const there = lookUp(path)
  if (there === null) return []
  if (there.isFolder) return [{ kind: 'hide', to: there.path }]
  return [{ kind: 'bind', from: '/dev/null', to: there.path, access: 'read-only', isFolder: false }]
}

/** Those of the paths that exist. */
function bindFound(paths: readonly string[], access: Access, { lookUp }: Surroundings): Bind[] {
  return paths.flatMap((path) => {
    const there = lookUp(path)
    return there === null ? [] : [{ kind: 'bind', from: there.path, to: there.path, access, isFolder: there.isFolder }]
  })
}

function bindSelf(path: string, access: Access, { lookUp }: Surroundings): Bind {
  const { from, isFolder } = found(path, lookUp)
  return { kind: 'bind', from, to: from, access, isFolder }
}

function found(path: string, lookUp: LookUp): { from: string; isFolder: boolean } {
  const there = lookUp(path)
  if (there === null) throw missing(path)
  return { from: there.path, isFolder: there.isFolder }
}

function missing(path: string): UserError {
  return new UserError('BOX_PATH_MISSING', `${path} does not exist, but an agent's box needs it`, {
    hint: 'Create it, or remove it from isolation.allow if you have put it there.',
  })
}

function lastOfEach(mounts: readonly Mount[]): Iterable<Mount> {
  return new Map(mounts.map((mount) => [mount.to, mount])).values()
}

function depth(path: string): number {
  return path.split('/').filter(Boolean).length
}

export function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder === '/' ? '/' : `${folder}/`)
}
