import { withWritten } from '../../ledger/write/written-objects.ts'
import { runGit } from '../../platform/git/git.ts'
import { type RefUpdate, swapRefs } from '../../platform/git/refs.ts'
import type { Live } from '../../state/live/open-live.ts'
import type { Workspace } from '../workspace.ts'

export interface LedgerMove extends RefUpdate {
  /** The new commit has the old one as its only parent. */
  isOneStep?: boolean
}

/**
 * Moves ledgers, all or none. While agents run, what a person's gza does is written down first: the guard compares every
 * ledger afterwards, and must not take it for the agent's doing.
 */
export function swapLedgers(ws: Workspace, updates: readonly LedgerMove[], message: string): boolean {
  if (ws.live !== null && ws.actor.mode === 'human') vouchIfWatched(ws, ws.live, updates)
  const commits = updates.map(({ to }) => to)
  return withWritten(ws.repo, commits, () => swapRefs(ws.repo, updates, message))
}

/** Loaded only where agents have run. */
function vouchIfWatched(ws: Workspace, live: Live, updates: readonly LedgerMove[]): void {
  const {
    doOthersSupervise,
  }: typeof import('../../state/live/supervisors.ts') = require('../../state/live/supervisors.ts')
  if (!doOthersSupervise(live)) return
  const {
    vouchForMoves,
  }: typeof import('../../state/live/vouched-moves.ts') = require('../../state/live/vouched-moves.ts')
  const names = updates.flatMap((update) => namesOf(ws, update))
  vouchForMoves(live, names, ws.now())
}

/** What the guard asks about: where a ref went, and each commit that came with it. */
function namesOf({ repo }: Workspace, { ref, to, from, isOneStep }: LedgerMove): string[] {
  if (to === null) return [moveName(ref, null)]
  if (isOneStep) return [moveName(ref, to), to]
  const range = from === null ? [to] : [to, `^${from}`]
  const commits = runGit(repo, ['rev-list', `--max-count=${MOST}`, ...range, '--'])
    .toString()
    .split('\n')
    .filter(Boolean)
  return [moveName(ref, to), ...commits]
}

/** More than a person brings in with one command while agents run. */
const MOST = 10_000

function moveName(ref: string, to: string | null): string {
  return `${ref} ${to ?? 'gone'}`
}
