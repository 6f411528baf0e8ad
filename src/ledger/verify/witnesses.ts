/** Other records of a ledger's earlier tips. An honest ledger has every such tip among its ancestors. */

import { ARCHIVE, archivedName, readName, spellName } from '../../core/ledger/archived-name.ts'
import { commandLine } from '../../core/sentence.ts'
import { plural } from '../../core/text/plural.ts'
import type { Repo } from '../../platform/git/find-repo.ts'
import { tryGit } from '../../platform/git/git.ts'
import { listRefs, readMadeMoves } from '../../platform/git/refs.ts'
import { isAncestor } from '../links.ts'
import { SYNCED } from '../remote.ts'
import { unreachedTips } from '../unreached-tips.ts'
import { headsWithout, leftOutIn } from './heads-without.ts'
import { guardWitness, readTipLines, type TipLine } from './witness-tips.ts'

export interface Witness {
  name: string
  /** `warns`: something that a person should know, which proves nothing. */
  state: 'agrees' | 'warns' | 'differs' | 'missing'
  detail: string
}

/** What the witnesses remember about one ledger. */
export interface RememberedTips {
  ledger: string
  reflog: string[]
  remotes: [ref: string, tip: string][]
  guard: TipLine[]
  /** The tip that the index of this clone read last. */
  index: string | null
}

/**
 * To be called before the ledger's tip is read: commits that others add meanwhile would look lost. `wasSeen`: whether the
 * index is known to have read a tip.
 */
export function readRememberedTips(
  repo: Repo,
  ledger: string,
  wasSeen: (tip: string) => boolean,
): Omit<RememberedTips, 'index'> {
  return {
    ledger,
    reflog: unique(readMadeMoves(repo, `refs/tasks/${ledger}`, wasSeen).map(({ commit }) => commit)),
    remotes: [...listRefs(repo, SYNCED)].filter(([ref]) => ref.endsWith(`/${spellName(ledger)}`)),
    guard: readTipLines(repo),
  }
}

/** The ledgers that a remote or a guard has recorded, whether or not they still exist. */
export function ledgersOnRecord(repo: Repo): string[] {
  const synced = [...listRefs(repo, SYNCED).keys()].map((ref) => readName(ref.slice(ref.lastIndexOf('/') + 1)))
  const guarded = readTipLines(repo).flatMap(({ ledger }) => /^refs\/tasks\/(.+)$/.exec(ledger)?.[1] ?? [])
  return unique([...synced, ...guarded])
}

export function compareWithWitnesses(repo: Repo, remembered: RememberedTips, tip: string): Witness[] {
  const ref = `refs/tasks/${remembered.ledger}`
  const earlier = earlierLedgers(repo, remembered.ledger, tip)
  const held = [tip, ...earlier]
  return [
    reflogWitness(repo, ref, remembered.reflog, held),
    ...remoteWitnesses(repo, remembered.remotes, held),
    guardWitness(repo, ref, held, remembered.guard),
    signatureWitness(repo, tip),
    ...indexWitness(repo, remembered.index, held),
    ...archiveWitness(earlier),
  ]
}

/** It is unknown who archived it: a person must check whether that was `gza prune`. */
function archiveWitness(earlier: readonly string[]): Witness[] {
  const detail = `${plural(earlier.length, 'earlier ledger')} of this name ${earlier.length === 1 ? 'is' : 'are'} archived`
  return earlier.length === 0 ? [] : [{ name: 'archive', state: 'warns', detail: `${detail}, with nothing in common` }]
}

/** For a missing ledger: which witness remembers one that the archive does not contain? */
export function compareAbsentWithWitnesses(repo: Repo, { ledger, remotes, guard, index }: RememberedTips): Witness[] {
  const held = archivedTips(repo, ledger)
  const guarded = guardWitness(repo, `refs/tasks/${ledger}`, held, guard)
  const compared = [...remoteWitnesses(repo, remotes, held), guarded, ...indexWitness(repo, index, held)]
  return compared.filter((witness) => witness.state === 'differs')
}

