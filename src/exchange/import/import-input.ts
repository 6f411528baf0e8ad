import type { Task } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'

export interface ImportInput {
  text: string
  /** The file's name, or `-`. Its extension decides the format if none is given. */
  name: string
  format?: 'markdown' | 'jsonl'
  dryRun?: boolean
}

/** New tasks, and copies of tasks that may exist already, as one import would add them. */
export interface Draft {
  tasks: Task[]
  skipped: { line: number; why: string }[]
}

export function guessFormat({ text, name }: ImportInput): 'markdown' | 'jsonl' {
  if (/\.(md|markdown)$/i.test(name)) return 'markdown'
  return /\.jsonl?$/i.test(name) || text.trimStart().startsWith('{') || jsonList(text) !== null ? 'jsonl' : 'markdown'
}

/** The entries of a text that is one JSON list, on one line or several; otherwise null. */
export function jsonList(text: string): unknown[] | null {
  if (!text.trimStart().startsWith('[')) return null
  try {
    const value = JSON.parse(text)
    return Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

export function nameOfInput({ name }: Pick<ImportInput, 'name'>): string {
  return name === '-' ? 'standard input' : name
}

export function containsNoTask(input: ImportInput): UserError {
  return new UserError('NOTHING_TO_IMPORT', `${nameOfInput(input)} contains no task`, {
    hint: 'A checklist has items such as - [ ] What is to be done; JSONL has lines such as {"content":"What is to be done"}',
  })
}
