import { printable } from '../../../core/text/printable.ts'
import type { InboxItem } from '../../../reports/inbox-item.ts'
import type { Why } from '../../../scheduler/choose/why-not-running.ts'
import type { Display } from '../../terminal/display.ts'
import { hangingLines } from '../../terminal/hanging-lines.ts'

export function* renderInbox(items: Iterable<InboxItem>, display: Display): Iterable<string> {
  for (const item of items) {
    const { code, detail, commands } = item
    yield* hangingLines(`${display.style.red(code)}  ${subjectOf(item)}`, 2, display)
    if (detail !== '') for (const line of detail.split('\n')) yield* hangingLines(`  ${printable(line)}`, 4, display)
    for (const command of commands) yield display.style.dim(`  ${printable(command)}`)
  }
}

/** The same facts for --json, with every key. */
export function inboxFields({ task, subject, code, detail, commands, cycle_texts = [] }: InboxItem) {
  return { task, subject: subject ?? null, code, detail, commands, cycle_texts }
}

/** What an entry is about: a task in most cases. */
export function subjectOf({ task, subject = '' }: InboxItem): string {
  return printable(task === null ? subject : `#${task.number} ${task.title}`)
}

export function* renderWhy({ number, code, detail }: Why, display: Display): Iterable<string> {
  yield* hangingLines(`#${number} ${display.style.yellow(code)}: ${printable(detail)}`, 2, display)
}
