import type { TaskName } from '../workspace/views/views.ts'

/** Something that needs a person. */
export interface InboxItem {
  /** Null: the item is about something else, which `subject` names. */
  task: TaskName | null
  code: string
  detail: string
  commands: string[]
  /** The file of a rejected plan, or the branch whose checks fail. */
  subject?: string
  /** The dependency cycles of a rejected plan, one line each. */
  cycle_texts?: string[]
}
