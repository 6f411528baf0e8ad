/**
 * The guard around one agent's phase or one check: the environment that refuses, and the comparison afterwards that
 * finds what went around it.
 */
import type { Repo } from '../../platform/git/find-repo.ts'
import type { Env } from '../../platform/git/git.ts'
import {
  forgetCopiedRecords,
  forgetRecord,
  heldRecords,
  isOwnerAlive,
} from '../../platform/git/settings/held-settings.ts'
import { newAddresses } from '../../platform/git/settings/new-addresses.ts'
import {
  changedTreeHooks,
  putBackSettings,
  type SettingsChange,
} from '../../platform/git/settings/put-back-settings.ts'
import { readSettingsState, type SettingsState } from '../../platform/git/settings/settings-state.ts'
import { leasesByLife } from '../../state/live/leases.ts'
import { HOOK_CHANGED, keepMatter, REMOTE_ADDED, SETTINGS_PUT_BACK } from '../../state/live/matters.ts'
import type { Live } from '../../state/live/open-live.ts'
import {
  describeSetting,
  type Hold,
  holdConfiguration,
  isOfPerson,
  releaseConfiguration,
  savedIn,
} from './configuration/hold-configuration.ts'
import { guardEnvironment } from './guard-environment.ts'
import { keptInTree, type NestedWatch, reportNested, watchNested } from './nested-changes.ts'
import { changedRefs, type Surroundings } from './refs/changed-refs.ts'
import { forgetRefs, isInstalling, keepRefs, type OwnBranch, type RefsState, readRefsState } from './refs/keep-refs.ts'
import { personsCheckouts } from './refs/persons-steps.ts'
import { putBackSymbolic, type Reporting, reportIntrusions, reportRefs } from './refs/report-refs.ts'
import { findIntrusions } from './refs/run-branches.ts'

export interface WindowOptions extends Surroundings {
  repo: Repo
  /** The person's. */
  env: Env
  binary: string
  run: string
  agent: string
  kind: 'agent' | 'check'
  /** Unique among all windows; made from the run if it is not given. */
  name?: string
  /** Where the agent or the check works. */
  cwd: string
  /** The inbox; null if there is none. */
  live: Live | null
  ledger: string
  now: () => string
  /** `cwd` is the person's own tree, in which no new repository may go unnoticed. */
  isOwnTree?: boolean
  /** It is in a box: what git logs in the person's own tree, the person has done. */
  isBoxed?: boolean
}

export interface GuardWindow {
  /** For the agent or the check. */
  env: Env
  /** What may only be read in the person's own tree. */
  kept: string[]
  close(): GuardFindings
}

export interface GuardFindings {
  /** What nobody does while working. It is put back. */
  tampering: string[]
  /** Put back too, but a check or an installer did it. */
  putBack: string[]
  /** Refs that changed in a way that needs a person. They are as they are now. */
  changedRefs: string[]
  /** Repositories that appeared inside the person's own tree. They are in the inbox, and stay. */
  nested: string[]
}

export function openGuardWindow(options: WindowOptions): GuardWindow {
  const { repo, env, binary, run, agent, kind, own } = options
  const name = options.name ?? (kind === 'agent' ? run : `${run}.check`)
  const began = performance.now()
  const since = options.now()
  const before = { ...readRefsState(repo), checkouts: personsCheckouts(repo, options.isBoxed ? null : options.cwd) }
  // These runs may end before the window is closed.
  const busy = options.recorded()
  // The record comes first: if gza is killed in between, closeDeadWindows finds what it has to remove.
  const nested = options.isOwnTree ? watchNested(options.cwd) : null
  const hold = holdConfiguration(repo, { run: name, kind, note: noteOf(before, own, nested) })
  const kept = keepRefs(repo, { name, own, began }, before)
  const guarded = guardEnvironment(env, { repo, binary, run, agent })
  const around = { ...options, since, recorded: () => [...busy, ...options.recorded()] }
  return {
    env: { ...guarded, ...kept },
    kept: nested === null ? [] : keptInTree(nested),
    close: () => closeWindow({ ...around, nested }, before, hold),
  }
}

