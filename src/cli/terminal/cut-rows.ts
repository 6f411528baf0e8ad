import type { CallContext } from '../call-context.ts'

/** The rows that a call prints. Several lists can be cut as one. */
export interface RowCut {
  take<T>(rows: Iterable<T>): Iterable<T>
  /** How many rows an agent was not shown, because it did not ask for a number of rows. */
  left(): number
}

/** What an agent reads unless it asks for more. */
const AGENT_ROWS = 20

/** At most `limit` rows; without a limit all of them for people, and some for agents. */
export function openRowCut({ env }: Pick<CallContext, 'env'>, limit: number | undefined): RowCut {
  let room = limit ?? AGENT_ROWS
  let left = 0
  // Asked only for more rows than any agent is shown: it loads a module.
  const isForPeople = (): boolean => limit === undefined && !isAgent(env)
  function* takeEach<T>(rows: Iterable<T>): Iterable<T> {
    for (const row of rows) {
      if (room > 0) {
        room--
        yield row
      } else if (limit === undefined) left++
      else return
    }
  }
  return {
    take(rows) {
      if (!Array.isArray(rows)) return isForPeople() ? rows : takeEach(rows)
      if (rows.length > room && isForPeople()) room = Number.POSITIVE_INFINITY
      const shown = rows.length <= room ? rows : rows.slice(0, room)
      room -= shown.length
      if (limit === undefined) left += rows.length - shown.length
      return shown
    },
    left: () => left,
  }
}

function isAgent(env: CallContext['env']): boolean {
  const { detectActor }: typeof import('../../core/task/agent-mode.ts') = require('../../core/task/agent-mode.ts')
  return detectActor(env, () => '').mode === 'agent'
}

/** On stderr: how many rows an agent was not shown, and how to get them. */
export function reportLeft(context: Pick<CallContext, 'err'>, cut: RowCut): void {
  const left = cut.left()
  if (left > 0) writeShown(context, { shown: AGENT_ROWS, total: AGENT_ROWS + left })
}

interface Shown {
  shown: number
  total: number
}

/** The same for a command that chooses its rows itself. */
export function reportShown(context: CallContext, { limit }: { limit?: number }, { shown, total }: Shown): void {
  if (limit === undefined && shown < total && isAgent(context.env)) writeShown(context, { shown, total })
}

function writeShown({ err }: Pick<CallContext, 'err'>, { shown, total }: Shown): void {
  err.write(`${shown} of ${total} are shown. --limit ${total} shows all.\n`)
}

/** How many lines a command fills that shows the most important of so many rows; null: as many as it likes. */
export function linesAtMost({ env, display }: CallContext, rows: number): number | null {
  if (rows > AGENT_ROWS && isAgent(env)) return AGENT_ROWS
  // One line is for the next prompt.
  return display.height === null ? null : Math.max(4, display.height - 1)
}

/** With --json only the limit that was given cuts. */
export function limitRows<T>(rows: Iterable<T>, limit: number | undefined): Iterable<T> {
  return limit === undefined ? rows : openRowCut({ env: {} }, limit).take(rows)
}
