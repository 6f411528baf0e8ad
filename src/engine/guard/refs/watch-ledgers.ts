import { changedByPeople, isMadeByGza } from '../../../ledger/verify/check-step.ts'
import { areOwnSteps, isOwnStep } from '../../../ledger/verify/own-steps.ts'
import { appendTipLines, readTipLines, type TipLine } from '../../../ledger/verify/witness-tips.ts'
import type { Repo } from '../../../platform/git/find-repo.ts'
import { runGit } from '../../../platform/git/git.ts'
import { readRefFiles } from '../../../platform/git/ref-files.ts'
import { whyIllegalStep } from './why-illegal-step.ts'

/** The ledgers as they were when an agent's phase started, kept where the agent cannot change them. */
export interface Watch {
  repo: Repo
  run: string
  tips: Tips
  /** The record at that time: if an agent cuts it, the missing lines show that. */
  record: TipLine[]
}

/** Object id by ref. A symbolic ref counts as moved, whatever it points at. */
type Tips = Map<string, string>

export function startWatch(repo: Repo, run: string, at: string): Watch {
  const tips = readTips(repo)
  const known = readTipLines(repo)
  const lines = [...tips]
    .filter(([ledger, tip]) => !isReplacement(ledger) && lastTip(known, ledger) !== tip)
    .map(([ledger, before]) => ({ at, ledger, before, after: null, run, ended: false, why: null }))
  appendTipLines(repo, lines)
  return { repo, run, tips, record: [...known, ...lines] }
}

/** A forbidden change of a ledger. A person may have made it meanwhile, unless it is forbidden to people too. */
export interface Incident {
  text: string
  /** For changes that people may make: the parts that an agent may not change. Null: tampering. */
  byPeople: string[] | null
}

/** Compares and records; returns the forbidden changes. */
export function endWatch({ repo, run, tips, record }: Watch, at: string, isVouched: IsVouched = NOBODY): Incident[] {
  const now = readTips(repo)
  const lines: TipLine[] = []
  for (const ledger of new Set([...tips.keys(), ...now.keys()])) {
    const [before = null, after = null] = [tips.get(ledger), now.get(ledger)]
    if (before === after) continue
    const why = whyBad(repo, ledger, before, after)
    const isPersons = why !== null && isByPerson(repo, { ledger, before, after }, isVouched)
    lines.push({ at, ledger, before, after, run, ended: true, why: isPersons ? null : why })
  }
  const lost = lostLines(repo, record)
  appendTipLines(repo, [...lost, ...lines])
  const wrong = lines.filter(({ why }) => why !== null)
  const cut = `The guard’s record had lost ${lost.length} of its lines; they are written again`
  return [
    ...wrong.map((line) => ({ text: describe(line), byPeople: byPeople(repo, line) })),
    ...(lost.length > 0 ? [{ text: cut, byPeople: null }] : []),
  ]
}

/** Whether a person's gza has written down that it did this: `REF COMMIT`, `REF gone`, or one commit. */
export type IsVouched = (move: string) => boolean

const NOBODY: IsVouched = () => false

/** People work while agents run, and gza repairs ledgers. Neither is the agent's doing. */
function isByPerson(
  repo: Repo,
  { ledger, before, after }: Pick<TipLine, 'ledger' | 'before' | 'after'>,
  isVouched: IsVouched,
): boolean {
  if (isVouched(`${ledger} ${after ?? 'gone'}`) && !ledger.startsWith('refs/tasks/')) return true
  if (after === null) return isVouched(`${ledger} gone`)
  if (!ledger.startsWith('refs/tasks/') || [before, after].some((tip) => tip?.startsWith('ref:'))) return false
  try {
    return isMadeByGza(repo, { from: before, to: after }, (commit) => isVouched(commit) || isOwnStep(repo, commit))
  } catch {
    return false
  }
}

function byPeople(repo: Repo, { ledger, before, after }: TipLine): string[] | null {
  const isPlain = after !== null && ![before, after].some((tip) => tip?.startsWith('ref:'))
  if (!isPlain || !ledger.startsWith('refs/tasks/')) return null
  try {
    return changedByPeople(repo, before, after)
  } catch {
    return null
  }
}

function whyBad(repo: Repo, ledger: string, before: string | null, after: string | null): string | null {
  if (isReplacement(ledger)) return 'objects were replaced'
  if (after === null) return 'it is gone'
  if (after.startsWith('ref:')) return `it became a symbolic ref to ${after.slice('ref:'.length)}`
  if (ledger.startsWith('refs/tasks-archive/')) return 'only people archive ledgers'
  const from = before?.startsWith('ref:') ? null : before
  // Changes that other runs of this process have recorded meanwhile are allowed.
  return from !== null && areOwnSteps(repo, from, after) ? null : whyIllegalStep(repo, from, after)
}

/** A replacement makes git read other content for a commit, while no ledger ref moves. */
function isReplacement(ref: string): boolean {
  return ref.startsWith('refs/replace/')
}

function describe({ ledger, before, after, run, why }: TipLine): string {
  const short = (tip: string | null): string => tip?.slice(0, 10) ?? 'nothing'
  return `${ledger} was tampered with during run ${run}: ${why} (held ${short(before)}, found ${short(after)})`
}

function lostLines(repo: Repo, record: readonly TipLine[]): TipLine[] {
  const lines = readTipLines(repo)
  const from = record.findIndex((line, at) => line !== lines[at])
  if (from < 0) return []
  const found = new Set(lines.slice(from).map((line) => JSON.stringify(line)))
  return record.slice(from).filter((line) => !found.has(JSON.stringify(line)))
}

function lastTip(lines: readonly TipLine[], ledger: string): string | null {
  const last = lines.findLast((line) => line.ledger === ledger)
  return last === undefined ? null : last.ended ? last.after : last.before
}

function readTips(repo: Repo): Tips {
  return readRefFiles(repo, WATCHED) ?? askTips(repo)
}

const WATCHED = ['refs/tasks/', 'refs/tasks-archive/', 'refs/replace/']

function askTips(repo: Repo): Tips {
  const format = '--format=%(if)%(symref)%(then)ref:%(symref)%(else)%(objectname)%(end) %(refname)'
  const text = runGit(repo, ['for-each-ref', format, ...WATCHED]).toString()
  const tips: Tips = new Map()
  for (const line of text.split('\n')) {
    const space = line.indexOf(' ')
    if (space > 0) tips.set(line.slice(space + 1), line.slice(0, space))
  }
  return tips
}