function closeWindow(
  options: WindowOptions & { since: string; nested: NestedWatch | null },
  before: RefsState,
  hold: Hold,
): GuardFindings {
  const { repo, kind, live, ledger, run, nested } = options
  const isInstalled = isInstalling(repo)
  forgetRefs(repo, hold.run)
  // First the settings, so that nothing planted can run below.
  const during = openRuns(repo)
  const working = openRuns(repo, 'agent')
  const { changes, isTampering } = releaseConfiguration(repo, hold)
  const hooks = hold.state === null ? [] : reportHooks(options, hold.state)
  const remotes = hold.state === null ? [] : reportRemotes(options, hold.state, before)
  const refs = findRefs({ ...options, during, working }, before)
  const settings = changes.map(describeSetting)
  const isReported = (change: SettingsChange) =>
    isTampering || !isInstalled || change.isDoubtful || isOfPerson(repo, change)
  reportSettings(options, changes.filter(isReported), during)
  const isAgent = kind === 'agent'
  const tampering = [...(isTampering ? settings : []), ...(isAgent ? [...refs.symbolic, ...refs.underReview] : [])]
  return {
    tampering: isAgent ? withOthers(repo, tampering, hold.began) : [],
    putBack: [...(isTampering ? [] : settings), ...(isAgent ? [] : refs.symbolic), ...hooks, ...remotes],
    changedRefs: refs.changed,
    nested: nested === null ? [] : reportNested(nested, { live, ledger, run, at: options.now() }),
  }
}

/**
 * The first agent that ends has everything put back. The others that were running may have done it: they find nothing
 * any more, and are suspected too.
 */
function withOthers({ commonDir }: Repo, tampering: readonly string[], began: number): string[] {
  const before = seen.filter((each) => each.commonDir === commonDir && each.at >= began).map(({ text }) => text)
  for (const text of tampering) seen.push({ commonDir, at: performance.now(), text })
  return [...new Set([...before, ...tampering])]
}

const seen: { commonDir: string; at: number; text: string }[] = []

type ActiveRuns = Pick<Reporting, 'during' | 'working'>

/** `since`: when the window was opened. */
function findRefs(
  options: Surroundings & ReportOptions & ActiveRuns & { since: string },
  before: RefsState,
): { symbolic: string[]; changed: string[]; underReview: string[] } {
  const { repo, live, now, since, unlanded, own, run } = options
  const checkouts = before.checkouts ?? []
  // First, so that nothing below takes commits on the branch of another run for its own.
  const intrusions =
    live === null ? [] : findIntrusions(repo, { live, now: now(), since, unlanded, checkouts, closing: run })
  const intruded = reportIntrusions(reporting(options), intrusions)
  const { changes, symbolic } = changedRefs(repo, before, options)
  return {
    symbolic: putBackSymbolic(repo, symbolic),
    changed: [...intruded, ...reportRefs(reporting(options), changes)],
    // A reviewer has no branch of its own, and that of its run stays as it is meanwhile.
    underReview: intrusions.flatMap(({ owner, ref, persons }) =>
      own === null && owner === run && persons === null
        ? [`${ref.slice('refs/heads/'.length)} was moved while it was reviewed`]
        : [],
    ),
  }
}

type ReportOptions = Pick<WindowOptions, 'repo' | 'live' | 'ledger' | 'run' | 'now'>

function reporting({ repo, live, ledger, run, now, during, working }: ReportOptions & ActiveRuns): Reporting {
  return { repo, live, ledger, run, at: now(), during, working }
}

/**
 * A person may have installed something meanwhile, so the inbox has the command that makes the change again. `during`:
 * runs that were active. If one of them may have made a change that people make too, none lands by itself.
 */
