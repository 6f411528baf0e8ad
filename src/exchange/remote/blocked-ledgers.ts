/** Git cannot store refs/tasks/feature and refs/tasks/feature/x together, here or on a remote. */
import { command, sentence } from '../../core/sentence.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** The ledger that keeps this one from being stored beside it. */
export function ledgerInTheWay(ledger: string, others: ReadonlyMap<string, string>): string | undefined {
  return [...others.keys()].find((other) => ledger.startsWith(`${other}/`) || other.startsWith(`${ledger}/`))
}

interface Blocked {
  ledger: string
  blocker: string
  remote: string
  isHere: boolean
}

/** Which of the two belongs to a branch that is gone, prune finds out. */
export function warnOfBlocked(ws: Workspace, { ledger, blocker, remote, isHere }: Blocked): void {
  const [kept, missing] = isHere ? ['here', remote] : [`on ${remote}`, 'this repository']
  const why = `The tasks of ${ledger} stay ${kept}: ${missing} has those of ${blocker}, and git does not allow a ref below another`
  ws.warnings.push(
    isHere
      ? sentence`${why}. If the branch ${blocker} is gone, ${command`prune --remote`} archives its tasks, here and on ${remote}; then sync again`
      : why,
  )
}
