import { lastFailure } from '../../../core/run/run-rules.ts'
import { isFinished } from '../../../core/task/status-predicates.ts'
import { firstLine } from '../../../core/text/first-line.ts'
import { recordedWeakenings, weakeningText } from '../../../core/weakened/weakening.ts'
import type { TaskView } from '../../../workspace/views/views.ts'

/** What `show` prints about the runs of a task. */
export interface RunWords {
  /** What the last run changed besides the files that the task declares. */
  outside: string[]
  /** Where the last finished run makes checks see less. */
  weakened: string[]
  /** What held the agents of the last run, unless a person had turned isolation off. */
  isolation: string | null
  /** How the last attempt failed, if the task is not finished since. The whole text is in the run's log. */
  failure: string | null
}

export function runWords(task: TaskView): RunWords {
  const finished = task.runs.findLast(({ outcome }) => outcome === 'completed')
  const outside = finished?.outside
  const level = task.runs.at(-1)?.isolation
  return {
    outside: Array.isArray(outside) ? outside.map(String) : [],
    weakened: finished?.weakened === undefined ? [] : recordedWeakenings(finished).map(weakeningText),
    isolation: typeof level === 'string' ? level : null,
    failure: failureWords(task),
  }
}

function failureWords(task: TaskView): string | null {
  const failure = isFinished(task) ? null : lastFailure(task)
  if (failure === null) return null
  const line = firstLine(String(failure.detail ?? ''))
  return line === '' ? String(failure.reason) : `${failure.reason}: ${line}`
}
