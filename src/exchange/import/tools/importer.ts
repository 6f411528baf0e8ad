import type { Priority, Status, TaskType } from '../../../core/task/task.ts'
import { UserError } from '../../../core/user-error.ts'

export const TOOLS = ['beads', 'task-master', 'backlog', 'github'] as const
export type Tool = (typeof TOOLS)[number]

/** A file of another tool, with its name for messages. */
export interface ForeignFile {
  name: string
  text: string
}

/** A task of another tool, in gza's terms. */
export interface ForeignTask {
  /** Its name in the tool. The key here is the tool's name, a colon and this name. */
  name: string
  title: string
  /** The text below the title. */
  body: string
  status: Status
  /** Put on hold by a person in the tool: it waits for a person here too. */
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
  /** What has no field here: labels, people, addresses. It is appended to the content, one line each. */
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
  /** The repository of the milestones, if the tool has a first milestone in each of many places. */
  home?: string
  /** What was left out, and why. */
  skipped: Remark[]
}

/** One tool whose tasks can be imported. It only sees the texts. */
export interface Importer {
  tool: Tool
  /** Where its files may be, below a folder that is named instead of a file. */
  folders: readonly string[]
  /** The files in those folders that contain its tasks; none if the folder does not belong to the tool. */
  pick(paths: readonly string[]): string[]
  /** Does a single file, or the text on standard input, come from this tool? */
  recognises(file: ForeignFile): boolean
  read(files: readonly ForeignFile[]): ForeignTasks
}

export function badFile(place: string, why: string): UserError {
  return new UserError('BAD_IMPORT', `${place}: ${why}`, {
    hint: 'Nothing was imported. Correct it there and import again.',
  })
}

/** Null if the text is not JSON. */
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

/** The parts that are not empty, each as a paragraph. */
export function paragraphs(...parts: (string | undefined)[]): string {
  return parts
    .map((part) => part?.replace(/\r\n?/g, '\n').trim() ?? '')
    .filter((part) => part !== '')
    .join('\n\n')
}

/** A text below a heading; nothing if there is no text. */
export function headed(heading: string, text: string | undefined): string {
  return text === undefined || text.trim() === '' ? '' : `## ${heading}\n\n${text.trim()}`
}