/**
 * Ledgers of branches with this name that were archived before the present one began. One that shares a commit with it
 * does not count: rewinding a ledger and archiving its content is not a step forward.
 */
function earlierLedgers(repo: Repo, ledger: string, tip: string): string[] {
  return archivedTips(repo, ledger).filter((old) => tryGit(repo, ['merge-base', tip, old]).code === 1)
}

function archivedTips(repo: Repo, ledger: string): string[] {
  return [...listRefs(repo, ARCHIVE)].filter(([ref]) => archivedName(ref) === ledger).map(([, tip]) => tip)
}

function reflogWitness(repo: Repo, ref: string, tips: readonly string[], held: readonly string[]): Witness {
  if (tips.length === 0) return { name: 'reflog', state: 'missing', detail: `${ref} has no reflog` }
  return compare(repo, { name: 'reflog', tips, held, detail: `${plural(tips.length, 'earlier tip')}` })
}

function remoteWitnesses(repo: Repo, found: RememberedTips['remotes'], held: readonly string[]): Witness[] {
  if (found.length === 0)
    return [{ name: 'remote', state: 'missing', detail: `never synced; ${commandLine`sync`} makes a copy elsewhere` }]
  return found.map(([ref, tip]) => {
    const name = `remote ${ref.slice(SYNCED.length, ref.lastIndexOf('/'))}`
    return compare(repo, { name, tips: [tip], held, detail: `at ${tip.slice(0, 7)} when last synced` })
  })
}

/** The index follows whatever it reads, so it counts only if it disagrees. */
function indexWitness(repo: Repo, seen: string | null, held: readonly string[]): Witness[] {
  const compared = seen === null ? [] : [compare(repo, { name: 'index', tips: [seen], held, detail: '' })]
  return compared.filter((witness) => witness.state === 'differs')
}

function signatureWitness(repo: Repo, tip: string): Witness {
  const marks = tryGit(repo, ['log', '--format=%G?', tip, '--']).stdout.toString().split('\n').filter(Boolean)
  const signed = marks.filter((mark) => mark !== 'N')
  const bad = signed.filter((mark) => mark === 'B' || mark === 'R')
  if (bad.length > 0)
    return {
      name: 'signatures',
      state: 'differs',
      detail: `${bad.length} of ${plural(signed.length, 'signature')} bad`,
    }
  if (signed.length === 0) return { name: 'signatures', state: 'missing', detail: 'no commit is signed' }
  return { name: 'signatures', state: 'agrees', detail: `${signed.length} of ${plural(marks.length, 'commit')} signed` }
}

interface Comparison {
  name: string
  tips: readonly string[]
  /** The current commits. */
  held: readonly string[]
  detail: string
}

/** One git process for any number of tips: the lost tips are those that no current commit can reach. */
function compare(repo: Repo, { name, tips, held, detail }: Comparison): Witness {
  const known = existing(repo, tips)
  if (known.length === 0) return { name, state: 'missing', detail: 'its commits are no longer in this repository' }
  const lost = unreachedTips(repo, known, held).find((oid) => !isLeftOut(repo, oid, held))
  if (lost === undefined) return { name, state: 'agrees', detail }
  return { name, state: 'differs', detail: `${lost.slice(0, 7)} was a tip of this ledger and is no longer in it` }
}

/** A tip with a bad commit that people have left out: everything else of it is still there. */
function isLeftOut(repo: Repo, tip: string, held: readonly string[]): boolean {
  const leftOut = new Set(held.flatMap((current) => [...leftOutIn(repo, current)]))
  if (leftOut.size === 0) return false
  const heads = headsWithout(repo, [tip], leftOut)
  return !heads.includes(tip) && heads.every((head) => held.some((current) => isAncestor(repo, head, current)))
}

function existing(repo: Repo, tips: readonly string[]): string[] {
  const rows = tryGit(repo, ['cat-file', '--batch-check'], `${tips.join('\n')}\n`)
    .stdout.toString()
    .split('\n')
  return tips.filter((_, i) => / commit \d+$/.test(rows[i] ?? ''))
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values.filter(Boolean))]
}
