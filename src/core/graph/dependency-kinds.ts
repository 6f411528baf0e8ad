/** Why one task waits for another. The kinds follow from the two tasks and are not stored. */

import { keyOfWhole } from '../size/parts.ts'
import type { Editable, TaskRef } from '../task/task.ts'
import { normalPath } from '../text/normal-path.ts'

export const DEPENDENCY_KINDS = ['explicit', 'file', 'split'] as const
export type DependencyKind = (typeof DEPENDENCY_KINDS)[number]

type Waiting = Partial<Pick<Editable, 'key' | 'parent' | 'files_to_modify' | 'after' | 'based_on' | 'plan_file'>>
type Needed = Partial<Pick<Editable, 'key' | 'parent' | 'files_to_create'>>

/** `split`: parts of one split; `file`: it modifies what the other creates; otherwise it is explicit. */
export function dependencyKind(waiting: Waiting, needed: Needed): DependencyKind {
  if (arePartsOfOneSplit(waiting, needed)) return 'split'
  return sharedFiles(waiting, needed).length > 0 ? 'file' : 'explicit'
}

/**
 * All kinds, explicit first. Plans and splits write derived dependencies into `depends_on`; a dependency that a plan
 * states and that its files imply too is also in `after`.
 */
export function dependencyKinds(waiting: Waiting, needed: Needed & { ref: TaskRef }): DependencyKind[] {
  const derived: DependencyKind[] = [
    ...(sharedFiles(waiting, needed).length > 0 ? (['file'] as const) : []),
    ...(arePartsOfOneSplit(waiting, needed) ? (['split'] as const) : []),
  ]
  return derived.length === 0 || isNamed(waiting, needed, derived) ? ['explicit', ...derived] : derived
}

function isNamed({ after, based_on, key, plan_file }: Waiting, { ref }: { ref: TaskRef }, derived: string[]): boolean {
  if (after?.includes(ref) || based_on?.includes(ref)) return true
  const isPlanned = key !== undefined && plan_file !== undefined
  return !isPlanned && !derived.includes('split')
}

/** The files that `waiting` modifies and `needed` creates. */
export function sharedFiles(
  { files_to_modify = [] }: Pick<Waiting, 'files_to_modify'>,
  { files_to_create = [] }: Pick<Needed, 'files_to_create'>,
): string[] {
  const created = new Set(files_to_create.map(normalPath))
  return [...new Set(files_to_modify.map(normalPath))].filter((file) => created.has(file))
}

/** For each task, the other tasks that create a file which it modifies. */
export function fileDependencies<T extends Partial<Pick<Editable, 'files_to_create' | 'files_to_modify'>>>(
  tasks: readonly T[],
): Map<T, T[]> {
  const creators = new Map<string, T[]>()
  for (const task of tasks) {
    for (const file of new Set((task.files_to_create ?? []).map(normalPath)))
      creators.set(file, [...(creators.get(file) ?? []), task])
  }
  const needed = tasks.map((task): [T, T[]] => {
    const found = new Set((task.files_to_modify ?? []).flatMap((file) => creators.get(normalPath(file)) ?? []))
    found.delete(task)
    return [task, [...found]]
  })
  return new Map(needed.filter(([, others]) => others.length > 0))
}

function arePartsOfOneSplit(a: Waiting, b: Needed): boolean {
  const base = keyOfWhole(a.key)
  return base !== null && base === keyOfWhole(b.key) && a.parent !== undefined && a.parent === b.parent
}
