/** Collects what happens during `gza work` and `git tasks run`, for the report at their end. */
import { isCostUnknown } from '../../core/run/run-rules.ts'
import type { PhaseReport } from '../../engine/phase/phase-report.ts'
import type { RunPlan, RunResult } from '../../engine/phase/run-plan.ts'
import type { WorkEvents, WorkWatcher } from '../work-report.ts'

export interface EndedTask {
  number: number
  id: string
}

/** The last run of a task. */
export interface Ended extends EndedTask {
  result: RunResult
}

export interface CollectedEnd {
  /** By uid. */
  tasks: Map<string, Ended>
  landed: (EndedTask & { base: string })[]
  cost: {
    /** What the clients have reported. */
    usd: number
    /** Agents whose client has not reported the cost of a call. */
    unknown: Set<string>
  }
}

/** The watcher that collects, and what it has collected. */
export function collectEnd(watcher: WorkWatcher): { watcher: WorkWatcher; collected: CollectedEnd } {
  const collected: CollectedEnd = { tasks: new Map(), landed: [], cost: { usd: 0, unknown: new Set() } }
  const called = (agent: string, report: PhaseReport) => addCost(collected.cost, agent, report)
  return { watcher: { ...watcher, events: collectingEvents(collected, watcher.events), called }, collected }
}

function collectingEvents({ tasks, landed }: CollectedEnd, events: WorkEvents): WorkEvents {
  return {
    ...events,
    landed(task) {
      landed.push({ number: task.number, id: task.id, base: task.base })
      events.landed(task)
    },
    ended(plan: RunPlan, result, task) {
      tasks.set(task.uid, { number: plan.subject.number, id: task.id, result })
      events.ended(plan, result, task)
    },
  }
}

function addCost(cost: CollectedEnd['cost'], agent: string, { end, usage, failure }: PhaseReport): void {
  cost.usd += usage.costUsd
  const { costUsd, tokensOut } = usage
  const wasCalled = end.kind !== 'not-started'
  if (wasCalled && isCostUnknown({ costUsd, tokensOut, reason: failure?.reason })) cost.unknown.add(agent)
}
