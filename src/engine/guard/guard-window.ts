/**
 * The guard around one agent's phase or one check: the environment that refuses, and the comparison afterwards that
 * finds what went around it.
 */
import type { Repo } from '../../platform/git/find-repo.ts'
import type { Env } from '../../platform/git/git.ts'
import { forgetRecord, heldRecords, isOwnerAlive } from '../../platform/git/settings/held-settings.ts'
import { putBackSettings, type SettingsChange } from '../../platform/git/settings/put-back-settings.ts'
import { keepMatter } from '../../state/live/matters.ts'
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
import { changedRefs, type Surroundings } from './refs/changed-refs.ts'
import { forgetRefs, keepRefs, type OwnBranch, type RefsState, readRefsState } from './refs/keep-refs.ts'
import { putBackSymbolic, type Reporting, reportRefs } from './refs/report-refs.ts'

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
  /** The inbox; null if there is none. */
  live: Live | null
  ledger: string
  now: () => string
}

export interface GuardWindow {
  /** For the agent or the check. */
  env: Env
  close(): GuardFindings
}

export interface GuardFindings {
  /** What nobody does while working. It is put back. */
  tampering: string[]
  /** Put back too, but a check or an installer did it. */
  putBack: string[]
  /** Refs that changed in a way that needs a person. They are as they are now. */
  changedRefs: string[]
}

export function openGuardWindow(options: WindowOptions): GuardWindow {
  const { repo, env, binary, run, agent, kind, own } = options
  const name = options.name ?? (kind === 'agent' ? run : `${run}.check`)
  const began = performance.now()
  const before = readRefsState(repo)
  // The record comes first: if gza is killed in between, closeDeadWindows finds what it has to remove.
  const hold = holdConfiguration(repo, { run: name, kind, note: noteOf(before, own) })
  const kept = keepRefs(repo, { name, own, began }, before)
  const guarded = guardEnvironment(env, { repo, binary, run, agent })
  return { env: { ...guarded, ...kept }, close: () => closeWindow(options, before, hold) }
}

function closeWindow(options: WindowOptions, before: RefsState, hold: Hold): GuardFindings {
  const { repo, kind } = options
  forgetRefs(repo, hold.run)
  // First the settings, so that nothing planted can run below.
  const { changes, isTampering } = releaseConfiguration(repo, hold)
  const refs = findRefs(options, before)
  const settings = changes.map(describeSetting)
  reportSettings(options, isTampering ? changes : changes.filter((change) => isOfPerson(repo, change)))
  const isAgent = kind === 'agent'
  const tampering = [...(isTampering ? settings : []), ...(isAgent ? refs.symbolic : [])]
  return {
    tampering: isAgent ? withOthers(repo, tampering, hold.began) : [],
    putBack: [...(isTampering ? [] : settings), ...(isAgent ? [] : refs.symbolic)],
    changedRefs: refs.changed,
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

function findRefs(options: Surroundings & ReportOptions, before: RefsState): { symbolic: string[]; changed: string[] } {
  const { changes, symbolic } = changedRefs(options.repo, before, options)
  return { symbolic: putBackSymbolic(options.repo, symbolic), changed: reportRefs(reporting(options), changes) }
}

type ReportOptions = Pick<WindowOptions, 'repo' | 'live' | 'ledger' | 'run' | 'now'>

function reporting({ repo, live, ledger, run, now }: ReportOptions): Reporting {
  return { repo, live, ledger, run, at: now() }
}

/** A person may have installed something meanwhile, so the inbox has the command that makes the change again. */
function reportSettings({ live, ledger, run, now }: ReportOptions, changes: readonly SettingsChange[]): void {
  if (live === null) return
  for (const { what, how, again } of changes)
    keepMatter(live, { ledger, code: 'SETTINGS_PUT_BACK', subject: what, at: now(), facts: { run, how, again } })
}

/** For the record on disk. */
interface Note {
  refs: [string, string][]
  stash: RefsState['stash']
  own: OwnBranch | null
}

function noteOf({ refs, stash }: RefsState, own: OwnBranch | null): Note {
  return { refs: [...refs], stash, own }
}

/** Does what the windows of dead processes could not do. `run`: only for that one. */
export function closeDeadWindows(options: Omit<ReportOptions, 'run'> & Omit<Surroundings, 'own'>, run?: string): void {
  const dead = heldRecords(options.repo).filter((record) => !isOwnerAlive(record))
  const wanted = dead.filter((record) => run === undefined || runOf(record.run) === run)
  for (const { run: name, state, note } of wanted) {
    const about = { ...options, run: runOf(name) }
    const changes = putBackSettings(options.repo, state, savedIn(options.repo, name))
    // A person may have made them since gza died.
    reportSettings(about, changes)
    const { refs, stash, own } = note as Note
    findRefs({ ...about, own }, { refs: new Map(refs), stash })
    forgetRefs(options.repo, name)
    // Last: whoever is killed before this leaves the rest to the next one.
    forgetRecord(options.repo, name)
  }
}

function runOf(name: string): string {
  return name.replace(/\.check$/, '')
}
