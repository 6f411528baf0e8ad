/**
 * What is known about the checks on the base. A green result is kept for its tree and its commands, so that the same
 * tree is not checked twice. A red one is only shown: its reason may be this machine, and the next work looks again.
 */
import { createHash } from 'node:crypto'
import type { Config } from '../core/config/settings.ts'
import { firstLine } from '../core/text/first-line.ts'
import { copyPatterns } from '../engine/set-up/place-files.ts'
import { runGit } from '../platform/git/git.ts'
import { readRef } from '../platform/git/refs.ts'
import { dropMatter, keepMatter, mattersOf } from '../state/live/matters.ts'
import { liveOf, type Workspace } from '../workspace/workspace.ts'
import type { LandBase } from './land-base.ts'
import type { BuildCheck } from './land-report.ts'

/** How the base failed. */
type Failure = Pick<BuildCheck, 'detail' | 'in_box'>

/** Records the result of the checks on a commit. `why` is null if it is green. */
export function recordBaseCheck(ws: Workspace, config: Config, base: LandBase, why: Failure | null): void {
  if (why === null) recordGreen(ws, config, base.tip)
  else dropMatter(liveOf(ws), greenKey(ws, config, base.tip))
  noteBase(ws, config, base, why)
}

export function recordGreen(ws: Workspace, config: Config, commit: string): void {
  if (config.verify.command === null) return
  const live = liveOf(ws)
  keepMatter(live, { ...greenKey(ws, config, commit), at: ws.now(), facts: { commit } })
  const all = mattersOf(live, '').filter(({ code }) => code === GREEN)
  for (const old of all.slice(0, Math.max(0, all.length - MOST_KEPT))) dropMatter(live, old)
}

/** Whether these commands passed on the tree of this commit when they last ran there. */
export function wasGreen(ws: Workspace, config: Config, commit: string): boolean {
  const { subject } = greenKey(ws, config, commit)
  return mattersOf(liveOf(ws), '').some((matter) => matter.code === GREEN && matter.subject === subject)
}

const GREEN = 'BASE_GREEN'
const MOST_KEPT = 50

function greenKey({ repo }: Workspace, config: Config, commit: string) {
  const { verify, worktree } = config
  const tree = runGit(repo, ['rev-parse', '--verify', `${commit}^{tree}`])
    .toString()
    .trim()
  const commands = [verify.command, worktree.setup, worktree.link, copyPatterns(repo, worktree), ...boxOf(config)]
  const digest = createHash('sha256').update(JSON.stringify(commands)).digest('hex')
  // It belongs to the tree and to no ledger.
  return { ledger: '', code: GREEN, subject: `${tree} ${digest.slice(0, 16)}` }
}

/** A check that passes outside may fail in a box, and one that passes in a box may fail in a tighter one. */
function boxOf({ isolation, verify }: Config): unknown[] {
  return isolation.level === 'off' ? [] : [isolation.level, isolation.allow, verify.network]
}

const RED = 'BASE_RED'
export const RED_IN_BOX = 'BASE_RED_IN_BOX'

/** A base that fails its own checks is in the inbox until it moves or passes. `why` is null if it is green. */
export function noteBase(ws: Workspace, config: Config, { name, tip }: LandBase, why: Failure | null): void {
  const live = liveOf(ws)
  const code = why?.in_box ? RED_IN_BOX : RED
  const keyOf = (each: string) => ({ ledger: ws.ledger, code: each, subject: name })
  for (const each of [RED, RED_IN_BOX]) if (why === null || each !== code) dropMatter(live, keyOf(each))
  if (why === null) return
  const { detail, in_box } = why
  const about = { commit: tip, why: firstLine(detail), run: checkLine(config) }
  const facts = in_box ? { ...about, advice: in_box.advice, box: JSON.stringify(boxOf(config)) } : about
  keepMatter(live, { ...keyOf(code), at: ws.now(), facts })
}

/** The commands of a check, for a person who wants to see it fail. */
export function checkLine({ verify, worktree }: Config): string {
  return [worktree.setup, verify.command].filter((command) => command !== null).join(' && ')
}

export interface RedBase {
  base: string
  commit: string
  /** One line: which check, and the first test that failed. */
  why: string
  /** The commands that show it. */
  run: string
  /** It passes outside, and fails in the box of these settings; null: it fails as it is. */
  inBox: { advice: string; settings: string } | null
}

/** These settings failed, and not others. */
export function isOfSettings({ run, inBox }: RedBase, config: Config): boolean {
  return run === checkLine(config) && (inBox === null || inBox.settings === JSON.stringify(boxOf(config)))
}

/** The base, if it failed its own checks when it was last looked at, and has not moved since. */
export function knownRedBase({ repo, live, namedLedger }: Workspace): RedBase | null {
  const found =
    live === null ? [] : mattersOf(live, namedLedger).filter(({ code }) => code === RED || code === RED_IN_BOX)
  for (const { subject, code, facts } of found) {
    const commit = String(facts.commit)
    const inBox = code === RED_IN_BOX ? { advice: String(facts.advice), settings: String(facts.box) } : null
    if (readRef(repo, `refs/heads/${subject}`) === commit)
      return { base: subject, commit, why: String(facts.why), run: String(facts.run ?? ''), inBox }
  }
  return null
}
