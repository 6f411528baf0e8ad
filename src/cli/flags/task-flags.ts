import { PRIORITIES, TASK_TYPES } from '../../core/task/task.ts'
import { choice, count, list, maybe, taskFlag, taskList, text, texts, toggle } from './flags.ts'

/** The fields of a task that `add` sets and `edit` changes, as flags. */
export interface TaskFlags {
  after?: string[]
  'depends-on'?: string[]
  'based-on'?: string[]
  type?: string
  group?: string
  priority?: string
  parent?: string
  key?: string
  title?: string
  accept?: string[]
  'files-to-create'?: string[]
  'files-to-modify'?: string[]
  'test-files'?: string[]
  lock?: string[]
  review?: boolean
  'same-branch'?: boolean
  'auto-review'?: boolean
  'no-auto-review'?: boolean
  'max-cycles'?: number
  'max-attempts'?: number
  milestone?: string
  'user-story'?: string
  'plan-file'?: string
  project?: string
  'assigned-agent'?: string
  'estimated-complexity'?: string
}

export const TASK_FLAGS = {
  after: taskList('Do it after these tasks'),
  'depends-on': taskList('The same as --after'),
  'based-on': taskList('Do it after these tasks, and give it their results as context'),
  type: choice('TYPE', TASK_TYPES, 'The kind of work'),
  group: text('NAME', 'A label for related tasks'),
  priority: choice('LEVEL', PRIORITIES, 'Which of the ready tasks come first'),
  parent: taskFlag('The task that this one is a part of'),
  key: text('KEY', 'Your own name for the task, such as T2-a'),
  title: text('TEXT', 'A short title, for a task with long content'),
  accept: texts('TEXT', 'An acceptance criterion'),
  'files-to-create': list('PATH', 'Files that the task creates'),
  'files-to-modify': list('PATH', 'Files that the task changes'),
  'test-files': list('PATH', 'Files that test it'),
  lock: list('NAME', 'Resources that only one task at a time may use, such as db'),
  review: maybe('Create a review task when it is completed'),
  'same-branch': maybe('Continue on the branch of the task it is based on'),
  'auto-review': maybe('Review and improve repeatedly until approved'),
  'no-auto-review': maybe('Do not review and improve, whatever is configured'),
  'max-cycles': count('N', 'The maximum number of review cycles'),
  'max-attempts': count('N', 'The maximum number of attempts'),
  milestone: text('ID', 'The milestone it belongs to'),
  'user-story': text('TEXT', 'Who wants it, and why'),
  'plan-file': text('PATH', 'The plan it comes from'),
  project: text('NAME', 'The project it belongs to'),
  'assigned-agent': text('NAME', 'The agent that should do it'),
  'estimated-complexity': choice('LEVEL', ['low', 'medium', 'high'], 'The expected difficulty'),
} as const

export const CREATE = toggle('With --branch: start a ledger for a name that has neither a branch nor a ledger')

/** The values of the flags under the ledger's field names. A flag that was not given is absent. An empty list clears. */
export function taskFields(flags: TaskFlags) {
  return definedOnly({
    after: nonEmpty(flags.after),
    depends_on: nonEmpty(flags['depends-on']),
    based_on: nonEmpty(flags['based-on']),
    type: flags.type,
    group: flags.group,
    priority: flags.priority,
    parent: flags.parent,
    key: flags.key,
    title: flags.title,
    acceptance_criteria: nonEmpty(flags.accept),
    files_to_create: nonEmpty(flags['files-to-create']),
    files_to_modify: nonEmpty(flags['files-to-modify']),
    test_files: nonEmpty(flags['test-files']),
    locks: nonEmpty(flags.lock),
    create_review: flags.review,
    same_branch: flags['same-branch'],
    auto_review: flags['no-auto-review'] ? false : flags['auto-review'],
    max_review_cycles: flags['max-cycles'],
    max_attempts: flags['max-attempts'],
    milestone_id: flags.milestone,
    user_story: flags['user-story'],
    plan_file: flags['plan-file'],
    project: flags.project,
    assigned_agent: flags['assigned-agent'],
    estimated_complexity: flags['estimated-complexity'],
  })
}

function nonEmpty(values: string[] | undefined): string[] | undefined {
  return values?.filter((value) => value !== '')
}

function definedOnly<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}
