/** A second, simple way to filter tasks: over what `list --all --json` prints of them. */

export interface ListedJson {
  number: number
  title: string
  key: string | null
  content: string
  status: string
  type: string
  priority: string
  group: string | null
  assigned_agent: string | null
  milestone_id: string | null
  created_at: string
  closed_at: string | null
  archived: boolean
  on_hold: boolean
  asks: boolean
  notes: string[]
  user_story: string | null
  acceptance_criteria: string[]
  files_to_create: string[]
  files_to_modify: string[]
  test_files: string[]
}

/** One condition. `words`: a word, the beginning of one with a star, or several that are next to each other. */
export interface Condition {
  field: 'status' | 'type' | 'group' | 'agent' | 'priority' | 'milestone' | 'since' | 'file' | 'words' | 'title'
  value: string
  isNot: boolean
}

/** What the command must list. */
export function numbersOf(tasks: readonly ListedJson[], conditions: readonly Condition[], all: boolean): number[] {
  const asksForStatus = conditions.some(({ field, isNot }) => field === 'status' && !isNot)
  return tasks
    .filter((task) => all || !task.archived)
    .filter((task) => all || asksForStatus || isOpen(task))
    .filter((task) => conditions.every((condition) => holds(task, condition) !== condition.isNot))
    .map(({ number }) => number)
}

function isOpen({ status }: ListedJson): boolean {
  return !['completed', 'skipped'].includes(status)
}

function holds(task: ListedJson, { field, value }: Condition): boolean {
  const values = value.split(',')
  switch (field) {
    case 'status':
      return values.some((word) => hasStatus(task, word))
    case 'type':
    case 'priority':
      return values.includes(task[field])
    case 'group':
      return values.includes(task.group ?? '')
    case 'agent':
      return values.includes(task.assigned_agent ?? '')
    case 'milestone':
      return values.includes(task.milestone_id ?? '')
    case 'since':
      return [task.created_at, task.closed_at ?? ''].some((time) => time >= `${value}T00:00:00Z`)
    case 'file':
      return [...task.files_to_create, ...task.files_to_modify, ...task.test_files].some((path) =>
        value.startsWith('*') ? path.endsWith(value.slice(1)) : path.startsWith(value) || path.endsWith(`/${value}`),
      )
    case 'title':
      return hasWords([`${task.key ?? ''} ${task.title}`], value)
    default:
      return hasWords(textsOf(task), value)
  }
}

function hasStatus({ status, on_hold, asks }: ListedJson, word: string): boolean {
  if (word === 'open') return !['completed', 'skipped'].includes(status)
  if (word === 'ready') return status === 'pending' && !on_hold && !asks
  if (word === 'pending') return ['pending', 'blocked'].includes(status)
  return status === (word === 'done' ? 'completed' : word)
}

function textsOf(task: ListedJson): string[] {
  return [
    ...[`${task.key ?? ''} ${task.title}`, task.content, task.user_story ?? ''],
    ...[...task.notes, ...task.acceptance_criteria],
    ...[...task.files_to_create, ...task.files_to_modify, ...task.test_files],
  ]
}

/** In one text, next to each other. */
function hasWords(texts: readonly string[], wanted: string): boolean {
  const isPrefix = wanted.endsWith('*')
  const phrase = ` ${wordsOf(wanted).join(' ')}${isPrefix ? '' : ' '}`
  return texts.some((text) => ` ${wordsOf(text).join(' ')} `.includes(phrase))
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? []
}
