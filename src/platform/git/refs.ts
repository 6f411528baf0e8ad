import { UserError } from '../../core/user-error.ts'
import { quickStat } from '../files/quick-stat.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import { nodeFs } from '../files/slow-modules.ts'
import type { Repo } from './find-repo.ts'
import type { GitExit } from './git.ts'

const OID = /^[0-9a-f]{40}([0-9a-f]{24})?$/

const LEDGERS = 'refs/tasks/'

/** The commit of a ref, or null. Read from the files if that is safe, otherwise from git. */
export function readRef(repo: Repo, ref: string): string | null {
  if (!isRefPath(ref)) return null
  if (repo.hasFileRefs) {
    const oid = readLooseRef(repo, ref) ?? readPackedRef(repo, ref) ?? readLooseRef(repo, ref)
    if (oid !== 'odd') return oid
  }
  if (ref.startsWith(LEDGERS)) refuseSymbolic(repo, ref)
  const exit = git().tryGit(repo, ['rev-parse', '--verify', '--quiet', `${ref}^{object}`])
  if (exit.code === 0) return exit.stdout.toString().trim()
  if (repo.hasFileRefs) refuseBroken(repo, ref)
  return null
}

/** Whether there is such a ref. A file with its name is enough: if it is damaged, reading it reports that. */
export function refExists(repo: Repo, ref: string): boolean {
  const isFile = repo.hasFileRefs && isRefPath(ref) && quickStat(`${repo.commonDir}/${ref}`)?.kind === 'file'
  return isFile || readRef(repo, ref) !== null
}

/** The commit of each of the refs, in their order. */
export function readRefs(repo: Repo, refs: readonly string[]): (string | null)[] {
  return refs.map((ref) => readRef(repo, ref))
}

/** With a symbolic ref, every write here would move its target, maybe even a branch. */
function refuseSymbolic(repo: Repo, ref: string): void {
  const exit = git().tryGit(repo, ['symbolic-ref', '--quiet', ref])
  if (exit.code !== 0) return
  throw new UserError(
    'REF_SYMBOLIC',
    `${ref} is not a ledger: it is a symbolic ref to ${exit.stdout.toString().trim()}`,
    {
      hint: `Nothing was changed. No command of gza makes such a ref; git symbolic-ref ${ref} shows it.`,
    },
  )
}

/** A ref with a damaged file, for example after a power cut, must not count as missing. */
function refuseBroken(repo: Repo, ref: string): void {
  const { stderr } = git().tryGit(repo, ['for-each-ref', '--format=%(refname)', ref])
  if (!stderr.split('\n').includes(`warning: ignoring broken ref ${ref}`)) return
  throw new UserError('REF_BROKEN', `${ref} is damaged: it does not name an object`, {
    hint: `Nothing was changed. git reflog ${ref} lists its earlier commits.`,
  })
}

// Loose, packed, loose again: pack-refs may move the ref between the first two reads.
function readLooseRef(repo: Repo, ref: string): string | 'odd' | null {
  try {
    const text = readSmallFile(`${repo.commonDir}/${ref}`)?.trim()
    if (text === undefined) return null
    return OID.test(text) ? text : 'odd'
  } catch {
    return 'odd'
  }
}

function readPackedRef(repo: Repo, ref: string): string | 'odd' | null {
  const packed = packedRefs(repo)
  const end = packed.indexOf(` ${ref}\n`)
  if (end < 0) return null
  const oid = packed.slice(packed.lastIndexOf('\n', end) + 1, end)
  return OID.test(oid) ? oid : 'odd'
}

/** A ref that prevents git from making this one, as `refs/heads/a` and `refs/heads/a/b` exclude each other. */
export function refInTheWay(repo: Repo, ref: string): string | null {
  const parts = ref.split('/')
  for (let length = 3; length < parts.length; length++) {
    const above = parts.slice(0, length).join('/')
    if (readRef(repo, above) !== null) return above
  }
  if (!mayHaveBelow(repo, ref)) return null
  const [below] = listRefs(repo, `${ref}/`).keys()
  return below ?? null
}

/** Checked in the files first, so that git is asked only rarely. */
function mayHaveBelow(repo: Repo, ref: string): boolean {
  return !repo.hasFileRefs || quickStat(`${repo.commonDir}/${ref}`) !== null || packedRefs(repo).includes(` ${ref}/`)
}

