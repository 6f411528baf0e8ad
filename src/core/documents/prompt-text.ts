/** Building prompts: a template with named placeholders, and other people's texts as data between delimiters. */
import { answeredQuestions } from '../task/questions.ts'
import type { Task } from '../task/task.ts'

/**
 * Puts values into `{name}` placeholders, unchanged. An empty placeholder that is alone on its line is removed with the
 * line.
 */
export function fillPrompt(template: string, values: Readonly<Record<string, string>>): string {
  const open = template.replace(/^\{(\w+)\}\n/gm, (line, name: string) => (values[name] ? line : ''))
  const tidy = `${open.replace(/\n{3,}/g, '\n\n').trim()}\n`
  return tidy.replace(/^\{(\w+)\}$|\{(\w+)\}/gm, (place, alone?: string, inline?: string) => {
    return alone === undefined ? (values[inline ?? ''] ?? place) : (values[alone] ?? place).trimEnd()
  })
}

/** A text that is data, not an instruction, with its origin. It cannot close its own block. */
export function dataBlock(origin: string, text: string): string {
  const name = origin.replace(/[\r\n]+/g, ' ')
  const body = text.trimEnd().replace(/^(-{3,} (?:BEGIN|END) )/gm, '\\$1')
  return `--- BEGIN ${name} ---\n${body}\n--- END ${name} ---\n`
}

/** A list under a heading; nothing for an empty list. */
export function listBlock(heading: string, items: readonly string[] | undefined): string {
  if (!items || items.length === 0) return ''
  return `${heading}\n${items.map((item) => `- ${item.replace(/\s*\n\s*/g, ' ')}`).join('\n')}\n`
}

export function criteriaList({ acceptance_criteria }: Task): string {
  return listBlock('It is accepted when:', acceptance_criteria)
}

/** The files that the task declares, and what to do if they are not all. */
export function fileLists({ files_to_create, files_to_modify, test_files }: Task): string {
  const lists = [
    listBlock('Files to create:', files_to_create),
    listBlock('Files to modify:', files_to_modify),
    listBlock('Test files:', test_files),
  ].join('')
  return lists === ''
    ? ''
    : `${lists}If you need to change other files too, name them and the reason in the commit message.\n`
}

/** What agents asked and people answered. */
export function exchangeText(task: Task): string {
  const lines = answeredQuestions(task).map(({ question, answer }) =>
    [`${question.by} asked: ${question.text}`, `${answer.by} answered: ${answer.text}`].join('\n'),
  )
  return lines.join('\n\n')
}

export function taskText({ title, content, user_story }: Task): string {
  return [title !== undefined && title !== content ? title : '', content, user_story ?? ''].filter(Boolean).join('\n\n')
}

/** Keeps the beginning and the end of a long text: the first request and the last error. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text
  const half = Math.floor((limit - 40) / 2)
  return `${text.slice(0, half)}\n… ${text.length - 2 * half} characters left out …\n${text.slice(-half)}`
}
