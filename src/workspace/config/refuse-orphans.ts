import { sentence } from '../../core/sentence.ts'
import { UserError } from '../../core/user-error.ts'
import { hasTerminal, oldestAncestor } from '../../platform/processes/ancestors.ts'
import { firstSupervisorStart } from '../../state/live/supervisors.ts'
import type { Workspace } from '../workspace.ts'

/**
 * Refuses to trust something for a process that an agent may have left behind without any trace of its run: its variables
 * and its stamp are gone, and gza was killed, or it is in a PID namespace of its own. A person has a terminal, or at least
 * a process above that is older than the run, such as a shell, a CI runner or cron.
 */
export function refuseOrphans(ws: Workspace): void {
  if (!isPossibleOrphan(ws)) return
  throw new UserError(
    'NO_PERSON',
    'Nothing shows that a person asks for this: an agent may have left this process behind',
    {
      hint: sentence`There is no terminal, and no process above it is older than the agents of this repository. Run it in a terminal.`,
    },
  )
}

export function isPossibleOrphan({ live }: Workspace): boolean {
  const first = live === null ? null : firstSupervisorStart(live)
  if (first === null || hasTerminal()) return false
  const oldest = oldestAncestor()
  return oldest === null || oldest >= first
}
