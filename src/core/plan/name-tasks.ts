import type { PlannedTask, PlanRemark, RawMilestone, RawTask } from './plan-model.ts'

export interface Named {
  key: string
  keyKind: PlannedTask['keyKind']
}

interface Unnamed {
  tasks: readonly RawTask[]
  milestones: readonly RawMilestone[]
  /** For each task, the index of its milestone. */
  places: readonly (number | null)[]
}

/** A key for every task: the one in the plan, one made from its number, or the next free one. */
export function nameTasks({ tasks, milestones, places }: Unnamed): { names: Named[]; problems: PlanRemark[] } {
  const isRestarted = restartsNumbers(tasks, places)
  const names = tasks.map(({ name }, at): Named | null => {
    if (name.kind === 'given') return { key: name.key, keyKind: 'given' }
    if (name.kind === 'counted') return null
    const place = places[at] ?? null
    const order = place === null ? '' : orderOf(milestones, place)
    const number = isRestarted && order !== '' ? `${order}.${name.number}` : name.number
    return { key: `${name.letter}${number}`, keyKind: 'numbered' }
  })
  const problems = findDuplicates(tasks, names)
  // Next to T1.2, a generated T1 would look like its parent.
  const taken = new Set(names.flatMap((name) => (name === null ? [] : [sameKey(name.key), sameKey(headOf(name.key))])))
  let next = 1
  const all = names.map((name): Named => {
    if (name !== null) return name
    while (taken.has(sameKey(`T${next}`))) next++
    return { key: `T${next++}`, keyKind: 'counted' }
  })
  return { names: all, problems }
}

function headOf(key: string): string {
  return key.split('.', 1)[0] ?? ''
}

/** `T01` and `t1` are the same key. */
export function sameKey(key: string): string {
  return key
    .toUpperCase()
    .replace(/0+(?=\d)/g, (zeros, at: number, whole: string) => (/\d/.test(whole.charAt(at - 1)) ? zeros : ''))
}

/** Does every phase count its tasks from 1 again? */
function restartsNumbers(tasks: readonly RawTask[], places: Unnamed['places']): boolean {
  const seen = new Map<string, number | null>()
  for (const [at, { name }] of tasks.entries()) {
    const milestone = places[at] ?? null
    if (name.kind !== 'numbered') continue
    const key = sameKey(name.letter + name.number)
    if (seen.has(key) && seen.get(key) !== milestone) return true
    seen.set(key, milestone)
  }
  return false
}

function orderOf(milestones: readonly RawMilestone[], at: number): string {
  return /\d+(?:\.\d+)*/.exec(milestones[at]?.id ?? '')?.[0] ?? String(at + 1)
}

function findDuplicates(tasks: readonly RawTask[], names: readonly (Named | null)[]): PlanRemark[] {
  const first = new Map<string, number>()
  return names.flatMap((name, at): PlanRemark[] => {
    if (name === null) return []
    const line = tasks[at]?.line ?? 0
    const earlier = first.get(sameKey(name.key))
    if (earlier !== undefined) return [{ line, why: `the key ${name.key} is given twice, first in line ${earlier}` }]
    first.set(sameKey(name.key), line)
    return []
  })
}
