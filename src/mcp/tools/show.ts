import { z } from 'zod'
import { showText } from '../../workspace/texts/show-text.ts'
import { type ShownTask, showTask } from '../../workspace/views/show-task.ts'
import { readCursor, taskRow, withoutEmpty } from '../task-rows.ts'
import { defineTool, ref } from './tool.ts'

/** Of a text in one answer, in characters: about 4,000 tokens. */
const MOST = 16_000
const MOST_NOTES = 20

const CONTENT = 'content'

export default defineTool({
  name: 'show',
  description: 'One task with everything known about it, or one of its texts (plan, review, attachment).',
  input: {
    ref,
    text: z.string().optional().describe("Name of a text, 'newest', or 'content'"),
    cursor: z.string().optional(),
  },
  example: { ref: '3' },
  call: async (ws, { ref: task, text, cursor }) => {
    if (text === undefined) return shownFields(await showTask(ws, task))
    const from = readCursor(cursor)
    if (text === CONTENT) return pieceOf((await showTask(ws, task)).content, from)
    const { name, names, text: whole } = showText(ws, task, text === 'newest' ? undefined : text)
    return { name, ...(names.length > 1 && { names }), ...pieceOf(whole, from) }
  },
})

function pieceOf(text: string, from: number): { text: string; total: number; cursor?: string } {
  const end = from + MOST
  return { text: text.slice(from, end), total: text.length, ...(end < text.length && { cursor: String(end) }) }
}

export function shownFields(task: ShownTask): Record<string, unknown> {
  const { content, title, priority, notes, related, question, final_verdict, texts, asks: _asks, ...rest } = task
  const { acceptance_criteria, files_to_create, files_to_modify, test_files, commits_in_order, branch, attempts } = rest
  const { group, parent, children, depends_on, based_on, created_by, milestone_id, plan_file, locks } = rest
  const numbers = new Map(related.map(({ id, number, status }) => [id, `#${number} ${id} (${status})`]))
  const named = (ids: readonly string[]) => ids.map((id) => numbers.get(id) ?? id)
  return {
    ...taskRow(task),
    ...withoutEmpty({
      content: content === title ? null : content.slice(0, MOST),
      content_cut: content.length > MOST && `show {"ref":"${task.number}","text":"content","cursor":"${MOST}"}`,
      priority: priority === 'medium' ? null : priority,
      ...{ group, milestone_id, plan_file, created_by },
      after: named(task.after),
      ...{ depends_on: named(depends_on), based_on: named(based_on) },
      ...{ parent: parent === null ? null : named([parent])[0], children: named(children) },
      ...{ acceptance_criteria, files_to_create, files_to_modify, test_files, locks },
      notes: notes.slice(-MOST_NOTES).map((note) => note.slice(0, MOST)),
      earlier_notes: Math.max(0, notes.length - MOST_NOTES),
      ...{ question: question?.text, final_verdict, attempts, branch, commits: commits_in_order },
      texts: texts.map(({ name }) => name),
    }),
  }
}
