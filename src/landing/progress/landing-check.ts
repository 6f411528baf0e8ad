/** Shows other processes what a landing verifies at this moment. Nothing else depends on it. */
import { dropLandingCheck, keepLandingCheck, landingCheckOf } from '../../state/live/landing-checks.ts'
import { entry, type LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { liveOf, type Workspace } from '../../workspace/workspace.ts'
import type { LandLease } from '../land-lease.ts'

/** The uids of tasks. */
export interface Verified {
  base: string
  /** None: the base itself. */
  verifying: string[]
  /** One of them turned the batch red. */
  suspects: string[]
}

export async function whileShown<T>(
  ws: Workspace,
  { lease: { run } }: LandLease,
  { base, verifying, suspects }: Verified,
  verify: () => Promise<T>,
): Promise<T> {
  keepLandingCheck(liveOf(ws), { base, run, at: ws.now(), verifying, suspects })
  try {
    return await verify()
  } finally {
    dropLandingCheck(liveOf(ws), { base, run })
  }
}

/** What is verified on a base now. Tasks are those of this ledger. */
export interface CurrentCheck {
  base: string
  since: string
  verifying: CheckedTask[]
  suspects: CheckedTask[]
}

interface CheckedTask {
  uid: string
  number: number
  title: string
}

export function currentCheck(view: LedgerView, base: string): CurrentCheck | null {
  const { ws } = view
  const check = ws.live === null ? null : landingCheckOf(ws.live, base, ws.now())
  if (check === null) return null
  const tasks = (uids: readonly string[]) =>
    uids.flatMap((uid) => {
      const row = entry(view, uid)
      return row === undefined ? [] : [{ uid, number: row.number, title: row.title }]
    })
  return { base, since: check.at, verifying: tasks(check.verifying), suspects: tasks(check.suspects) }
}

/** The code and the sentence of a task in the queue; null: it is not part of the check. */
export function whyChecked(check: CurrentCheck | null, uids: readonly string[]) {
  if (check === null) return null
  const { verifying, suspects } = check
  const isIn = (tasks: readonly CheckedTask[]) => tasks.some(({ uid }) => uids.includes(uid))
  const verb = verifying.length > 1 ? 'are' : 'is'
  const now = `${verifying.length === 0 ? `${check.base} itself` : names(verifying)} ${verb} being verified`
  if (isIn(suspects)) {
    const cause = suspects.length === 1 ? 'failed its checks' : `is in a batch that failed: one of ${names(suspects)}`
    return { code: 'BISECTING', detail: `${cause}; ${now}` }
  }
  return isIn(verifying)
    ? {
        code: 'VERIFYING',
        detail: verifying.length === 1 ? 'is being verified' : `is being verified together: ${names(verifying)}`,
      }
    : null
}

function names(tasks: readonly CheckedTask[]): string {
  return tasks.map(({ number }) => `#${number}`).join(', ')
}
