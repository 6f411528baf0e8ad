import { printable } from '../../../core/text/printable.ts'
import type { Deadlock } from '../../../reports/deadlock.ts'
import type { Look } from '../../terminal/face.ts'

export function deadlockLine({ line }: Deadlock, look: Look): string {
  return look.ink.red(`DEADLOCK: ${printable(line)}. gza inbox says what to do`)
}
