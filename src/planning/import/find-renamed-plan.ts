import { sameKey } from '../../core/plan/name-tasks.ts'
import type { PlannedTask } from '../../core/plan/plan-model.ts'
import { sameTitle } from '../../core/plan/plan-names.ts'
import { keyedEntriesOfOtherPlans } from '../../state/index/find-entries.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'

export interface RenamedPlan {
  planFile: string
  /** How many of the tasks it has under the same keys and titles. */
  count: number
}

/** Another plan from which most of these tasks were filed: probably the same plan under another name. */
export function findRenamedPlan(
  { ws, row }: LedgerView,
  planFile: string,
  tasks: readonly PlannedTask[],
): RenamedPlan | null {
  const named = new Set(tasks.map(({ key, title }) => nameOf(key, title)))
  const counts = new Map<string, number>()
  const others = keyedEntriesOfOtherPlans(ws.state, row.lid, planFile)
  for (const { key, title, plan_file } of others) {
    if (plan_file === null || !named.has(nameOf(key ?? '', title))) continue
    counts.set(plan_file, (counts.get(plan_file) ?? 0) + 1)
  }
  const [most] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  if (most === undefined || most[1] < 2 || most[1] * 2 <= tasks.length) return null
  return { planFile: most[0], count: most[1] }
}

function nameOf(key: string, title: string): string {
  return `${sameKey(key)} ${sameTitle(title)}`
}
