import { effective } from '../../core/config/effective.ts'
import type { Config } from '../../core/config/settings.ts'
import { dependenciesOf, type Task, uidOf } from '../../core/task/task.ts'
import { verdictItems } from '../../reports/verdict-items.ts'
import type { LedgerView } from '../../workspace/ledger/ledger-view.ts'

/**
 * With `wait_for_discussion`, a task waits while a review of work that it depends on wants a discussion. Returns the uid
 * of that work; null: the task may start.
 */
export function openDiscussions(view: LedgerView, config: Config): (task: Task) => string | null {
  let discussed: ReadonlySet<string> | null = null
  return (task) => {
    if (!effective(config, task.type).wait_for_discussion) return null
    discussed ??= verdictItems(view).discussed
    const found = discussed
    return (
      dependenciesOf(task)
        .map(uidOf)
        .find((uid) => found.has(uid)) ?? null
    )
  }
}
