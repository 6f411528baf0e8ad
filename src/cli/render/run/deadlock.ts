import { commandLine } from '../../../core/sentence.ts'
import { printable } from '../../../core/text/printable.ts'
import type { Deadlock } from '../../../reports/read-deadlock.ts'
import type { Display } from '../../terminal/display.ts'

export function deadlockLine({ detail }: Deadlock, display: Display): string {
  return display.style.red(`DEADLOCK: ${printable(detail)}. ${commandLine`inbox`} shows what to do`)
}
