/** Pushes ledgers, and reads from git's report what happened to each of them. */
import { command, sentence } from '../core/sentence.ts'
import { UserError } from '../core/user-error.ts'
import type { Repo } from '../platform/git/find-repo.ts'
import { askRemote, patience, type RemoteExit } from '../platform/git/remote-git.ts'
import { errorLine, pushCommand, refuseSilent } from './remote.ts'

export interface Pushed {
  /** The remote has newer commits of these, or someone is pushing them now, by its reason: join, then push again. */
  raced: Map<string, string>
  /** These the remote does not take, each with its reason. */
  rejected: Map<string, string>
  /** What the server printed, in lines. */
  printed: string[]
}

type Tips = ReadonlyMap<string, string>

/**
 * Pushes ledgers forward. Only a ledger with a lease is replaced, and only if the remote still has exactly that commit.
 */
export async function pushLedgers(repo: Repo, remote: string, tips: Tips, leases: Tips = new Map()): Promise<Pushed> {
  if (tips.size === 0) return { raced: new Map(), rejected: new Map(), printed: [] }
  const leased = [...leases].map(([ledger, tip]) => `--force-with-lease=refs/tasks/${ledger}:${tip}`)
  return readReport(await push(repo, remote, tips, ...leased), tips)
}

/** The same, all or none; one after the other, in this order, if the remote cannot do that. */
export async function pushTogether(repo: Repo, remote: string, tips: Tips): Promise<Pushed> {
  const exit = await push(repo, remote, tips, '--atomic')
  if (!/does not support --atomic/.test(exit.stderr)) return readReport(exit, tips)
  const ledgers = [...tips.keys()]
  for (const [at, tip] of [...tips].entries()) {
    const pushed = await pushLedgers(repo, remote, new Map([tip]))
    if (pushed.raced.size > 0) return pushed
    // What follows must not arrive without what comes first.
    const why = [...pushed.rejected.values()][0]
    if (why !== undefined) return { ...pushed, rejected: new Map(ledgers.slice(at).map((ledger) => [ledger, why])) }
  }
  return { raced: new Map(), rejected: new Map(), printed: [] }
}

/** For a push that is all that a command does: throws if the remote does not take it. */
export function assertTaken(remote: string, { rejected, printed }: Pushed): void {
  if (rejected.size === 0) return
  const names = [...rejected].map(([ledger, why]) => `${ledger} (${why})`).join(', ')
  throw new UserError('PUSH_REFUSED', `${remote} rejected ${[names, ...printed].join('; ')}`, {
    hint: sentence`Nothing is lost. The owner of ${remote} decides who may push refs/tasks/*; then run ${command`sync`} again.`,
  })
}

async function push(repo: Repo, remote: string, tips: Tips, ...more: string[]): Promise<RemoteExit> {
  const specs = [...tips].map(([ledger, tip]) => `${tip}:refs/tasks/${ledger}`)
  // The user's pre-push hook is for code, and may run for minutes; a ledger is not code.
  const options = ['--porcelain', '--progress', '--no-verify', '--no-follow-tags', '--recurse-submodules=no']
  const exit = await askRemote(repo, [...pushCommand(remote), ...options, ...more, remote, ...specs], patience(repo))
  refuseSilent(remote, exit, 'What was fetched is joined with the local tasks; nothing is lost.')
  return exit
}

function readReport(exit: RemoteExit, tips: Tips): Pushed {
  const printed = serverLines(exit.stderr)
  if (exit.code === 0) return { raced: new Map(), rejected: new Map(), printed }
  const failed = failedRows(exit.stdout.toString())
  // The connection ended before the server reported on any ref: it took none.
  if (failed.size === 0)
    return {
      raced: new Map(),
      rejected: new Map([...tips.keys()].map((ledger) => [ledger, errorLine(exit.stderr)])),
      printed,
    }
  const races = [...failed].filter(([, why]) => RACES.test(why))
  // All of an atomic push fail with one of them: the others may be pushed again only if that one may.
  const isRace = (why: string) => RACES.test(why) || (races.length > 0 && ATOMIC.test(why))
  return {
    raced: new Map([...failed].filter(([, why]) => isRace(why))),
    rejected: new Map([...failed].filter(([, why]) => !isRace(why))),
    printed,
  }
}

const RACES =
  /fetch first|non-fast-forward|stale info|failed to update ref|already exists|cannot lock ref|failed to lock|incorrect old value|reference already/
const ATOMIC = /atomic/

/** `!`, what was pushed where, and the reason in brackets, divided by tabs. */
function failedRows(porcelain: string): Map<string, string> {
  const rows = porcelain.split('\n').filter((row) => row.startsWith('!'))
  return new Map(
    rows.map((row) => {
      const [, specs = '', summary = ''] = row.split('\t')
      return [/:refs\/tasks\/(\S+)/.exec(specs)?.[1] ?? specs, /\((.*)\)$/.exec(summary)?.[1] ?? summary]
    }),
  )
}

/** Without progress, and without git's own words for what the reason says already. */
function serverLines(stderr: string): string[] {
  const lines = stderr.split(/[\r\n]/).filter((line) => line.startsWith('remote: '))
  return lines.map((line) => line.slice('remote: '.length).trimEnd()).filter((line) => line && !KNOWN.test(line))
}

const KNOWN = /^[A-Z][a-z]+ [a-z]+: +\d+|^error: hook declined to update /