function packedRefs(repo: Repo): string {
  try {
    return readSmallFile(`${repo.commonDir}/packed-refs`) ?? ''
  } catch {
    return ''
  }
}

export type Head = { kind: 'branch'; branch: string; oid: string | null } | { kind: 'detached'; oid: string }

/** What this worktree has checked out. */
export function readHead(repo: Repo): Head {
  const text = headText(repo)
  const branch = branchIn(repo, text)
  if (branch) return { kind: 'branch', branch, oid: readRef(repo, `refs/heads/${branch}`) }
  if (OID.test(text)) return { kind: 'detached', oid: text }
  return askHead(repo)
}

/** The branch that this worktree has checked out; null: HEAD is detached. Its commit is not read. */
export function readBranch(repo: Repo): string | null {
  const branch = branchIn(repo, headText(repo))
  if (branch) return branch
  const head = readHead(repo)
  return head.kind === 'branch' ? head.branch : null
}

function headText({ gitDir }: Repo): string {
  return readSmallFile(`${gitDir}/HEAD`)?.trim() ?? ''
}

const BRANCH_HEAD = 'ref: refs/heads/'

/** The branch that HEAD names, if the files say it. Not a pattern, which takes 25 µs to compile. */
function branchIn({ hasFileRefs }: Repo, head: string): string | undefined {
  const isBranch = hasFileRefs && head.startsWith(BRANCH_HEAD) && !head.includes('\n')
  return isBranch ? head.slice(BRANCH_HEAD.length) : undefined
}

function askHead(repo: Repo): Head {
  const branch = git().tryGit(repo, ['symbolic-ref', '--quiet', '--short', 'HEAD']).stdout.toString().trim()
  const head = git().tryGit(repo, ['rev-parse', '--verify', '--quiet', 'HEAD'])
  const oid = head.code === 0 ? head.stdout.toString().trim() : null
  if (branch) return { kind: 'branch', branch, oid }
  return { kind: 'detached', oid: oid ?? repo.zeroOid }
}

/** Every ref with one of the prefixes, with its commit. */
export function listRefs(repo: Repo, ...prefixes: string[]): Map<string, string> {
  return askRefs(repo, '%(objectname)', prefixes)
}

/** The same, but with `ref:` and the target of a symbolic ref. */
export function listRefValues(repo: Repo, ...prefixes: string[]): Map<string, string> {
  return askRefs(repo, '%(if)%(symref)%(then)ref:%(symref)%(else)%(objectname)%(end)', prefixes)
}

function askRefs(repo: Repo, value: string, prefixes: readonly string[]): Map<string, string> {
  const text = git().runGit(repo, ['for-each-ref', `--format=${value} %(refname)`, ...prefixes])
  return readValueLines(text.toString())
}

/** A value, a space and a ref in each line. */
export function readValueLines(text: string): Map<string, string> {
  const refs = new Map<string, string>()
  for (const line of text.split('\n')) {
    const space = line.indexOf(' ')
    if (space > 0) refs.set(line.slice(space + 1), line.slice(0, space))
  }
  return refs
}

/** One step in the reflog of a ref. */
export interface RefMove {
  /** Where it was before. */
  from: string
  commit: string
  message: string
  /** Unix seconds. */
  at: number
}

/** Where a ref was moved to and why, newest first; empty if git keeps no reflog for it. */
export function readReflog(repo: Repo, ref: string): RefMove[] {
  return repo.hasFileRefs ? readReflogFile(repo, ref) : askReflog(repo, ref)
}

function readReflogFile(repo: Repo, ref: string): RefMove[] {
  let text: string
  try {
    text = nodeFs().readFileSync(`${ref === 'HEAD' ? repo.gitDir : repo.commonDir}/logs/${ref}`, 'utf8')
  } catch {
    return []
  }
  const rows = text.split('\n').filter(Boolean).reverse()
  return rows.map((row) => {
    const [step = '', message = ''] = row.split('\t', 2)
    const [from = '', commit = ''] = step.split(' ', 2)
    return { from, commit, message, at: Number(/ (\d+) [-+]\d+$/.exec(step)?.[1] ?? 0) }
  })
}

