import { sameKey } from './name-tasks.ts'
import type { PlanRemark, RawMilestone, RawPlan } from './plan-model.ts'

/** An id for every milestone, and for every task the index of its milestone. */
export function nameMilestones(raw: RawPlan): {
  milestones: RawMilestone[]
  places: (number | null)[]
  problems: PlanRemark[]
} {
  const milestones = raw.milestones.map((milestone) => ({ ...milestone }))
  const byId = new Map<string, number>()
  const problems: PlanRemark[] = []
  for (const [at, { id, line }] of milestones.entries()) {
    if (id === '') continue
    const earlier = byId.get(sameKey(id))
    if (earlier === undefined) byId.set(sameKey(id), at)
    else problems.push({ line, why: `the milestone ${id} is given twice, first in line ${milestones[earlier]?.line}` })
  }
  let next = 1
  const claimId = (at: number): string => {
    while (byId.has(`M${next}`)) next++
    byId.set(`M${next}`, at)
    return `M${next}`
  }
  for (const [at, milestone] of milestones.entries()) if (milestone.id === '') milestone.id = claimId(at)
  const byName = new Map(milestones.map(({ name }, at) => [name.toLowerCase(), at]))
  const places = raw.tasks.map(({ milestone, milestoneName }) => {
    if (milestoneName === undefined) return milestone
    const { why: name, line } = milestoneName
    const known = byId.get(sameKey(name)) ?? byName.get(name.toLowerCase())
    if (known !== undefined) return known
    const at = milestones.length
    const isId = /^[A-Za-z]{1,10}[-_.]?\d[\w.-]{0,20}$/.test(name)
    milestones.push({ id: isId ? name : claimId(at), name, description: '', waitsFor: [], line })
    if (isId) byId.set(sameKey(name), at)
    byName.set(name.toLowerCase(), at)
    return at
  })
  return { milestones, places, problems }
}
