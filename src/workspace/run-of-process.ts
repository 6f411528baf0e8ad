import { lineOf } from '../platform/processes/ancestors.ts'
import { stampOf, stampOfProcess } from '../platform/processes/run-stamp.ts'
import { isSupervisedBy, type Supervised, supervisedRuns } from '../state/live/supervisors.ts'
import type { Workspace } from './workspace.ts'

/** The supervised run that another process belongs to, by its stamp or by the processes above it; null: to none. */
export function runOfProcess({ live }: Workspace, pid: number): Supervised | null {
  const all = live === null ? [] : supervisedRuns(live)
  if (all.length === 0) return null
  const stamp = stampOfProcess(pid)
  const line = lineOf(pid)
  return all.find((each) => stampOf(each.run) === stamp || isSupervisedBy(each, line)) ?? null
}
