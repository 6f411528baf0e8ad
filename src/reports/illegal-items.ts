import { commandLine } from '../core/sentence.ts'
import type { BadCommit } from '../ledger/verify/first-bad-commit.ts'
import type { LedgerView } from '../workspace/ledger/ledger-view.ts'
import { badText, firstBadHere, judgeFetched } from '../workspace/ledger/legal-ledger.ts'
import type { InboxItem } from './inbox-item.ts'

/** The first illegal commit of the ledger, and of each remote's copy that was not taken in because of it. */
export function illegalItems({ ws }: LedgerView): InboxItem[] {
  const here = firstBadHere(ws, ws.ledger)
  const fetched = judgeFetched(ws, ws.ledger).flatMap(({ remote, firstBad }) =>
    firstBad === null ? [] : [itemOf(`${ws.ledger} on ${remote}`, firstBad)],
  )
  return here === null ? fetched : [itemOf(ws.ledger, here), ...fetched]
}

function itemOf(subject: string, bad: BadCommit): InboxItem {
  const commit = bad.commit.slice(0, 12)
  const commands = [commandLine`verify --accept ${commit}`, commandLine`sync --without ${commit}`]
  return { task: null, subject, code: 'ILLEGAL_HISTORY', detail: badText(bad), commands }
}
