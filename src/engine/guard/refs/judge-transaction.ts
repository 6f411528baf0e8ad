import { join } from 'node:path'
import { isAncestor } from '../../../ledger/links.ts'
import { fileExists, readTextIfThere } from '../../../platform/files/files.ts'
import { findRepo, type Repo } from '../../../platform/git/find-repo.ts'
import { type Env, tryGit } from '../../../platform/git/git.ts'
import { readRef } from '../../../platform/git/refs.ts'
import { type KeptRefs, keptRefs, STASH } from './keep-refs.ts'
import { whyIllegalStep } from './why-illegal-step.ts'

/**
 * Decides for the guard's hooks whether an agent may do this. Returns the reasons why not, one sentence each. Throws if
 * it cannot decide, and a hook that fails refuses.
 */
export function runHook(name: string, input: string, { cwd, env }: { cwd: string; env: Env }): string[] {
  if (name !== 'reference-transaction') throw new Error(`the guard does not handle the hook ${name}`)
  // Git's variables name the object store while a transaction is being prepared. Replaced objects must not be read.
  const repo = findRepo(cwd, { ...env, GIT_NO_REPLACE_OBJECTS: '1' })
  return judgeTransaction(repo, parseMoves(input), keptRefs(repo, env))
}

/** One line of the input of a reference-transaction hook. */
export interface RefMove {
  ref: string
  /** An object id, zeros for "none", or `ref:…` for a symbolic ref (git 2.46 and later). */
  to: string
}

/** Reads the hook's input. The old value is left out: git writes zeros if the caller did not give one. */
export function parseMoves(input: string): RefMove[] {
  return input.split('\n').flatMap((line) => {
    const [, to, ref] = /^\S+ (\S+) (.+)$/.exec(line) ?? []
    return to === undefined || ref === undefined ? [] : [{ to, ref }]
  })
}

/**
 * Why an agent may not make these moves; empty if it may. Called in the phase `prepared`, when git holds the locks and
 * has changed nothing, so a ref still has its old value.
 */
export function judgeTransaction(
  repo: Repo,
  moves: readonly RefMove[],
  { refs, own }: KeptRefs = { refs: new Set(), own: null },
): string[] {
  return moves.flatMap((move) => {
    const why = own?.ref === move.ref ? whyNotForward(repo, move, own.from) : whyMoved(repo, move, refs)
    return why === null ? [] : [`${move.ref}: ${why}`]
  })
}

function whyMoved(repo: Repo, move: RefMove, kept: ReadonlySet<string>): string | null {
  return kept.has(move.ref) ? whyKept(repo, move) : whyRefused(repo, move)
}

/** The person's own branch, on which the agent works. */
function whyNotForward(repo: Repo, { ref, to }: RefMove, start: string): string | null {
  const from = readRef(repo, ref)
  if (from === to || (to !== repo.zeroOid && isAncestor(repo, start, to))) return null
  if (to === repo.zeroOid && from !== null && isPruning(repo, ref, from)) return null
  return `it only moves forward from ${start.slice(0, 10)}`
}

function whyRefused(repo: Repo, { ref, to }: RefMove): string | null {
  const kind = kindOf(ref)
  if (kind === 'other') return null
  if (kind === 'replacement') return 'objects are not replaced'
  if (to.startsWith('ref:') || isSymbolic(repo, ref)) return 'a ledger cannot be a symbolic ref'
  const from = readRef(repo, ref)
  if (to === repo.zeroOid) return from === null || isPruning(repo, ref, from) ? null : 'ledgers are not deleted'
  // pack-refs "moves" every ref to where it is.
  if (from === to) return null
  switch (kind) {
    case 'fetched':
      return from === null || isAncestor(repo, from, to) ? null : 'ledgers only move forward'
    case 'archive':
      return 'only people archive ledgers'
    case 'private':
      return 'only gza moves it, for people'
    case 'ledger':
      return whyIllegalStep(repo, from, to)
  }
}

/** Refuses to move a branch or a tag that existed before the agent and is not its own, and to drop such a stash. */
function whyKept(repo: Repo, { ref, to }: RefMove): string | null {
  const from = readRef(repo, ref)
  if (from === to || from === null) return null
  if (to === repo.zeroOid && isPruning(repo, ref, from)) return null
  if (ref === STASH) return to === repo.zeroOid ? 'it has entries of a person' : null
  return ref.startsWith('refs/tags/') ? 'the tag existed before this run' : 'it is not this run’s branch'
}

type RefKind = 'ledger' | 'archive' | 'fetched' | 'private' | 'replacement' | 'other'

/** Lower case, because on some file systems refs/TASKS/main is refs/tasks/main. A prefix may name a worktree. */
function kindOf(ref: string): RefKind {
  const name = ref.toLowerCase().replace(/^(main-worktree|worktrees\/[^/]+)\//, '')
  if (name.startsWith('refs/tasks/')) return 'ledger'
  if (name.startsWith('refs/gza/remotes/')) return 'fetched'
  if (name.startsWith('refs/tasks-archive/')) return 'archive'
  if (name.startsWith('refs/gza/')) return 'private'
  return name.startsWith('refs/replace/') ? 'replacement' : 'other'
}

/**
 * Pack-refs, and with it gc, deletes a loose ref once packed-refs contains it, so the value of the ref does not change.
 * A real deletion of a packed ref holds the lock on packed-refs at this moment; pack-refs has already released it.
 */
function isPruning(repo: Repo, ref: string, from: string): boolean {
  const packed = join(repo.commonDir, 'packed-refs')
  const isPacked = readTextIfThere(packed)?.split('\n').includes(`${from} ${ref}`) ?? false
  return isPacked && !fileExists(`${packed}.lock`)
}

function isSymbolic(repo: Repo, ref: string): boolean {
  return tryGit(repo, ['symbolic-ref', '--quiet', ref]).code === 0
}
