import type { Deadlock } from '../../app/engine/deadlock.ts'
import { printable } from '../../core/printable.ts'
import type { Look } from '../face.ts'

export function deadlockLine({ line }: Deadlock, look: Look): string {
  return look.ink.red(`DEADLOCK: ${printable(line)}. gza inbox says what to do`)
}
