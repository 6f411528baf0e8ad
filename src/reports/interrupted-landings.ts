import { commandLine } from '../core/sentence.ts'
import { type Intent, intendedBases, readIntent } from '../landing/build/intent.ts'
import { isLandLeaseHeld } from '../landing/land-lease.ts'
import { entry, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { readOtherLedger } from '../workspace/ledger/read-ledger.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { InboxItem } from './inbox-item.ts'

/** Landings whose gza was killed: the base may have the work already, and no record of it exists yet. */
export function interruptedLandings({ ws }: LedgerView): InboxItem[] {
  return intendedBases(ws.repo).flatMap((base) => {
    const intent = readIntent(ws.repo, base)
    const isInterrupted = intent !== null && intent.delayed === null && !isLandLeaseHeld(ws, base)
    return isInterrupted ? [inboxItem(ws, intent)] : []
  })
}

function inboxItem(ws: Workspace, { base, ledger, works }: Intent): InboxItem {
  const there = readOtherLedger(ws, ledger)
  const numbers = works.flatMap(({ uids }) => uids).flatMap((uid) => entry(there, uid)?.number ?? [])
  const names = numbers.map((number) => `#${number}`).join(', ')
  const detail = `gza was killed while it landed ${names} on ${base}; the next landing completes it`
  const into = base === ledger ? [] : ['--into', base]
  const branch = ledger === ws.ledger ? [] : ['--branch', ledger]
  const commands = [commandLine`merge ${numbers} ${into} ${branch}`]
  return { task: null, subject: base, code: 'LANDING_INTERRUPTED', detail, commands }
}