function reportSettings(
  { live, ledger, run, now }: ReportOptions,
  changes: readonly SettingsChange[],
  during: readonly string[] = [run],
): void {
  if (live === null) return
  for (const change of changes) {
    const { what, how, again, isDoubtful } = change
    const facts = { run, how, again, ...(isDoubtful && { runs: during, what: `${what} was ${how}` }) }
    keepMatter(live, { ledger, code: SETTINGS_PUT_BACK, subject: what, at: now(), facts })
  }
}

function openRuns(repo: Repo, kind?: Hold['kind']): string[] {
  const records = heldRecords(repo).filter((record) => kind === undefined || record.kind === kind)
  return [...new Set(records.map(({ run }) => runOf(run)))]
}

/** Files of the person's own tree stay as they are. A push of gza runs no hook that changed until a person has looked. */
function reportHooks({ repo, live, ledger, run, now }: ReportOptions, state: SettingsState): string[] {
  return changedTreeHooks(repo, state).map((subject) => {
    if (live !== null) keepMatter(live, { ledger, code: HOOK_CHANGED, subject, at: now(), facts: { run } })
    return `${subject} changed, which git runs as a hook`
  })
}

/** New remotes stay, because people add them too. Gza exchanges nothing with them until a person has looked. */
function reportRemotes(
  { repo, live, ledger, run, now }: ReportOptions,
  state: SettingsState,
  refs: RefsState,
): string[] {
  const found = readSettingsState(repo)?.settings ?? []
  const added = newAddresses(state.settings, found, (branch) => refs.refs.has(`refs/heads/${branch}`))
  // All windows of this process share the state: each address is reported once.
  state.settings.push(...found.filter(({ value }) => added.some(({ address }) => address === value)))
  return added.map(({ name, address }) => {
    const facts = { run, name, address }
    if (live !== null) keepMatter(live, { ledger, code: REMOTE_ADDED, subject: `remote ${name}`, at: now(), facts })
    return `the remote ${name} was added (${address})`
  })
}

/** For the record on disk. */
interface Note {
  refs: [string, string][]
  stash: RefsState['stash']
  head?: RefsState['head']
  checkouts?: RefsState['checkouts']
  own: OwnBranch | null
  nested?: NestedWatch | null
}

function noteOf({ refs, stash, head, checkouts }: RefsState, own: OwnBranch | null, nested: NestedWatch | null): Note {
  return { refs: [...refs], stash, head: head ?? null, checkouts, own, nested }
}

/** Does what the windows of dead processes could not do. `run`: only for that one. */
export function closeDeadWindows(options: Omit<ReportOptions, 'run'> & Omit<Surroundings, 'own'>, run?: string): void {
  const { repo, live, now } = options
  forgetCopiedRecords(repo)
  // Processes of a container, or of another machine with this repository, cannot be seen from here.
  const held = live === null || run !== undefined ? [] : leasesByLife(live, now()).held.map((lease) => lease.run)
  const dead = heldRecords(repo).filter((record) => !isOwnerAlive(record) && !held.includes(runOf(record.run)))
  const wanted = dead.filter((record) => run === undefined || runOf(record.run) === run)
  for (const { run: name, state, note } of wanted) {
    const about = { ...options, run: runOf(name) }
    const { refs, own, nested, ...rest } = note as Note
    const before = { ...rest, refs: new Map(refs) }
    const changes = putBackSettings(options.repo, state, savedIn(options.repo, name))
    // A person may have made them since gza died.
    reportSettings(about, changes)
    reportHooks(about, state)
    reportRemotes(about, state, before)
    findRefs({ ...about, own, during: [about.run], working: [], since: '' }, before)
    if (nested) reportNested(nested, { ...about, at: now() })
    forgetRefs(options.repo, name)
    // Last: a process that is killed before this leaves the rest to the next one.
    forgetRecord(options.repo, name)
  }
}

function runOf(name: string): string {
  return name.replace(/\.check$/, '')
}
