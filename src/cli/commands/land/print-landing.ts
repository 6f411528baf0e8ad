import type { LandWatcher } from '../../../landing/land-report.ts'
import { landedLine, returnedLine, waitingLine } from '../../render/land/landing.ts'
import type { Display } from '../../terminal/display.ts'

type LandEvent = 'landed' | 'returned' | 'waiting'

/** Prints what happens while branches land. */
export function landingPrinter(print: (line: string) => void, display: Display): Pick<LandWatcher, LandEvent> {
  return {
    landed: (task) => print(landedLine(task, display)),
    returned: (task) => print(returnedLine(task, display)),
    waiting: (landing, base) => print(waitingLine(landing, base, display)),
  }
}
