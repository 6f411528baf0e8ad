import { command } from '../../core/sentence.ts'
import { OUTPUT_FOLDERS } from '../../core/task/output-folders.ts'
import type { Task, TaskType } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'

type Reviewed = Partial<Pick<Task, 'type' | 'create_review' | 'auto_review'>>

/** A plan, an exploration or a review makes no commits, so that there is nothing that a review could judge. */
export function refuseNothingToReview(asked: Reviewed, before: (Reviewed & { number: number }) | null = null): void {
  const { type = 'task', create_review, auto_review } = asked
  if (OUTPUT_FOLDERS[type] === undefined || !(create_review || auto_review)) return
  // What was filed before this rule can still be edited.
  if (before !== null && isSame(asked, before)) return
  const flag = create_review ? 'review' : 'auto-review'
  throw new UserError('NOTHING_TO_REVIEW', `${aTask(type)} makes no commits to review`, {
    hint:
      before === null ? command`add --type implement ${`--${flag}`}` : command`edit ${before.number} ${`--no-${flag}`}`,
    exitCode: 2,
  })
}

function isSame(after: Reviewed, before: Reviewed): boolean {
  const fields = ['type', 'create_review', 'auto_review'] as const
  return fields.every((field) => (after[field] ?? false) === (before[field] ?? false))
}

function aTask(type: TaskType): string {
  return `${type === 'explore' ? 'An' : 'A'} ${type} task`
}
