import { deliveringRun } from '../core/run/finished-work.ts'
import type { LandOrder } from './build/land-order.ts'
import type { OwnCheck } from './build/verify-tree.ts'
import type { QueuedBranch } from './read-landable-branches.ts'

/**
 * The checks of single tasks that are still to be made. A run checks its last commit. If a person has committed on the
 * branch since then, another commit lands, and the task's own tests have not run on it.
 */
export function lateChecks(landables: readonly QueuedBranch[], orders: readonly LandOrder[]): OwnCheck[] {
  const landing = new Set(orders.map(({ branch, tip }) => `${branch} ${tip}`))
  const late = landables.filter((each) => landing.has(`${each.branch} ${each.tip}`) && isLate(each))
  return late.flatMap(({ tasks }) =>
    tasks.flatMap(({ files_to_create = [], test_files = [] }) =>
      files_to_create.length + test_files.length === 0
        ? []
        : [{ filesToCreate: files_to_create, testFiles: test_files }],
    ),
  )
}

/** Work that no run has delivered was never checked in this way: a person has closed the task. */
function isLate({ tasks, tip }: QueuedBranch): boolean {
  const checked = tasks.flatMap((task) => deliveringRun(task)?.head ?? [])
  return checked.length > 0 && !checked.includes(tip ?? '')
}
