import { firstLine } from '../text/first-line.ts'
import { oneLine } from '../text/one-line.ts'
import { escapeMarkdown } from './markdown-escape.ts'

export interface PrTask {
  id: string
  title: string
  content: string
  done: boolean
  /** Finished without being done. */
  skipped?: boolean
  /** Stopped by a person. */
  onHold?: boolean
  commit: string | null
  dependencies: { id: string; done: boolean }[]
  /** 0 or absent at the top; children follow their parent, one level deeper. */
  depth?: number
}

/** The tasks as a pull request's description shows them. */
export function pullRequestMarkdown(tasks: readonly PrTask[]): string {
  const sections = ['## Tasks\n', `${taskLines(tasks).join('\n')}\n`]
  const edges = tasks.flatMap(edgeLines)
  if (edges.length > 0) sections.push(`### Dependency Graph\n${edges.join('\n')}\n`)
  return sections.join('\n')
}

// GitHub shows no list item below a hundred levels, and nobody reads one below ten.
const MAX_DEPTH = 10

function taskLines(tasks: readonly PrTask[]): string[] {
  if (tasks.length === 0) return ['No tasks.']
  let depth = -1
  return tasks.map((task) => {
    // A line that is more than one level deeper than the one above would be code, or more text of that task.
    depth = Math.max(0, Math.min(task.depth ?? 0, depth + 1, MAX_DEPTH))
    return '  '.repeat(depth) + taskLine(task)
  })
}

function taskLine(task: PrTask): string {
  const commit = task.commit ? ` (${escapeMarkdown(task.commit.slice(0, 7))})` : ''
  const title = escapeMarkdown(oneLine(task.title) || firstLine(task.content.trimStart()))
  const state = task.skipped ? ' (skipped)' : task.onHold ? ' (on hold)' : ''
  return `- [${task.done ? 'x' : ' '}] ${escapeMarkdown(task.id)}: ${title}${commit}${state}`.trimEnd()
}

function edgeLines(task: PrTask): string[] {
  return task.dependencies.map((dependency) => {
    return `${escapeMarkdown(dependency.id)} → ${escapeMarkdown(task.id)}${task.done || task.skipped ? '' : ' (blocked)'}`
  })
}
