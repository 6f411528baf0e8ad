import type { Config } from '../core/config/settings.ts'
import {
  concernsOf,
  leadOf,
  scopeConcern,
  type WhyNot,
  weakenedConcern,
  whySetAside,
} from '../core/landing/landable-branch.ts'
import { planLanding } from '../core/landing/plan-landing.ts'
import { command, sentence } from '../core/sentence.ts'
import { assertAllowed } from '../core/task/agent-mode.ts'
import { isFinished } from '../core/task/status-predicates.ts'
import { type Task, titleOf } from '../core/task/task.ts'
import { UserError } from '../core/user-error.ts'
import { clearDeadWorktrees } from '../runs/clear-dead-worktrees.ts'
import { storedBranch } from '../state/index/find-entries.ts'
import { loadConfiguration } from '../workspace/config/configuration.ts'
import { assertTrusted } from '../workspace/config/trust-config.ts'
import { entry, findTasks, type LedgerView } from '../workspace/ledger/ledger-view.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { assertLegal } from '../workspace/legal/legal-ledger.ts'
import { noSuchGroup } from '../workspace/views/groups/group-status.ts'
import { liveRows } from '../workspace/views/list-tasks.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { configuredMethod, type LandMethod } from './build/land-order.ts'
import { type LandBase, landBase } from './land-base.ts'
import { type LandRequest, landBranches } from './land-branches.ts'
import type { LandReport, LandWatcher, ReturnedTask } from './land-report.ts'
import { nextStep } from './next-step.ts'
import { type QueuedBranch, readLandableBranches } from './read-landable-branches.ts'

export interface MergeOptions {
  refs: readonly string[]
  all?: boolean
  group?: string
  method?: LandMethod
  into?: string
  dryRun?: boolean
  /** Also land named branches with unfinished work, without asking. */
  yes?: boolean
}

export interface MergeReport extends LandReport {
  /** With `dryRun`: what would land, in its order. */
  planned: PlannedLanding[]
  refused: RefusedLanding[]
  warnings: string[]
}

/** A branch can belong to several tasks. It is reported under the task that was asked for. */
interface AskedLanding {
  number: number
  id: string
  /** The lead task of the branch, if that is another task. */
  lead: { number: number; id: string } | null
}

export interface RefusedLanding extends AskedLanding {
  code: string
  detail: string
  /** The command that makes it landable. */
  next: string | null
}

export interface PlannedLanding extends AskedLanding {
  title: string
  branch: string
  method: LandMethod
}

/** Verifies and lands the tasks that a person asks for, in their order. */
export async function mergeTasks(ws: Workspace, options: MergeOptions, watcher: MergeWatcher): Promise<MergeReport> {
  assertAllowed('merge', ws.actor)
  const config = await loadConfiguration(ws)
  // No agent is started here, so only the verify commands must be trusted.
  if (!options.dryRun) await assertTrusted(ws, { ...config, agents: new Map() })
  if (!options.dryRun) assertLegal(ws)
  if (!options.dryRun) await clearDeadWorktrees(ws)
  const view = readLedger(ws)
  const base = landBase(ws, options.into)
  const wanted = askedTasks(view, options)
  const wantedPlan = planFor(view, config, base, wanted)
  const warnings = warningsOf(view, wantedPlan.landables)
  if (!options.dryRun) for (const warning of warnings) watcher.reported(warning)
  const isAgreed = options.dryRun || options.yes || (await agreesToSetAside(view, wantedPlan, watcher))
  const asked = { ...wanted, landsSetAside: isAgreed }
  const first = isAgreed ? wantedPlan : planFor(view, config, base, asked)
  const about = { planned: [], refused: refusedOf(view, first, asked), warnings }
  const methodOf = (task: Task) => options.method ?? configuredMethod(config, task)
  if (options.dryRun) {
    const planned = first.landables.map((landable) => plannedOf(view, landable, asked, methodOf))
    return { ...nothingLanded(base), ...about, planned }
  }
  const names = new Map(first.landables.map((landable) => [leadOf(landable).id, askedOf(view, landable, asked)]))
  const asAsked = (task: ReturnedTask): ReturnedTask => ({ ...task, ...names.get(task.id) })
  const report = await landInTurn(ws, base, {
    config,
    into: options.into,
    choose: (now, tip) => planFor(now, config, tip, asked),
    methodOf,
    watcher: { ...watcher, returned: (task) => watcher.returned(asAsked(task)) },
    cancel: watcher.cancel,
  })
  return { ...report, ...about, returned: report.returned.map(asAsked) }
}

/** What would land now. Nothing is changed. */
export function planMerge(ws: Workspace, options: Pick<MergeOptions, 'refs' | 'all'>): Promise<MergeReport> {
  return mergeTasks(ws, { ...options, dryRun: true }, NOBODY)
}

/** A dry run reports nothing and asks nothing. */
const NOBODY: MergeWatcher = {
  reported() {},
  landed() {},
  returned() {},
  waiting() {},
  moved() {},
  agrees: async () => false,
  cancel: new AbortController().signal,
}

/** Commits of agents that did not finish their task land only if a person says so once more. */
async function agreesToSetAside(view: LedgerView, plan: Plan, watcher: MergeWatcher): Promise<boolean> {
  const unfinished = plan.landables.filter((landable) => whySetAside(landable) !== null)
  return unfinished.length === 0 || watcher.agrees(unfinished.map((landable) => nameOf(view, leadOf(landable)).number))
}

const LOOK_MS = 200

