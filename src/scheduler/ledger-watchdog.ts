/**
 * Keeps the ledger's last tip in memory while agents run. Any move that is not a step forward bypassed the guard and is
 * repaired immediately, before a worker writes on top of it: a missing ledger is restored, and a rewound one is merged
 * with the kept tip.
 */
import type { LedgerWatchdog } from '../engine/phase/run-context.ts'
import { isAncestor } from '../ledger/links.ts'
import { areOwnSteps } from '../ledger/verify/own-steps.ts'
import { lookAtRef, watchRef } from '../ledger/verify/watched-ledgers.ts'
import { refuseGoneRepo, runGit, tryGit } from '../platform/git/git.ts'
import { readRef, swapRefs } from '../platform/git/refs.ts'
import { changeLedger } from '../workspace/ledger/change-ledger.ts'
import { decideJoin } from '../workspace/ledger/join-ledger.ts'
import { ledgerRef, type Workspace } from '../workspace/workspace.ts'

export function watchLedger(ws: Workspace, say: (sentence: string) => void): LedgerWatchdog {
  const ref = ledgerRef(ws.ledger)
  const mended: { at: number; what: string }[] = []
  let kept = readRef(ws.repo, ref)
  const look = (): void => {
    const tip = readAny(ws, ref)
    if (tip === kept) return
    if (kept === null || isStepForward(ws, kept, tip)) {
      kept = tip
      return
    }
    refuseGoneRepo(ws.repo)
    const what = `${ref} ${tip === null ? 'was deleted' : 'went back'} while agents ran; ${kept.slice(0, 10)} was put back`
    mended.push({ at: performance.now(), what })
    say(what)
    mend(ws, ref, tip === null ? kept : lastGood(ws, ref, kept), tip)
    look()
  }
  watchRef(ws.repo, ref, look)
  return {
    look: () => lookAtRef(ws.repo, ref),
    since: (moment) => mended.filter(({ at }) => at >= moment).map(({ what }) => what),
  }
}

/** A ref without an object counts as missing. */
function readAny(ws: Workspace, ref: string): string | null {
  try {
    return readRef(ws.repo, ref)
  } catch {
    return null
  }
}

function isStepForward(ws: Workspace, kept: string, tip: string | null): boolean {
  return tip !== null && (areOwnSteps(ws.repo, kept, tip) || isAncestor(ws.repo, kept, tip))
}

/** Its tip just before it went back, if that was a step forward from the last tip that we saw. */
function lastGood(ws: Workspace, ref: string, kept: string): string {
  const before = tryGit(ws.repo, ['rev-parse', '--verify', '--quiet', `${ref}@{1}`])
    .stdout.toString()
    .trim()
  return before !== '' && isAncestor(ws.repo, kept, before) ? before : kept
}

function mend(ws: Workspace, ref: string, kept: string, tip: string | null): void {
  if (tip === null && swapRefs(ws.repo, [{ ref, to: kept, from: null }], 'gza: put back')) return
  try {
    changeLedger(ws, (view) => decideJoin(view, kept, 'restore what was removed'))
  } catch {
    // The ref does not point to a ledger now.
    runGit(ws.repo, ['update-ref', '--no-deref', '--create-reflog', '-m', 'gza: put back', ref, kept])
  }
}
