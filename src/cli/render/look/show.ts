import { command, sentenceText } from '../../../core/sentence.ts'
import { isOnHold } from '../../../core/task/status-predicates.ts'
import { firstLine } from '../../../core/text/first-line.ts'
import { printable } from '../../../core/text/printable.ts'
import type { ShownTask, ShownText } from '../../../workspace/views/show-task.ts'
import type { TaskName, TaskView } from '../../../workspace/views/views.ts'
import { type Display, programOf } from '../../terminal/display.ts'
import { label, statusWord, waitingWords } from '../task-text.ts'
import type { RunWords } from './run-words.ts'

/** One task: at most six fixed lines, then a line for each field that is set, then the notes. */
export function renderShow(task: ShownTask, display: Display): string[] {
  const lines = [`${display.style.yellow(label(task, display))}: ${hanging(task.content)}`]
  const field = (name: string, value: string): void => {
    lines.push(`${display.style.dim(`${name}:`)} ${hanging(value)}`)
  }
  const waiting = waitingWords({ blocked_by: task.blocked_by, on_hold: isOnHold(task), asks: task.asks }, display)
  const blocked = waiting === '' ? '' : ` (${waiting})`
  const status = task.status === 'blocked' ? 'pending' : statusWord(task.status, display)
  field('status', `${status}${blocked}`)
  field('created', task.created_at)
  if (task.closed_at !== null) field('closed', task.closed_at)
  if (task.closed_commit !== null) field('commit', shortCommit(task.closed_commit))
  if (task.question !== null) field('question', `${task.question.by} asks: ${task.question.text}`)
  addDetails(task, field, display)
  for (const note of task.notes) field('note', note)
  return display.width === null ? lines : wrapped(lines, display)
}

export function shortCommit(commit: string): string {
  return commit.slice(0, 7)
}

/** The further lines of a text are indented, so that none looks like a field. */
function hanging(text: string): string {
  const safe = printable(text, { multiline: true })
  return safe.includes('\n') ? safe.replaceAll(/\n(?=[^\n])/g, '\n    ') : safe
}

/** What does it is loaded only on a terminal. */
function wrapped(lines: readonly string[], display: Display): string[] {
  const { wrapField }: typeof import('../../terminal/hanging-lines.ts') = require('../../terminal/hanging-lines.ts')
  return lines.map((text) => wrapField(text, 4, display))
}

/** Where it landed, and as which commit; null if it did not. */
function landedWords({ outcome, base, commits = [] }: TaskView['landings'][number]): string | null {
  const last = commits.at(-1)
  return outcome === 'landed' ? `${base}${last === undefined ? '' : ` (${shortCommit(last)})`}` : null
}

/** Fields that are set to something other than the default. A list of sentences or paths has a line for each entry. */
function addDetails(task: ShownTask, field: (name: string, value: string) => void, display: Display): void {
  const one = (name: string, value: string | number | null): void => {
    if (value !== null && value !== '') field(name, String(value))
  }
  const many = (name: string, values: readonly string[]): void => {
    for (const value of values) field(name, value)
  }
  const tasks = (name: string, ids: readonly string[]): void => {
    for (const id of ids) {
      const known = relatedTask(task, id)
      field(name, known === undefined ? id : nameWords(known, display))
    }
  }
  const flag = (name: string, value: boolean): void => one(name, value ? 'yes' : null)
  const ran = task.runs.length === 0 ? NEVER_RAN : wordsOfRuns(task)
  one('title', task.title === firstLine(task.content) ? null : task.title)
  tasks('after', task.after)
  tasks('depends on', task.depends_on)
  tasks('based on', task.based_on)
  one('type', task.type === 'task' ? null : task.type)
  one('group', task.group)
  one('priority', task.priority === 'medium' ? null : task.priority)
  one('key', task.key)
  tasks('parent', task.parent === null ? [] : [task.parent])
  tasks('child', task.children)
  one('story', task.user_story)
  many('accept', task.acceptance_criteria)
  many('creates', task.files_to_create)
  many('modifies', task.files_to_modify)
  many('tests', task.test_files)
  many('outside', ran.outside)
  many('weakened', ran.weakened)
  many('lock', task.locks)
  one('complexity', task.estimated_complexity)
  flag('review', task.create_review)
  flag('same branch', task.same_branch)
  flag('auto review', task.auto_review)
  one('cycle', task.review_cycle === 0 ? null : task.review_cycle)
  one('max cycles', task.auto_review ? task.max_review_cycles : null)
  one('verdict', verdictWords(task))
  one('attempts', task.attempts === 0 ? null : task.attempts)
  one('isolation', ran.isolation)
  one('failure', ran.failure)
  one('max attempts', task.max_attempts)
  one('agent', task.assigned_agent)
  if (task.assignments.length > 1) many('assigned', assignmentLines(task))
  one('running on', task.running_on)
  one('branch', task.branch)
  for (const landing of task.landings) one('landed', landedWords(landing))
  one('plan', task.plan_file)
  one('project', task.project)
  one('milestone', task.milestone_id)
  flag('archived', task.archived)
  one('commits', otherCommits(task))
  for (const text of task.texts) one('artifact', textWords(task, text, display))
}

/** Loaded only for tasks with runs. */
function wordsOfRuns(task: TaskView): RunWords {
  const { runWords }: typeof import('./run-words.ts') = require('./run-words.ts')
  return runWords(task)
}

const NEVER_RAN: RunWords = { outside: [], weakened: [], isolation: null, failure: null }

function relatedTask({ related }: ShownTask, id: string): TaskName | undefined {
  for (const other of related) if (other.id === id) return other
  return undefined
}

function otherCommits({ commits_in_order, closed_commit }: ShownTask): string {
  const others: string[] = []
  for (const commit of commits_in_order) if (commit !== closed_commit) others.push(shortCommit(commit))
  return others.join(', ')
}

/** Where a text is, and how to print it. */
function textWords({ number, id }: ShownTask, { name, copy }: ShownText, display: Display): string {
  const task = display.name === 'git-tasks' ? id : number
  const print = sentenceText(command`show ${task} --text ${name}`, programOf(display.name))
  return copy === null ? print : `${copy} (${print})`
}

/** `#4 task-a3f8 Title (pending)`. */
function nameWords(other: TaskName, display: Display): string {
  const name = other.number === 0 ? other.id : label(other, display)
  const status = other.status === 'blocked' ? 'pending' : statusWord(other.status, display)
  return other.number === 0 ? `${name} ${other.title}` : `${name} ${other.title} (${status})`
}

/** A person's verdict with the commit that it is about. */
function verdictWords({ final_verdict, persons_verdict: given }: ShownTask): string | null {
  if (given === null || given.head === null) return final_verdict
  const words = `${given.verdict} (by ${given.by}, for ${shortCommit(given.head)})`
  return given.counts ? words : `${words}, which no longer counts: the work is at ${shortCommit(given.now ?? '')} now`
}

/** Who had the task and when, if it had more than one agent. */
function assignmentLines({ assignments }: TaskView): string[] {
  return assignments.map(({ at, by, agent }) => `${at} to ${agent ?? 'nobody'}, by ${by}`)
}
