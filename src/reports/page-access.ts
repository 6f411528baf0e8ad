import { liveRun } from '../state/live/live-runs.ts'
import { keepMatter, PAGE_ASKED } from '../state/live/matters.ts'
import { runOfProcess } from '../workspace/run-of-process.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** A run whose process asked for access to the page of `gza web`. Only people get it. */
export interface RunAtPage {
  run: string
  /** The number of its task; null if it has none. */
  number: number | null
}

/** The run that one of these processes belongs to; it is in the inbox then. Null: none belongs to a run. */
export function reportRunAtPage(ws: Workspace, pids: readonly number[]): RunAtPage | null {
  for (const pid of pids) {
    const found = runOfProcess(ws, pid)
    if (found !== null) return keep(ws, found.run)
  }
  return null
}

/** The same for the process that calls. */
export function reportOwnRun(ws: Workspace): RunAtPage | null {
  const { mode, run } = ws.actor
  return mode === 'agent' && run !== undefined ? keep(ws, run) : null
}

function keep({ live, namedLedger, now }: Workspace, run: string): RunAtPage {
  const known = live === null ? null : liveRun(live, run)
  const facts = { run, number: known?.number ?? null, title: known?.title ?? null, agent: known?.agent ?? null }
  const ledger = known?.ledger ?? namedLedger ?? ''
  if (live !== null) keepMatter(live, { ledger, code: PAGE_ASKED, subject: `access by run ${run}`, at: now(), facts })
  return { run, number: known?.number ?? null }
}
