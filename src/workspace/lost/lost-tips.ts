/**
 * Tips that a ledger had and has no longer. gza only moves a ledger forward; a fetch with a refspec like
 * `+refs/tasks/*:refs/tasks/*`, a mirror, or `git update-ref` may put another commit over it, or delete it with its
 * reflog. The index knows which tip it read last, and forgets it as soon as it reads another one: so it is recorded in a
 * file, which no fetch changes, and in a ref, so that git does not collect the commit.
 */

import { join } from 'node:path'
import { ARCHIVE, archivedName, isStandIn } from '../../core/ledger/archived-name.ts'
import { UserError } from '../../core/user-error.ts'
import { presentCommits } from '../../ledger/moved-commits.ts'
import { unreachedTips } from '../../ledger/unreached-tips.ts'
import { verifyHistory } from '../../ledger/verify/verify-history.ts'
import { appendText, readTextIfThere, writeText } from '../../platform/files/files.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { tryGit } from '../../platform/git/git.ts'
import { listRefs, readRef } from '../../platform/git/refs.ts'

export interface LostTip {
  ledger: string
  tip: string
}

/** A lost tip that git may have collected meanwhile. */
export interface KnownLoss extends LostTip {
  isGone: boolean
}

/** What happened, as a sentence. */
export function lossWords({ ledger, tip, isGone }: KnownLoss): string {
  const how = isGone ? 'git does not have that commit any more' : 'something other than gza removed it'
  return `${ledger} had ${tip.slice(0, 7)}, and ${how}`
}

/** Records the tip that the index read last, if nothing contains it any more. `now` is the present tip. */
export function recordLostTip(repo: Repo, { ledger, tip }: LostTip, now: string | null): void {
  if (tip === '' || isStandIn(ledger) || isRecorded(repo, tip)) return
  const isGone = presentCommits(repo, [tip]).length === 0
  if (!isGone && tipsNotIn(repo, { ledger, now }, [tip]).length === 0) return
  if (!isGone && !isWanted(repo, now, tip)) return
  try {
    appendText(recordPath(repo), `${tip} ${ledger}\n`)
    if (!isGone) tryGit(repo, ['update-ref', keepingRef(tip), tip])
  } catch {
    // The repository cannot be written: the reading itself must not fail.
  }
}

/**
 * A watchdog that put a ledger back has left out an illegal step, and a person one that a power cut has damaged. Nobody
 * wants those back.
 */
function isWanted(repo: Repo, now: string | null, tip: string): boolean {
  try {
    return verifyHistory(repo, now, tip).problems.length === 0
  } catch (error) {
    if (error instanceof UserError) return false
    throw error
  }
}

export function isRecorded(repo: Repo, tip: string): boolean {
  return readRecord(repo).some((lost) => lost.tip === tip)
}

/** The recorded tips that their ledgers still lack. Costs nothing if none was ever recorded. */
export function lostTips(repo: Repo): KnownLoss[] {
  return readRecord(repo).flatMap(({ ledger, tip }) => {
    const isGone = presentCommits(repo, [tip]).length === 0
    const now = readRef(repo, `refs/tasks/${ledger}`)
    return isGone || tipsNotIn(repo, { ledger, now }, [tip]).length > 0 ? [{ ledger, tip, isGone }] : []
  })
}

/** To be called when tips have been joined back. `told`: gone tips that were shown to a person. */
export function forgetFoundTips(repo: Repo, told: readonly string[]): void {
  const [recorded, lost] = [readRecord(repo), lostTips(repo).filter(({ tip }) => !told.includes(tip))]
  const found = recorded.filter(({ tip }) => !lost.some((each) => each.tip === tip))
  if (found.length === 0) return
  writeText(recordPath(repo), lost.map(({ ledger, tip }) => `${tip} ${ledger}\n`).join(''))
  tryGit(repo, ['update-ref', '--stdin'], found.map(({ tip }) => `delete ${keepingRef(tip)}\n`).join(''))
}

/**
 * Those of a ledger's tips that are neither in it, nor in the archive, nor among what people left out on purpose, and
 * that git still has.
 */
export function tipsNotIn(
  repo: Repo,
  { ledger, now }: { ledger: string; now: string | null },
  tips: string[],
): string[] {
  const known = presentCommits(repo, tips)
  if (known.length === 0) return []
  const kept = [...listRefs(repo, ARCHIVE, 'refs/gza/left-out/')].filter(
    ([ref]) => !ref.startsWith(ARCHIVE) || archivedName(ref) === ledger,
  )
  const holders = [...(now === null ? [] : [now]), ...kept.map(([, oid]) => oid)]
  return unreachedTips(repo, known, holders)
}

function readRecord(repo: Repo): LostTip[] {
  const lines = (readTextIfThere(recordPath(repo)) ?? '').split('\n')
  return lines.flatMap((line) => {
    const [, tip, ledger] = /^([0-9a-f]{40,64}) (.+)$/.exec(line) ?? []
    return tip === undefined || ledger === undefined ? [] : [{ ledger, tip }]
  })
}

function recordPath(repo: Repo): string {
  return join(repo.commonDir, 'gza', 'lost-tips')
}

function keepingRef(tip: string): string {
  return `refs/gza/lost/${tip}`
}
