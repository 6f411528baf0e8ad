import type { Imported } from '../../app/import-tasks.ts'
import { printable } from '../../core/printable.ts'
import { type Task, titleOf } from '../../core/task.ts'
import type { Look } from '../face.ts'
import { label, plural, titleLine } from './task-words.ts'

type Listed = Pick<Task, 'number' | 'id' | 'title' | 'content'>

/** A summary; a dry run lists what it would do, because that is what one asked for. */
export function* renderImported(result: Imported<Listed>, look: Look, options: { dryRun: boolean }): Iterable<string> {
  if (options.dryRun) {
    for (const task of result.created) yield `new: ${printable(titleOf(task))}`
    for (const task of result.updated)
      yield titleLine({ title: titleOf(task) }, { prefix: label(task, look), suffix: '(changed)' }, look)
  }
  const verb = options.dryRun ? 'Would import' : 'Imported'
  const updated = result.updated.length > 0 ? `, updated ${result.updated.length}` : ''
  const known = result.known ? `, ${result.known} already here` : ''
  const from = result.from === undefined ? '' : ` from ${result.from}`
  yield `${verb} ${plural(result.created.length, 'task')}${from}${updated}${known}`
}

/** Said on stderr: what could not be read, with its line. */
export function* renderSkipped({ skipped }: Imported<Listed>): Iterable<string> {
  for (const { line, why } of skipped) yield `${line === undefined ? '' : `line ${line}: `}${printable(why)}`
}
