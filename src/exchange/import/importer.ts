import type { Priority, Status, TaskType } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'

export const TOOLS = ['beads', 'task-master', 'backlog', 'github'] as const
export type Tool = (typeof TOOLS)[number]

/** A file of another tool, named as messages name it. */
export interface ForeignFile {
  name: string
  text: string
}

/** A task as another tool has it, in our words. */
export interface ForeignTask {
  /** What the tool calls it. The key here is the tool's name, a colon and this. */
  name: string
  title: string
  /** What stands below the title. */
  body: string
  status: Status
  /** Put aside by a person there: it waits for one here too. */
  isOnHold?: boolean
  priority?: Priority
  type?: TaskType
  parent?: string
  dependsOn: string[]
  criteria?: string[]
  filesToModify?: string[]
  group?: string
  milestone?: string
  notes: string[]
  /** What we have no field for: labels, people, addresses. It ends the content, one line each. */
  about: string[]
  createdAt?: string
  createdBy?: string
  closedAt?: string
}

export interface ForeignMilestone {
  id: string
  name: string
  description: string
}

export interface Remark {
  line?: number
  why: string
}

export interface ForeignTasks {
  tasks: ForeignTask[]
  milestones: ForeignMilestone[]
  /** Whose the milestones are, where the tool has many places with a first one each. */
  home?: string
  /** What was left out, and why. */
  skipped: Remark[]
}

/** One tool whose tasks can be taken over. The texts are all it sees. */
export interface Importer {
  tool: Tool
  /** Where its files may be, below a folder that is named instead of a file. */
  folders: readonly string[]
  /** Of the files in those folders, the ones that hold its tasks; none where the folder is not its. */
  pick(paths: readonly string[]): string[]
  /** Is a single file, or what was piped in, this tool's? */
  recognises(file: ForeignFile): boolean
  read(files: readonly ForeignFile[]): ForeignTasks
}

export function badFile(place: string, why: string): UserError {
  return new UserError('BAD_IMPORT', `${place}: ${why}`, {
    hint: 'Nothing was imported. Mend it there and import again.',
  })
}

/** Null where the text is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** A list of words as one line, or none. */
export function aboutList(label: string, words: readonly string[] | undefined): string[] {
  return words === undefined || words.length === 0 ? [] : [`${label}: ${words.join(', ')}`]
}

/** The parts that say something, each a paragraph. */
export function paragraphs(...parts: (string | undefined)[]): string {
  return parts
    .map((part) => part?.replace(/\r\n?/g, '\n').trim() ?? '')
    .filter((part) => part !== '')
    .join('\n\n')
}

/** A text of its own below a heading; nothing where there is none. */
export function headed(heading: string, text: string | undefined): string {
  return text === undefined || text.trim() === '' ? '' : `## ${heading}\n\n${text.trim()}`
}
