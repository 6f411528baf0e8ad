import { UserError } from '../../core/user-error.ts'
import { dropMatter, keepMatter } from '../../state/live/matters.ts'
import { isUnwritable } from '../../state/unwritable-store.ts'
import { liveOf, type Workspace } from '../../workspace/workspace.ts'

/** What comes through a pipe has no name: the next that is taken in stands for the last that was refused. */
export const STANDARD_INPUT = 'standard input'

/** What is imported, and how it is imported again. */
export interface Importing {
  /** The file, as the inbox names it. */
  subject: string
  command: readonly string[]
  dryRun?: boolean | undefined
}

/** An import that is refused because tasks wait for each other stands in the inbox until it is taken in. */
export function recordPlanCycles<T>(ws: Workspace, { subject, command, dryRun }: Importing, take: () => T): T {
  if (dryRun) return take()
  const key = { ledger: ws.ledger, code: 'DEADLOCK', subject }
  try {
    const taken = take()
    if (ws.live !== null) dropMatter(ws.live, key)
    return taken
  } catch (error) {
    if (error instanceof UserError && error.cycles.length > 0)
      keep(ws, () => keepMatter(liveOf(ws), { ...key, at: ws.now(), facts: { loops: error.cycles, command } }))
    throw error
  }
}

/** The refusal counts for more than its place in the inbox. */
function keep(ws: Workspace, write: () => void): void {
  try {
    write()
  } catch (error) {
    if (!isUnwritable(error)) throw error
    ws.warnings.push(`${ws.livePath} cannot be written: the inbox will not show this`)
  }
}
