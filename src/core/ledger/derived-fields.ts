import { isAway } from '../task/move.ts'
import { openRunsText } from '../task/open-runs.ts'
import { isArchived } from '../task/status-predicates.ts'
import { dependenciesOf, type Task, titleOf, uidOf } from '../task/task.ts'
import { numbersOf } from '../task/task-ids.ts'
import { taskLine } from './task-line.ts'

/** What an index keeps of a task besides its plain fields. */
export interface DerivedFields {
  line: string
  title: string
  isArchived: boolean
  /** Every number that it ever had. */
  numbers: number[]
  /** The uids of the tasks that it depends on. */
  needs: string[]
  /** It moved to another ledger than the one that is indexed. */
  isAway: boolean
  openRuns: string | null
}

/** `line`: what taskLine gives, if it is known. */
export function derivedFields(task: Task, ledger: string, line?: string): DerivedFields {
  return {
    line: line ?? taskLine(task),
    title: titleOf(task),
    isArchived: isArchived(task),
    numbers: numbersOf(task),
    needs: dependenciesOf(task).map(uidOf),
    isAway: isAway(task, ledger),
    openRuns: openRunsText(task),
  }
}
