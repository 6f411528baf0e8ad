import { printable } from '../../../core/text/printable.ts'
import type { InboxItem } from '../../../reports/inbox-item.ts'
import type { Why } from '../../../scheduler/choose/why-not-running.ts'
import type { Display } from '../../terminal/display.ts'

export function* renderInbox(items: readonly InboxItem[], display: Display): Iterable<string> {
  for (const item of items) {
    const { code, detail, commands } = item
    yield `${display.style.red(code)}  ${subjectOf(item)}`
    if (detail !== '') for (const line of detail.split('\n')) yield `  ${printable(line)}`
    for (const command of commands) yield display.style.dim(`  ${printable(command)}`)
  }
}

/** What an entry is about: a task in most cases. */
export function subjectOf({ task, subject = '' }: InboxItem): string {
  return printable(task === null ? subject : `#${task.number} ${task.title}`)
}

export function* renderWhy({ number, code, line }: Why, display: Display): Iterable<string> {
  yield `#${number} ${display.style.yellow(code)}: ${printable(line)}`
}
