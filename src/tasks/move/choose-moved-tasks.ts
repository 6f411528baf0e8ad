/** Which tasks move, and which finished ones are copied. Tasks that belong together are never separated. */

import { command, sentence } from '../../core/sentence.ts'
import { isFinished, isOpen } from '../../core/task/status-predicates.ts'
import { dependenciesOf, uidOf } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { childrenOf } from '../../state/index/family-entries.ts'
import type { Entry } from '../../state/index/index-tables.ts'
import { listedEntries, openEntriesAsFiled } from '../../state/index/list-entries.ts'
import { taskOf } from '../../state/index/read-tasks.ts'
import { entry, findTasks, type LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { busyTasks, busyWords } from '../checks/busy-tasks.ts'

/** Named tasks, those of an earlier move, all open ones, or every task. */
export type Chosen = { refs: readonly string[] } | { uids: readonly string[] } | { which: 'open' | 'all' }

export interface ChosenTasks {
  /** Dependencies come before the tasks that depend on them. */
  moved: Entry[]
  /** Of these, the ones that were not chosen: parts of a chosen task, and open dependencies. */
  along: Entry[]
  /** Finished dependencies: they stay, and the other ledger gets a copy. */
  copied: Entry[]
}

export function chooseMovedTasks(view: LedgerView, chosen: Chosen): ChosenTasks {
  const named = chosenEntries(view, chosen)
  const found: Found = { seen: new Set(), moved: new Map(), copied: new Map() }
  for (const row of named) addFamily(view, rootOf(view, row), found)
  const { moved, copied } = found
  const asked = new Set(named.map(({ uid }) => uid))
  for (const uid of moved.keys()) copied.delete(uid)
  refuseBusy(view, [...moved.values()])
  const along = [...moved.values()].filter(({ uid }) => !asked.has(uid))
  return { moved: [...moved.values()], along, copied: [...copied.values()] }
}

function chosenEntries(view: LedgerView, chosen: Chosen): Entry[] {
  const { ws, row } = view
  if ('which' in chosen) {
    if (chosen.which === 'open') return openEntriesAsFiled(ws.state, row.lid)
    return listedEntries(ws.state, row.lid, { archived: true })
  }
  if ('uids' in chosen) return chosen.uids.flatMap((uid) => entry(view, uid) ?? [])
  const named = findTasks(view, chosen.refs).flatMap(({ uid }) => entry(view, uid) ?? [])
  const uids = new Set(named.map(({ uid }) => uid))
  for (const each of named) refuseLonePart(view, each, uids)
  return named
}

/** A part without its whole would be open for ever on one side, and missing on the other. */
function refuseLonePart(view: LedgerView, row: Entry, named: ReadonlySet<string>): void {
  const root = rootOf(view, row)
  if (root.uid === row.uid || named.has(root.uid)) return
  throw new UserError(
    'TASK_IS_PART',
    `Task #${row.number} is part of #${root.number}, and a task moves with its parts`,
    {
      hint: sentence`Nothing was changed. Move the whole: ${command`move ${root.number} --to BRANCH`}`,
    },
  )
}

/** The task at the top of its family, as far as this ledger shows it. */
function rootOf(view: LedgerView, row: Entry): Entry {
  const seen = new Set([row.uid])
  let top = row
  while (top.parent !== null && !seen.has(top.parent)) {
    const parent = entry(view, top.parent)
    if (parent === undefined || parent.deleted === 1) return top
    seen.add(parent.uid)
    top = parent
  }
  return top
}

interface Found {
  /** The tops of the families that were looked at: dependencies may go in a circle. */
  seen: Set<string>
  moved: Map<string, Entry>
  copied: Map<string, Entry>
}

/** The task with all its parts, after everything that they depend on. */
function addFamily(view: LedgerView, root: Entry, found: Found): void {
  if (found.seen.has(root.uid)) return
  found.seen.add(root.uid)
  const family = new Map([[root.uid, root]])
  for (const { uid } of family.values()) {
    for (const part of childrenOf(view.ws.state, view.row.lid, uid)) family.set(part.uid, part)
  }
  for (const row of family.values()) if (isOpen(row)) addDependencies(view, row, found)
  for (const row of family.values()) found.moved.set(row.uid, row)
}

function addDependencies(view: LedgerView, { uid }: Entry, found: Found): void {
  const task = taskOf(view.ws.state, view.row.lid, uid)
  for (const ref of task === null ? [] : dependenciesOf(task)) {
    const needed = entry(view, uidOf(ref))
    if (needed === undefined || needed.deleted === 1) continue
    if (isFinished(needed)) found.copied.set(needed.uid, needed)
    else addFamily(view, rootOf(view, needed), found)
  }
}

/** Somebody works on it, and would write the result to the line that it has left. */
function refuseBusy(view: LedgerView, rows: readonly Entry[]): void {
  const busy = busyTasks(view, rows)
  const [first] = busy
  if (first === undefined) return
  throw new UserError('TASK_RUNNING', busyWords(busy), {
    hint: sentence`Nothing was changed. Wait until it ends (${command`ps`}), or release a claim: ${command`release ${first.row.number}`}`,
  })
}
