import { shorten } from '../text/shorten.ts'
import type { PlanRemark, StatedOrder } from './plan-model.ts'
import { type PlanNames, readTitledDependencies } from './plan-names.ts'

/** Indices of tasks and of milestones. */
interface Side {
  tasks: number[]
  milestones: number[]
}

/** The dependencies in such a sentence: all of it, or nothing and a warning. */
export function resolveOrder(
  { line, text, chain, isMeant }: StatedOrder,
  planNames: PlanNames,
): { steps: { waiting: Side; before: Side }[]; warnings: PlanRemark[] } {
  const sides = chain.flatMap((step) => readSide(step, planNames) ?? [])
  if (sides.length === chain.length && chain.length > 1)
    return {
      steps: sides.slice(1).map((waiting, at) => ({ waiting, before: sides[at] as Side })),
      warnings: [],
    }
  const isAboutTasks = sides.length > 0 || NAMES.some((pattern) => namesKnown(text, pattern, planNames))
  const why = `'${shorten(text, 60)}' is not understood; write "Depends on:" below a task or phase`
  return { steps: [], warnings: isMeant && isAboutTasks ? [{ line, why }] : [] }
}

function readSide(text: string, planNames: PlanNames): Side | null {
  const inBrackets = /\(([^()]+)\)\s*$/.exec(text)?.[1]
  return findSide(text, planNames) ?? (inBrackets === undefined ? null : findSide(inBrackets, planNames))
}

/** Null if any part of it is neither a task nor a milestone of the plan. */
function findSide(text: string, planNames: PlanNames): Side | null {
  const side: Side = { tasks: [], milestones: [] }
  for (const wait of readTitledDependencies(text, planNames)) {
    if (wait.kind === 'before') return null
    if (wait.kind === 'range') {
      const [from, to] = [planNames.find(wait.from, -1), planNames.find(wait.to, -1)]
      if (from === undefined || to === undefined || from > to) return null
      for (let at = from; at <= to; at++) side.tasks.push(at)
      continue
    }
    const name = wait.kind === 'milestone' ? wait.id : wait.kind === 'name' ? wait.name : wait.text
    const task = wait.kind === 'milestone' ? undefined : (planNames.byTitle(name) ?? planNames.find(name, -1))
    const milestone = task === undefined ? planNames.milestone(name) : undefined
    if (task !== undefined) side.tasks.push(task)
    else if (milestone !== undefined) side.milestones.push(milestone)
    else return null
  }
  return side.tasks.length + side.milestones.length > 0 ? side : null
}

const NAMES = [
  /[A-Za-z]{1,10}[-_.]?\d[\w.-]*/g,
  /\b(?:phase|milestone|sprint|stage|epic|user story|story|task|step)s?\s+#?\d[\d.]*/gi,
]

function namesKnown(text: string, pattern: RegExp, planNames: PlanNames): boolean {
  return (text.match(pattern) ?? []).some((name) => /\s/.test(name) || planNames.find(name, -1) !== undefined)
}
