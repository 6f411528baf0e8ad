import type { FoundTask, Task } from '../../api/types.ts'

/** A task that was chosen as a dependency. */
export type Chosen = Pick<FoundTask, 'number' | 'title'>

/** What the form of a task holds. Lists of texts are one on a line. */
export interface TaskValues {
  title: string
  text: string
  type: string
  priority: string
  group: string
  milestone_id: string
  key: string
  assigned_agent: string
  after: Chosen[]
  based_on: Chosen[]
  acceptance_criteria: string
  files_to_create: string
  files_to_modify: string
  test_files: string
}

export const NO_VALUES: TaskValues = {
  ...{
    title: '',
    text: '',
    type: 'task',
    priority: 'medium',
    group: '',
    milestone_id: '',
    key: '',
    assigned_agent: '',
  },
  ...{ after: [], based_on: [], acceptance_criteria: '', files_to_create: '', files_to_modify: '', test_files: '' },
}

const WORDS = ['type', 'priority', 'group', 'milestone_id', 'key', 'assigned_agent'] as const
const LISTS = ['acceptance_criteria', 'files_to_create', 'files_to_modify', 'test_files'] as const

export function valuesOf(task: Task): TaskValues {
  const { title, content } = task
  const chosen = (kinds: readonly string[]) => task.related.filter(({ kind }) => kinds.includes(kind)).map(choice)
  return {
    ...{ title, text: content === title ? '' : content },
    ...{ type: task.type, priority: task.priority, group: task.group ?? '', milestone_id: task.milestone_id ?? '' },
    ...{ key: task.key ?? '', assigned_agent: task.assigned_agent ?? '' },
    ...{ after: chosen(['after', 'depends_on']), based_on: chosen(['based_on']) },
    acceptance_criteria: task.acceptance_criteria.join('\n'),
    files_to_create: task.files_to_create.join('\n'),
    files_to_modify: task.files_to_modify.join('\n'),
    test_files: task.test_files.join('\n'),
  }
}

function choice({ number, title }: Chosen): Chosen {
  return { number, title }
}

/** The input of `add`: what was left empty is left out. */
export function addInput(values: TaskValues): object {
  const input: Record<string, unknown> = { content: values.text.trim() === '' ? values.title : values.text }
  if (values.text.trim() !== '' && values.title.trim() !== '') input.title = values.title
  for (const name of WORDS) if (values[name] !== '') input[name] = values[name]
  for (const name of LISTS) if (lines(values[name]).length > 0) input[name] = lines(values[name])
  if (values.after.length > 0) input.after = refs(values.after)
  if (values.based_on.length > 0) input.based_on = refs(values.based_on)
  return input
}

/** The input of `edit`: only what differs from what was shown. An empty value clears a field. */
export function editInput(before: TaskValues, values: TaskValues): object {
  const input: Record<string, unknown> = {}
  const isTextual = values.text !== before.text || values.title !== before.title
  if (isTextual && values.text.trim() === '') Object.assign(input, { content: values.title, title: '' })
  else if (values.text !== before.text) input.content = values.text
  if (values.text.trim() !== '' && (values.title !== before.title || before.text === '')) input.title = values.title
  if (!isTextual) delete input.title
  for (const name of WORDS) if (values[name] !== before[name]) input[name] = values[name]
  for (const name of LISTS) if (values[name] !== before[name]) input[name] = lines(values[name])
  if (differ(values.after, before.after)) Object.assign(input, { after: refs(values.after), depends_on: [] })
  if (differ(values.based_on, before.based_on)) input.based_on = refs(values.based_on)
  return input
}

/** The names of the fields in which two differ, as the form calls them. */
export function changedFields(before: TaskValues, now: TaskValues): (keyof TaskValues)[] {
  return (Object.keys(NO_VALUES) as (keyof TaskValues)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]),
  )
}

function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function refs(chosen: readonly Chosen[]): string[] {
  return chosen.map(({ number }) => String(number))
}

function differ(a: readonly Chosen[], b: readonly Chosen[]): boolean {
  return refs(a).join() !== refs(b).join()
}
