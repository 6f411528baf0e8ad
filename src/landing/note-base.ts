import { firstLine } from '../core/text/first-line.ts'
import { dropMatter, keepMatter } from '../state/live/matters.ts'
import { liveOf, type Workspace } from '../workspace/workspace.ts'
import type { LandBase } from './land-base.ts'

/** A base that fails its own checks is in the inbox until something lands there. `why` is null if it is green. */
export function noteBase(ws: Workspace, { name, tip }: LandBase, why: string | null): void {
  const key = { ledger: ws.ledger, code: 'BASE_RED', subject: name }
  if (why === null) dropMatter(liveOf(ws), key)
  else keepMatter(liveOf(ws), { ...key, at: ws.now(), facts: { commit: tip, why: firstLine(why) } })
}
