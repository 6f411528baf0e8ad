import { commandLine } from '../core/sentence.ts'
import { intendedBases, readIntent } from '../landing/build/intent.ts'
import { isLandLeaseHeld } from '../landing/land-lease.ts'
import { entry, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { readOtherLedger } from '../workspace/ledger/read-ledger.ts'
import type { InboxItem } from './inbox-item.ts'

/** Landings whose gza was killed: the base may have the work already, and no record says so yet. */
export function interruptedLandings(view: LedgerView): InboxItem[] {
  const { ws } = view
  return intendedBases(ws.repo).flatMap((base) => {
    const intent = readIntent(ws.repo, base)
    if (intent === null || intent.delayed !== null || isLandLeaseHeld(ws, base)) return []
    const there = readOtherLedger(ws, intent.ledger)
    const numbers = intent.works.flatMap(({ uids }) => uids).flatMap((uid) => entry(there, uid)?.number ?? [])
    const names = numbers.map((number) => `#${number}`).join(', ')
    const detail = `gza was killed while it landed ${names} on ${base}; the next landing completes it`
    const into = base === intent.ledger ? [] : ['--into', base]
    const branch = intent.ledger === ws.ledger ? [] : ['--branch', intent.ledger]
    const commands = [commandLine`merge ${numbers} ${into} ${branch}`]
    return [{ task: null, subject: base, code: 'LANDING_INTERRUPTED', detail, commands }]
  })
}