/** Waits while another process, such as gza work, is landing on the same base. */
async function landInTurn(ws: Workspace, base: LandBase, request: LandRequest & { watcher: MergeWatcher }) {
  for (let isFirst = true; ; isFirst = false) {
    const report = await landBranches(ws, request)
    if (report !== null) return report
    if (request.cancel.aborted) throw busy(base)
    if (isFirst) request.watcher.reported(`Another gza is landing on ${base.name}; this one waits for it.`)
    await Bun.sleep(LOOK_MS)
  }
}

export interface MergeWatcher extends LandWatcher {
  reported(sentence: string): void
  /** Asks whether the unfinished work of these tasks, by number, should land. */
  agrees(tasks: readonly number[]): Promise<boolean>
  cancel: AbortSignal
}

/** The uids of the given tasks; null: everything that may land, or everything of a group. */
interface AskedTasks {
  named: ReadonlySet<string> | null
  isAsked(task: Task): boolean
  /** Whether named branches may land with the unfinished work that is on them. */
  landsSetAside: boolean
}

function askedTasks(view: LedgerView, { refs, all, group }: MergeOptions): AskedTasks {
  const ways = [refs.length > 0, all === true, group !== undefined].filter(Boolean)
  if (ways.length !== 1) {
    throw new UserError('USAGE', 'Name what to land: tasks, --all or --group NAME', {
      hint: sentence`${command`merge 3 4`}; ${command`queue`} shows what is waiting`,
      exitCode: 2,
    })
  }
  if (group !== undefined) assertGroup(view, group)
  const landsSetAside = refs.length > 0
  if (refs.length === 0)
    return { named: null, isAsked: (task) => group === undefined || task.group === group, landsSetAside }
  const named = new Set(findTasks(view, refs).map(({ uid }) => uid))
  return { named, isAsked: ({ uid }) => named.has(uid), landsSetAside }
}

function assertGroup(view: LedgerView, group: string): void {
  const names = [...new Set(liveRows(view).map(({ grp }) => grp))]
  if (!names.includes(group)) throw noSuchGroup(group, names)
}

function planFor(view: LedgerView, config: Config, base: LandBase, { named, isAsked, landsSetAside }: AskedTasks) {
  const uids = named ?? new Set()
  const branches = new Set([...uids].flatMap((uid) => storedBranch(view.ws.state, view.row.lid, uid) ?? []))
  const landables = readLandableBranches(view, config, base, { uids, branches }).filter(({ tasks }) =>
    tasks.some(isAsked),
  )
  const isNamed = (landable: QueuedBranch) => named !== null && (landsSetAside || whySetAside(landable) === null)
  return planLanding(landables, (landable) => (isNamed(landable) ? 'named' : 'all'))
}

type Plan = ReturnType<typeof planFor>

/** A task that was not asked for by name is reported only if it could have landed. */
function refusedOf(view: LedgerView, plan: Plan, asked: AskedTasks): RefusedLanding[] {
  const { named } = asked
  const refused = plan.refused.flatMap(({ landable, why }) => {
    const isReported = named !== null || why.code === 'GUARDED_FILES' || why.code === 'DEPENDENCY_NOT_LANDED'
    const about = askedOf(view, landable, asked)
    const { code, detail } = why
    return isReported ? [{ ...about, code, detail, next: nextStep(view, why, about.number) }] : []
  })
  const known = new Set(
    [...plan.landables, ...plan.refused.map(({ landable }) => landable)].flatMap(({ tasks }) =>
      tasks.map(({ uid }) => uid),
    ),
  )
  const without = [...(named ?? [])].filter((uid) => !known.has(uid))
  return [
    ...refused,
    ...without.map((uid) => ({ ...nameOf(view, { uid }), lead: null, ...whyNoWork(view, uid), next: null })),
  ]
}

function whyNoWork(view: LedgerView, uid: string): WhyNot {
  const row = entry(view, uid)
  if (row && !isFinished(row)) return { code: 'NOT_COMPLETED', detail: `is ${row.status}` }
  return { code: 'NO_BRANCH', detail: 'has no branch of its own' }
}

function nameOf(view: LedgerView, { uid }: Pick<Task, 'uid'>): { number: number; id: string } {
  const row = entry(view, uid)
  return { number: row?.number ?? 0, id: row?.id ?? uid }
}

function warningsOf(view: LedgerView, landables: readonly QueuedBranch[]): string[] {
  return landables.flatMap((landable) =>
    [...concernsOf(landable), weakenedConcern(landable) ?? [], scopeConcern(landable) ?? []]
      .flat()
      .map(({ code, detail }) => `Task #${nameOf(view, leadOf(landable)).number} ${detail} (${code})`),
  )
}

/** A branch is reported under the task that the person asked for. */
function askedOf(view: LedgerView, landable: QueuedBranch, { named }: AskedTasks): AskedLanding {
  const lead = leadOf(landable)
  const own = landable.tasks.find(({ uid }) => named?.has(uid))
  if (own === undefined || named?.has(lead.uid)) return { ...nameOf(view, lead), lead: null }
  return { ...nameOf(view, own), lead: nameOf(view, lead) }
}

function plannedOf(
  view: LedgerView,
  landable: QueuedBranch,
  asked: AskedTasks,
  methodOf: (task: Task) => LandMethod,
): PlannedLanding {
  const lead = leadOf(landable)
  return { ...askedOf(view, landable, asked), title: titleOf(lead), branch: landable.branch, method: methodOf(lead) }
}

function nothingLanded({ name }: LandBase): LandReport {
  return { base: name, landed: [], returned: [], waiting: null, stopped: null }
}

function busy({ name }: LandBase): UserError {
  return new UserError('LANDING_BUSY', `Another gza is landing on ${name}`, {
    hint: sentence`Nothing was changed. ${command`queue`} shows what is left to land.`,
  })
}
