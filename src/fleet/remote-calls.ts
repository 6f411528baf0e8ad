/** What the processes of a worker ask of the git remote. None of them waits without a limit, and none asks questions. */
import { errorLine } from '../ledger/remote.ts'
import { fileExists, moveFolder, removeFolder } from '../platform/files/files.ts'
import type { Env, GitPlace } from '../platform/git/git.ts'
import { askRemote, type Limit, type RemoteExit, withoutQuestions } from '../platform/git/remote-git.ts'
import { FOLLOWED } from '../workspace/fleet/record-in-fleet.ts'

/** A remote that is silent for so long is away. */
const LIMIT: Limit = { seconds: 20, of: 'silence' }
const CLONE_LIMIT: Limit = { seconds: 120, of: 'silence' }
const FETCH = 'fetch --quiet --progress --no-tags --no-write-fetch-head --no-auto-maintenance --no-recurse-submodules'

/** Why the remote did not do it; null: it has. */
export type RemoteFailure = string | null

export async function cloneInto(env: Env, folder: string, cwd: string, remote: string): Promise<RemoteFailure> {
  if (fileExists(folder)) return null
  const place = withoutQuestions({ dir: cwd, env })
  const unfinished = `${folder}.new`
  removeFolder(unfinished)
  const failure = failureOf(
    await askRemote(place, ['clone', '--quiet', '--progress', '--no-tags', remote, unfinished], CLONE_LIMIT),
  )
  if (failure === null) moveFolder(unfinished, folder)
  return failure
}

/** The ledger alone. */
export function fetchLedger(place: GitPlace, ledger: string): Promise<RemoteFailure> {
  return fetchRefs(place, [`+refs/tasks/${ledger}:${FOLLOWED}${ledger}`])
}

/** The ledger and all branches, before a run starts. */
export function fetchForRun(place: GitPlace, ledger: string): Promise<RemoteFailure> {
  return fetchRefs(
    place,
    [`+refs/tasks/${ledger}:${FOLLOWED}${ledger}`, '+refs/heads/*:refs/remotes/origin/*'],
    ['--prune'],
  )
}

/** The ledger and the work of runs whose end is to be written. */
export function fetchForPen(place: GitPlace, ledger: string, runs: readonly string[]): Promise<RemoteFailure> {
  const work = runs.map((run) => `+${runRef(run)}:${runRef(run)}`)
  return fetchRefs(place, [`+refs/tasks/${ledger}:${FOLLOWED}${ledger}`, ...work])
}

async function fetchRefs(
  place: GitPlace,
  specs: readonly string[],
  more: readonly string[] = [],
): Promise<RemoteFailure> {
  const args = [...FETCH.split(' '), ...more, '--refmap=', 'origin', ...specs]
  return failureOf(await askRemote(withoutQuestions(place), args, LIMIT))
}

export function runRef(run: string): string {
  return `refs/gza/runs/${run}`
}

/** The work of a run, to the one place where a worker may put it. */
export async function pushWork(place: GitPlace, run: string, head: string): Promise<RemoteFailure> {
  return failureOf(await push(place, [`+${head}:${runRef(run)}`]))
}

/** The task's branch has it now. */
export async function dropWork(place: GitPlace, run: string): Promise<void> {
  await push(place, [`:${runRef(run)}`])
}

export interface RefMove {
  ref: string
  /** Null: the ref must not be there. */
  from: string | null
  to: string
}

/** `refused`: the refs that are not where they were expected, or that the remote does not take, with its reasons. */
export type PushEnd =
  | { kind: 'pushed' }
  | { kind: 'refused'; refs: Map<string, string> }
  | { kind: 'away'; why: string }

/** All or none. */
export async function pushTogether(place: GitPlace, moves: readonly RefMove[]): Promise<PushEnd> {
  const leases = moves.map(({ ref, from }) => `--force-with-lease=${ref}:${from ?? ''}`)
  const specs = moves.map(({ ref, to }) => `${to}:${ref}`)
  const exit = await push(place, ['--atomic', ...leases, ...specs])
  if (exit.code === 0) return { kind: 'pushed' }
  const refs = refusedRefs(exit.stdout.toString())
  if (refs.size > 0) return { kind: 'refused', refs }
  return { kind: 'away', why: failureOf(exit) ?? '' }
}

function push(place: GitPlace, specs: readonly string[], remote = 'origin'): Promise<RemoteExit> {
  const [options, refs] = [
    specs.filter((each) => each.startsWith('--')),
    specs.filter((each) => !each.startsWith('--')),
  ]
  const args = ['push', '--porcelain', '--progress', '--no-verify', '--no-follow-tags', '--recurse-submodules=no']
  return askRemote(withoutQuestions(place), [...args, ...options, remote, ...refs], LIMIT)
}

/** Those that failed only because others did are not among them. */
function refusedRefs(porcelain: string): Map<string, string> {
  const rows = porcelain.split('\n').filter((row) => row.startsWith('!'))
  const reasons = rows.map((row) => {
    const [, specs = '', summary = ''] = row.split('\t')
    return [specs.slice(specs.indexOf(':') + 1), /\((.*)\)$/.exec(summary)?.[1] ?? summary] as const
  })
  const own = reasons.filter(([, why]) => !/atomic/.test(why))
  return new Map(own.length > 0 ? own : reasons)
}

function failureOf({ code, silent, stderr }: RemoteExit): RemoteFailure {
  if (silent !== null) return `the remote did not respond for ${silent} seconds`
  return code === 0 ? null : errorLine(stderr)
}

/**
 * Whether the remote can move several refs at once and lets this person do it: both refs are made and removed again.
 * Returns why not.
 */
export async function tryAtomicPush(
  place: GitPlace,
  remote: string,
  { commit, random }: { commit: string; random: string },
): Promise<RemoteFailure> {
  const refs = ['a', 'b'].map((name) => `refs/gza/runs/check-${random}-${name}`)
  const made = failureOf(await push(place, ['--atomic', ...refs.map((ref) => `${commit}:${ref}`)], remote))
  if (made !== null) return made
  return failureOf(await push(place, ['--atomic', ...refs.map((ref) => `:${ref}`)], remote))
}
