/**
 * Backlog.md keeps one markdown file for each task, with YAML at its top, in `backlog/tasks/` and `backlog/completed/`.
 */
import { parseDocument } from 'yaml'
import { z } from 'zod'
import type { Priority } from '../../../core/task/task.ts'
import {
  aboutList,
  badFile,
  type ForeignFile,
  type ForeignMilestone,
  type ForeignTask,
  headed,
  type Importer,
  paragraphs,
} from './importer.ts'

/** The folder's usual names; or the given path is the folder itself. */
const HOMES = ['backlog/', '.backlog/', '']

export const backlog: Importer = {
  tool: 'backlog',
  folders: HOMES.flatMap((home) => ['', 'tasks', 'completed', 'milestones'].map((folder) => home + folder)),
  pick: (paths) => {
    const home = HOMES.find((place) => paths.some((path) => isTaskFile(path, place)))
    if (home === undefined) return []
    return paths.filter((path) => isTaskFile(path, home) || path === `${home}config.yml` || isMilestone(path, home))
  },
  recognises: ({ text }) => taskSchema.safeParse(frontMatter(text)).success,
  read: (files) => {
    const finished = finalStatus(files.find(({ name }) => name.endsWith('config.yml')))
    const milestones = files.filter(({ name }) => isMilestone(name, '')).flatMap(readMilestone)
    const tasks = files.filter(({ name }) => !name.endsWith('config.yml') && !isMilestone(name, ''))
    return { tasks: tasks.map((file) => readTask(file, finished)), milestones, skipped: [] }
  },
}

/** `task-2.1 - Ask-for-the-address.md`; any folder may be called tasks. */
function isTaskFile(path: string, home: string): boolean {
  return path.startsWith(home) && /^(?:tasks|completed)\/[a-z]+-[\d.]+ - [^/]*\.md$/i.test(path.slice(home.length))
}

function isMilestone(path: string, home: string): boolean {
  return path.startsWith(home) && /(?:^|\/)milestones\/[^/]+\.md$/.test(path)
}

const word = z.union([z.string(), z.number()]).transform(String)
const words = z.union([z.array(word), word.transform((one) => [one])]).nullish()
const taskSchema = z.object({
  id: word,
  title: word,
  status: z.string(),
  assignee: words,
  reporter: word.nullish(),
  created_date: word.nullish(),
  labels: words,
  milestone: word.nullish(),
  dependencies: words,
  references: words,
  documentation: words,
  modified_files: words,
  parent_task_id: word.nullish(),
  priority: z.string().nullish(),
  type: z.string().nullish(),
})
const milestoneSchema = z.object({ id: word, title: word })

const PRIORITIES: Record<string, Priority> = { critical: 'critical', high: 'high', low: 'low' }

function readTask({ name, text }: ForeignFile, finished: string): ForeignTask {
  const parsed = taskSchema.safeParse(frontMatter(text))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw badFile(name, `${issue?.path.join('.') || 'front matter'}: ${issue?.message}`)
  }
  const task = parsed.data
  const sections = sectionsOf(text)
  const isFinished = task.status.toLowerCase() === finished.toLowerCase() || /(?:^|\/)completed\//.test(name)
  return {
    name: task.id,
    title: task.title,
    body: bodyFrom(sections),
    status: isFinished ? 'completed' : 'pending',
    priority: PRIORITIES[task.priority?.toLowerCase() ?? ''] ?? 'medium',
    ...(task.type?.toLowerCase() === 'spike' && { type: 'explore' }),
    ...(task.parent_task_id && { parent: task.parent_task_id }),
    dependsOn: task.dependencies ?? [],
    criteria: boxes(sections.get('acceptance criteria')),
    filesToModify: task.modified_files ?? [],
    ...(task.milestone && { milestone: task.milestone }),
    notes: [
      ...noteFrom('Implementation notes', sections.get('implementation notes')),
      ...noteFrom('Final summary', sections.get('final summary')),
    ],
    about: [
      ...(task.type ? [`Type: ${task.type}`] : []),
      ...aboutList('Labels', task.labels ?? []),
      ...aboutList('Assignee', task.assignee ?? []),
      ...aboutList('References', task.references ?? []),
      ...aboutList('Documentation', task.documentation ?? []),
    ],
    createdAt: timeOf(task.created_date ?? ''),
    createdBy: task.reporter ?? undefined,
  }
}

/** The last of the statuses is the one that ends a task. */
function finalStatus(config: ForeignFile | undefined): string {
  const { statuses } = Object(config === undefined ? {} : yamlOf(config.text))
  const last: unknown = Array.isArray(statuses) ? statuses.at(-1) : undefined
  return typeof last === 'string' ? last : 'Done'
}

function readMilestone({ text }: ForeignFile): ForeignMilestone[] {
  const parsed = milestoneSchema.safeParse(frontMatter(text))
  if (!parsed.success) return []
  const { id, title } = parsed.data
  return [{ id, name: title, description: paragraphs(sectionsOf(text).get('description')) }]
}

const FRONT_MATTER = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/

/** Null if the file has none that can be read. */
function frontMatter(text: string): unknown {
  return yamlOf(FRONT_MATTER.exec(text)?.[1] ?? '')
}

/** Null if it is invalid. An alias without a value, or one that refers to itself, is found only on conversion. */
function yamlOf(text: string): unknown {
  try {
    const document = parseDocument(text, { logLevel: 'error' })
    return document.errors.length > 0 ? null : document.toJS()
  } catch {
    return null
  }
}

/** The texts below the headings, by heading, without the marks that Backlog.md puts around them. */
function sectionsOf(text: string): Map<string, string> {
  const body = text.replace(FRONT_MATTER, '').replace(/^<!-- (?:SECTION:\w+|AC|DOD|\w+):(?:BEGIN|END) -->\r?\n?/gm, '')
  const [before = '', ...parts] = body.split(/^## (?=\S)/m)
  const sections = new Map([['', before.trim()]])
  for (const part of parts) {
    const [heading = '', ...lines] = part.split('\n')
    sections.set(heading.trim().toLowerCase(), lines.join('\n').trim())
  }
  return sections
}

const APART = new Set(['', 'description', 'acceptance criteria', 'implementation notes', 'final summary'])

function bodyFrom(sections: ReadonlyMap<string, string>): string {
  const others = [...sections].filter(([heading]) => !APART.has(heading))
  return paragraphs(
    sections.get(''),
    sections.get('description'),
    ...others.map(([heading, text]) => headed(heading.charAt(0).toUpperCase() + heading.slice(1), text)),
  )
}

/** `- [ ] #1 The cart survives a restart`. */
function boxes(section: string | undefined): string[] {
  return [...(section ?? '').matchAll(/^\s*[-*+] \[[ xX]\] (?:#\d+ )?(.+)$/gm)].map(([, text = '']) => text.trim())
}

function noteFrom(heading: string, text: string | undefined): string[] {
  return text ? [`${heading}: ${text}`] : []
}

/** `2026-11-16 02:57`, in UTC as Backlog.md writes it; a day without a time is accepted too. */
function timeOf(date: string): string | undefined {
  const [, day, time = '00:00'] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d))?/.exec(date) ?? []
  const at = new Date(`${day}T${time}:00Z`)
  return day === undefined || Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
