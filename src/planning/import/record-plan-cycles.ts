import { UserError } from '../../core/user-error.ts'
import { dropMatter, keepMatter } from '../../state/live/matters.ts'
import { isUnwritable } from '../../state/store-faults.ts'
import { liveOf, type Workspace } from '../../workspace/workspace.ts'

/** What is imported, and the command that imports it again. */
export interface Importing {
  /** The file, as the inbox names it. Standard input has no name: the next accepted plan replaces the last refused one. */
  subject: string
  command: readonly string[]
  dryRun?: boolean | undefined
}

/** An import that is refused because of a dependency cycle stays in the inbox until it is accepted. */
export function recordPlanCycles<T>(ws: Workspace, { subject, command, dryRun }: Importing, take: () => T): T {
  if (dryRun) return take()
  const key = { ledger: ws.ledger, code: 'DEADLOCK', subject }
  try {
    const taken = take()
    if (ws.live !== null) dropMatter(ws.live, key)
    return taken
  } catch (error) {
    if (error instanceof UserError && error.cycles.length > 0)
      writeIfPossible(ws, () =>
        keepMatter(liveOf(ws), { ...key, at: ws.now(), facts: { loops: error.cycles, command } }),
      )
    throw error
  }
}

/** The refusal is more important than its entry in the inbox. */
function writeIfPossible(ws: Workspace, write: () => void): void {
  try {
    write()
  } catch (error) {
    if (!isUnwritable(error)) throw error
    ws.warnings.push(`${ws.livePath} cannot be written: the inbox will not show this`)
  }
}
