/** A deadlock: nothing can run although tasks are left. Reports the tasks that cause it. */

import { type Deadlock as Found, findDeadlock, type OpenTask } from '../core/graph/find-deadlock.ts'
import { plural } from '../core/text/plural.ts'
import { openChildren } from '../runs/workable.ts'
import { needRows } from '../state/index/dependency-rows.ts'
import { openPartEntries } from '../state/index/family-entries.ts'
import { askingEntries, openEntries, openOnHold } from '../state/index/list-entries.ts'
import { readyEntries } from '../state/index/ready-entries.ts'
import type { LedgerView } from '../workspace/ledger/ledger-view.ts'
import { readLedger } from '../workspace/ledger/read-ledger.ts'
import { derivedStatus, namesBy } from '../workspace/views/task-status.ts'
import type { TaskName } from '../workspace/views/views.ts'
import type { Workspace } from '../workspace/workspace.ts'

export interface Deadlock {
  /** How many tasks are left. */
  open_count: number
  failed: TaskName[]
  on_hold: TaskName[]
  /** Their agents have asked a person. */
  asking: TaskName[]
  /** Not in this ledger. */
  unknown: TaskName[]
  /** Dependency cycles: each task waits for the next, the last for the first. */
  cycles: TaskName[][]
  /** The whole report in one sentence. */
  detail: string
}

export function readDeadlock(ws: Workspace): Deadlock | null {
  const view = readLedger(ws)
  return isAnythingReady(view) ? null : describe(view, findDeadlock(readOpen(view)))
}

/** Usually a task is ready, and then the first row is enough to know it. */
function isAnythingReady(view: LedgerView): boolean {
  for (const row of readyEntries(view.ws.state, view.row.lid)) {
    const status = derivedStatus(view, row)
    if (status === 'in_progress' || (status === 'pending' && openChildren(view, row.uid).length === 0)) return true
  }
  return false
}

function readOpen(view: LedgerView): OpenTask[] {
  const { ws, row } = view
  const rows = openEntries(ws.state, row.lid)
  const held = openOnHold(ws.state, row.lid)
  const needs = openNeeds(view)
  return rows.map((each) => ({
    uid: each.uid,
    status: derivedStatus(view, each),
    isOnHold: held.has(each.uid) || each.asks === 1,
    needs: needs.get(each.uid) ?? [],
  }))
}

/** What every open task waits for: unfinished dependencies and parts. Read once for each view, which never changes. */
export function openNeeds(view: LedgerView): ReadonlyMap<string, readonly string[]> {
  const known = KNOWN.get(view) ?? readNeeds(view)
  KNOWN.set(view, known)
  return known
}

const KNOWN = new WeakMap<LedgerView, ReadonlyMap<string, readonly string[]>>()

function readNeeds({ ws, row }: LedgerView): Map<string, string[]> {
  const needs = new Map<string, string[]>()
  const add = (task: string, needed: string) => {
    const known = needs.get(task)
    if (known) known.push(needed)
    else needs.set(task, [needed])
  }
  for (const { task, needs: needed } of needRows(ws.state, row.lid, { all: false })) add(task, needed)
  for (const { uid, parent } of openPartEntries(ws.state, row.lid)) add(parent ?? '', uid)
  return needs
}

function describe(view: LedgerView, found: Found | null): Deadlock | null {
  if (found === null) return null
  const names = (uids: readonly string[]) => namesBy(view, uids)
  const asking = new Set(askingEntries(view.ws.state, view.row.lid).map(({ uid }) => uid))
  const deadlock = {
    open_count: found.left,
    failed: names(found.failed),
    on_hold: names(found.onHold.filter((uid) => !asking.has(uid))),
    asking: names(found.onHold.filter((uid) => asking.has(uid))),
    unknown: names(found.unknown),
    cycles: found.cycles.map(names),
  }
  return { ...deadlock, detail: detailOf(deadlock) }
}

function detailOf({ open_count, failed, on_hold, asking, unknown, cycles }: Omit<Deadlock, 'detail'>): string {
  const causes = [
    ...(failed.length > 0 ? [`${listed(failed.map(numberOf))} failed`] : []),
    ...(on_hold.length > 0 ? [`${listed(on_hold.map(numberOf))} on hold`] : []),
    ...(asking.length > 0 ? [`${listed(asking.map(numberOf))} with a question`] : []),
    ...(unknown.length > 0 ? [`${listed(unknown.map(({ id }) => id))} not in this ledger`] : []),
    ...cycles.map((cycle) => `${cycleWords(cycle)} wait for each other`),
  ]
  return `nothing can run, and ${plural(open_count, 'task is', 'tasks are')} left: ${listed(causes, '; ')}`
}

/** `#1 → #2 → #1`. */
export function cycleWords(cycle: readonly TaskName[]): string {
  return [...cycle, ...cycle.slice(0, 1)].map(numberOf).join(' → ')
}

function numberOf({ number, id }: TaskName): string {
  return number === 0 ? id : `#${number}`
}

const MOST_NAMED = 10

/** A long list is cut. */
export function listed(names: readonly string[], between = ', '): string {
  const rest = names.length - MOST_NAMED
  return rest > 1 ? `${names.slice(0, MOST_NAMED).join(between)} and ${rest} more` : names.join(between)
}