function askReflog(repo: Repo, ref: string): RefMove[] {
  const exit = git().tryGit(repo, ['reflog', 'show', '-z', '--date=unix', '--format=%H %gd %gs', ref, '--'])
  if (exit.code !== 0) return []
  const rows = exit.stdout.toString().split('\0').filter(Boolean)
  const moves = rows.map((row) => {
    const [, commit = '', at, message = ''] = /^(\S+) \S*@\{(\d+)\} ?(.*)$/s.exec(row) ?? []
    return { commit, message, at: Number(at ?? 0) }
  })
  return moves.map((move, index) => ({ ...move, from: moves[index + 1]?.commit ?? '' }))
}

/**
 * The same without moves that never took place. Git writes the log first, then moves the ref: if it is killed in between,
 * the next move begins where that one began. `wasSeen`: somebody has read the ref at that commit, so it was there.
 */
export function readMadeMoves(repo: Repo, ref: string, wasSeen = (_commit: string) => false): RefMove[] {
  const moves = readReflog(repo, ref)
  const now = readRef(repo, ref)
  return moves.filter(({ from, commit }, index) => {
    const after = moves[index - 1]?.from ?? now
    return after === commit || after !== from || wasSeen(commit)
  })
}

export interface RefUpdate {
  ref: string
  to: string | null
  /** null: the ref must not exist yet. */
  from: string | null
}

/** Moves all refs or none; `false` if one of them was not at the expected commit. */
export function swapRefs(repo: Repo, updates: readonly RefUpdate[], message: string): boolean {
  const { args, input } = swapOrder(repo, updates, message)
  const exit = waitForLocks(() => git().tryGit(repo, args, input))
  if (exit.code === 0) return true
  if (/is at [0-9a-f]+ but expected|reference already exists|unable to resolve reference/.test(exit.stderr))
    return false
  throw git().gitError(args, exit)
}

/** What `git update-ref` gets for that. */
export function swapOrder(
  repo: Repo,
  updates: readonly RefUpdate[],
  message: string,
): { args: string[]; input: string } {
  const lines = updates.map(({ ref, to, from }) => {
    if (!isRefPath(ref)) throw badRef(ref)
    const old = from ?? repo.zeroOid
    const only = ref.startsWith(LEDGERS) ? 'option no-deref\0' : ''
    return to === null ? `${only}delete ${ref}\0${old}\0` : `${only}update ${ref}\0${to}\0${old}\0`
  })
  return { args: ['update-ref', '--create-reflog', '-m', message, '--stdin', '-z'], input: lines.join('') }
}

function badRef(ref: string): UserError {
  return new UserError('BAD_REF', `git does not allow the name ${JSON.stringify(ref)}`, {
    hint: 'Nothing was changed.',
  })
}

const LOCK_PAUSES_MS = [10, 20, 50, 100, 200, 400]

/**
 * Another git process holds a ref's lock for milliseconds. The lock of a dead process is not waited for, and the error
 * reports it.
 */
function waitForLocks(attempt: () => GitExit): GitExit {
  for (const pause of LOCK_PAUSES_MS) {
    const exit = attempt()
    if (exit.code === 0 || !/\.lock': File exists/.test(exit.stderr)) return exit
    const { heldLock, isLeft }: typeof import('./ref-lock.ts') = require('./ref-lock.ts')
    const lock = heldLock(exit.stderr)
    if (lock !== null && isLeft(lock)) return exit
    Bun.sleepSync(pause)
  }
  return attempt()
}

/** The rules of git-check-ref-format, for a name below `refs/heads/` or `refs/tasks/`. */
export function isBranchName(value: unknown): value is string {
  return typeof value === 'string' && !value.startsWith('-') && value !== 'HEAD' && isRefPath(value)
}

/** The same for a whole ref. */
export function isRefPath(value: string): boolean {
  return PLAIN.test(value) || (value !== '' && !FORBIDDEN.test(value))
}

/** Almost every ref. The pattern of all rules takes ten times as long to compile. */
const PLAIN = /^\w[\w-]*(?:\/\w[\w-]*)*$/

const FORBIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git allows none of them in a ref
  /[\u0000-\u0020~^:?*[\\\u007f]|\.\.|@\{|\/\/|^\/|\/$|\.$|(?:^|\/)\.|\.lock(?:\/|$)|^@$/

/** Loaded only where the files do not answer: commands that only read mostly do without git. */
function git(): typeof import('./git.ts') {
  return require('./git.ts')
}
