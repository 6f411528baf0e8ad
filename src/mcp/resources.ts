import { printableJson } from '../core/text/printable.ts'
import { UserError } from '../core/user-error.ts'
import { showText, type TextSubject } from '../workspace/texts/show-text.ts'
import { pageOfTasks } from '../workspace/views/list-tasks.ts'
import { showTask } from '../workspace/views/show-task.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { pageOf } from './task-rows.ts'
import { shownFields } from './tools/show.ts'

const JSON_TYPE = 'application/json'
const MARKDOWN = 'text/markdown'

export const RESOURCE_TEMPLATES = [
  { uriTemplate: 'gza://task/{ref}', name: 'task', description: 'A task', mimeType: JSON_TYPE },
  { uriTemplate: 'gza://task/{ref}/plan', name: 'plan', description: 'The text a task produced', mimeType: MARKDOWN },
  { uriTemplate: 'gza://task/{ref}/review', name: 'review', description: "A task's last review", mimeType: MARKDOWN },
]

/** The open tasks, a page at a time. */
export function listResources(ws: Workspace, cursor: string | undefined): object {
  const { from, limit } = pageOf({ cursor })
  const { tasks, isMore } = pageOfTasks(ws, {}, { after: from, limit })
  const resources = tasks.map(({ id, number, title }) => {
    return { uri: `gza://task/${id}`, name: `#${number} ${title}`, mimeType: JSON_TYPE }
  })
  return { resources, ...(isMore && { nextCursor: String(tasks.at(-1)?.number) }) }
}

export async function readResource(ws: Workspace, uri: string): Promise<object> {
  const { ref, subject } = partsOfUri(uri)
  if (subject === undefined)
    return contents(uri, JSON_TYPE, printableJson(JSON.stringify(shownFields(await showTask(ws, ref)))))
  return contents(uri, MARKDOWN, showText(ws, ref, undefined, subject).text)
}

function contents(uri: string, mimeType: string, text: string): object {
  return { contents: [{ uri, mimeType, text }] }
}

function partsOfUri(uri: string): { ref: string; subject?: TextSubject } {
  const { ref, subject } = /^gza:\/\/task\/(?<ref>[^/]+)(?:\/(?<subject>plan|review))?$/.exec(uri)?.groups ?? {}
  if (ref !== undefined) return { ref: decoded(ref), ...(subject && { subject: subject as TextSubject }) }
  throw new UserError('NO_SUCH_RESOURCE', `gza has no resource ${uri.slice(0, 100)}`, {
    hint: RESOURCE_TEMPLATES.map(({ uriTemplate }) => uriTemplate).join(', '),
  })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
