/**
 * The parts of a split task that has changed since. Parts that nobody has started are remade, as a split of what no
 * started part has, and keep their keys. So the union of the parts is the whole again.
 */

import { normalPath } from '../text/normal-path.ts'
import { filesOf, hasCriteria, type Sized, scoreTask } from './complexity.ts'
import { freeKeys, type Named, type Part, planRest, planSplit, type SplitOptions } from './plan-split.ts'
import { STRATEGIES, type Strategy } from './strategies.ts'

export interface FiledPart extends Sized {
  key: string
  /** It must not change: somebody worked on it, or removed it. */
  isFixed: boolean
  /** A person removed it: its work is not to be done. */
  isDropped?: boolean
}

export interface RemadeParts {
  /** In the order of work, after the fixed parts. */
  parts: RemadePart[]
  /** Keys of open parts without remaining work. */
  superseded: string[]
  /** What fixed parts have and the whole no longer has. */
  leftovers: { key: string; scope: string[] }[]
  /** Why the whole stays undivided although it is too large; null if it is not. */
  unsplittable: string | null
}

export type RemadePart = Part & {
  /** It continues the part with this key. */
  isReused: boolean
}

export interface RemakeOptions extends SplitOptions {
  /** The whole as it was when it was split. */
  before: Named
}

export function remakeParts(whole: Named, filed: readonly FiledPart[], options: RemakeOptions): RemadeParts {
  const fixed = filed.filter(({ isFixed }) => isFixed)
  const open = filed.filter(({ isFixed }) => !isFixed)
  const { parts, unsplittable } = planAnew(whole, filed, options)
  const reused = matchParts(parts, open)
  const fresh = freeKeys(whole.key, parts.length - reused.size, options.isKeyTaken)
  const keys = parts.map((part) => reused.get(part)?.key ?? fresh.shift() ?? part.key)
  const kept = new Set([...reused.values()].map(({ key }) => key))
  return {
    parts: parts.map((part, at) => ({
      ...part,
      key: keys[at] ?? part.key,
      after: keys.slice(Math.max(0, at - 1), at),
      isReused: reused.has(part),
    })),
    superseded: open.filter(({ key }) => !kept.has(key)).map(({ key }) => key),
    leftovers: fixed.flatMap((part) => {
      const scope = part.isDropped ? [] : scopeOf(without(part, [whole]))
      return scope.length > 0 ? [{ key: part.key, scope }] : []
    }),
    unsplittable,
  }
}

/** Do the parts contain exactly what the whole contains, apart from what somebody worked on? */
export function partsMatchWhole(whole: Sized, filed: readonly FiledPart[]): boolean {
  return (
    missingFrom(filed, whole).length === 0 &&
    filed.every((part) => part.isFixed || scopeOf(without(part, [whole])).length === 0)
  )
}

/** The files and criteria of the whole that none of its parts has. */
export function missingFrom(parts: readonly Sized[], whole: Sized): string[] {
  return scopeOf(without(whole, parts))
}

function planAnew(whole: Named, filed: readonly FiledPart[], options: RemakeOptions) {
  const fixed = filed.filter(({ isFixed }) => isFixed)
  const { strategy, isRequested } = strategyBefore(filed, options)
  if (fixed.length === 0) {
    const plan = planSplit(whole, scoreTask(whole, options), {
      ...options,
      strategy: isRequested ? strategy : undefined,
    })
    return {
      parts: plan.kind === 'split' ? plan.parts : [],
      unsplittable: plan.kind === 'unsplittable' && !isRequested ? plan.why : null,
    }
  }
  const rest = { ...whole, ...without(whole, fixed) }
  // The remaining criteria change existing files, as parts by criteria do.
  if (filesOf(rest).length === 0 && hasCriteria(rest)) rest.files_to_modify = whole.files_to_modify
  if (scopeOf(rest).length === 0) return { parts: [], unsplittable: null }
  // Divided as before, so that open parts do not have to merge because another one is done.
  const asBefore = fixed.length < filed.length ? strategy : undefined
  const isPartOfClear = options.isPartOfClear || hasCriteria(whole)
  const titlesBefore = fixed.flatMap(({ isDropped, title = '' }) => (isDropped ? [] : [title]))
  const parts = planRest(rest, { ...options, strategy: asBefore, isPartOfClear, titlesBefore })
  return { parts, unsplittable: null }
}

/** How the task was split. `isWished`: it was small enough, so a person requested the split, and it stays split. */
function strategyBefore(
  filed: readonly FiledPart[],
  options: RemakeOptions,
): { strategy?: Strategy; isRequested: boolean } {
  const { before } = options
  if (filed.length === 0) return { isRequested: false }
  const score = scoreTask(before, options)
  const isRequested = score.total <= score.threshold
  const plans = [undefined, ...STRATEGIES].flatMap((strategy) => {
    const plan = planSplit(before, score, { ...options, strategy })
    return plan.kind === 'split' ? [plan] : []
  })
  const shape = (parts: readonly Sized[]) => JSON.stringify(parts.map((part) => filesOf(part).toSorted()).toSorted())
  const same = plans.find(({ parts }) => shape(parts) === shape(filed))
  return { strategy: (same ?? plans[0])?.strategy, isRequested }
}

/** Each new part continues the open part with which it shares most; a part that shares nothing with any is new. */
function matchParts(parts: readonly Part[], open: readonly FiledPart[]): Map<Part, FiledPart> {
  const pairs = parts.flatMap((part) => open.map((old) => ({ part, old, shared: sharedCount(part, old) })))
  const matched = new Map<Part, FiledPart>()
  const taken = new Set<FiledPart>()
  for (const { part, old, shared } of pairs.toSorted((a, b) => b.shared - a.shared)) {
    if (shared === 0 || matched.has(part) || taken.has(old)) continue
    matched.set(part, old)
    taken.add(old)
  }
  return matched
}

function sharedCount(a: Sized, b: Sized): number {
  const own = new Set(scopeOf(a))
  return scopeOf(b).filter((each) => own.has(each)).length
}

/** The part of the task that none of the others has. */
function without(task: Sized, others: readonly Sized[]): Sized {
  const files = new Set(others.flatMap(filesOf))
  const criteria = new Set(others.flatMap(({ acceptance_criteria = [] }) => acceptance_criteria))
  const keep = (paths: readonly string[] = []) => paths.filter((path) => !files.has(normalPath(path)))
  return {
    acceptance_criteria: (task.acceptance_criteria ?? []).filter((criterion) => !criteria.has(criterion)),
    files_to_create: keep(task.files_to_create),
    files_to_modify: keep(task.files_to_modify),
    test_files: keep(task.test_files),
  }
}

function scopeOf(task: Sized): string[] {
  return [...filesOf(task), ...(task.acceptance_criteria ?? [])]
}
