import type { EditableField } from '../task/task.ts'

/** The fields of a task that an edit may change, in the order in which they are written. */
export const EDITABLE_FIELDS = [
  'content',
  'type',
  'priority',
  'after',
  'depends_on',
  'based_on',
  'parent',
  'key',
  'title',
  'group',
  'create_review',
  'same_branch',
  'branch',
  'user_story',
  'acceptance_criteria',
  'files_to_create',
  'files_to_modify',
  'test_files',
  'locks',
  'milestone_id',
  'estimated_complexity',
  'max_attempts',
  'linear_issue_id',
  'auto_review',
  'max_review_cycles',
  'final_verdict',
  'plan_file',
  'project',
  'assigned_agent',
  'todo_item',
  'on_hold',
  'archived',
  'deleted',
  'moved_to',
] as const satisfies readonly EditableField[]

/** How the fields of a line start that are edits of fields of a later release: see later-edits.ts. */
export const LATER_EDIT = 'edit:'

/** Can the text of a line contain one? Most do not, and are not searched further. */
export function mayHaveLaterEdits(line: string): boolean {
  return line.includes(`"${LATER_EDIT}`)
}
