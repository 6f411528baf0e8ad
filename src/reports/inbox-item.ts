import type { TaskName } from '../workspace/views/views.ts'

/** Something that needs a person. */
export interface InboxItem {
  /** Null: it is about something else, which `subject` names. */
  task: TaskName | null
  code: string
  detail: string
  commands: string[]
  /** The file of a refused plan, or the branch whose checks fail. */
  subject?: string
  /** What a refused plan makes wait for each other, a line for each loop. */
  loops?: string[]
}
