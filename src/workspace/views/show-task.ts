import type { PersonsVerdict } from '../../core/landing/persons-verdict.ts'
import { type WrittenTask, withDefaults } from '../../core/ledger/written-task.ts'
import type { Task } from '../../core/task/task.ts'
import type { Entry } from '../../state/index/index-tables.ts'
import { findWrittenTask, type LedgerView } from '../ledger/ledger-view.ts'
import { readLinkedLedger } from '../links/read-linked-ledger.ts'
import type { Workspace } from '../workspace.ts'
import { nameOf, unknownTask } from './task-status.ts'
import { dependencyField, knownEntries, namedUids, viewTask } from './task-view.ts'
import type { RelatedTask, TaskName, TaskView } from './views.ts'

/** A task with the names of all related tasks. */
export interface ShownTask extends TaskView {
  /** Its dependencies, its parent and its children, each once. */
  related: RelatedTask[]
  /** The same commits, parents before children. */
  commits_in_order: readonly string[]
  /** Where its texts are. */
  texts: ShownText[]
  /** Null: no person has given a verdict on its finished work. */
  persons_verdict: ShownVerdict | null
}

/** A person's verdict. It no longer counts once the work has moved on to another commit. */
export interface ShownVerdict extends PersonsVerdict {
  now: string | null
  counts: boolean
}

export interface ShownText {
  /** What `show --text` calls it. */
  name: string
  /** The file with it, from the top of the working tree; null: there is none. */
  copy: string | null
}

export async function showTask(ws: Workspace, ref: string): Promise<ShownTask> {
  const view = readLinkedLedger(ws)
  const task = findWrittenTask(view, ref)
  if (task.key !== undefined) warnOfSharedKey(view, task)
  const known = knownEntries(view, [task])
  const shown = viewTask(view, task, known)
  const verdict = task.final_verdict === undefined ? null : await shownVerdict(view, withDefaults(task))
  // Not a copy: an object with so many fields takes a heap block of its own.
  return Object.assign(shown, {
    persons_verdict: verdict,
    related: relatedTasks(view, task, { shown, known }),
    commits_in_order: shown.commits.length < 2 ? shown.commits : await commitsInOrder(view, shown.commits),
    texts: shown.artifacts.length === 0 ? [] : await shownTexts(view, withDefaults(task)),
  })
}

/** Loaded only then, because few tasks have a key. */
function warnOfSharedKey(view: LedgerView, task: WrittenTask): void {
  const { nameOwner, othersWithKey }: typeof import('../ledger/taken-keys.ts') = require('../ledger/taken-keys.ts')
  for (const other of othersWithKey(view, task))
    view.ws.warnings.push(`The key ${task.key} is also the key of ${nameOwner(other)}`)
}

interface Shown {
  shown: TaskView
  known: ReturnType<typeof knownEntries>
}

function relatedTasks(view: LedgerView, task: WrittenTask, { shown, known }: Shown): RelatedTask[] {
  const related: RelatedTask[] = []
  const add = (name: TaskName) => related.push({ ...name, kind: relationOf(shown, name.id) })
  const uids = namedUids([task])
  for (const uid of uids) {
    const row = known.get(uid)
    add(row === undefined ? unknownTask(uid) : nameOf(view, row))
  }
  if (shown.children.length > 0)
    for (const child of children(view, task)) if (!uids.has(child.uid)) add(nameOf(view, child))
  return related
}

function relationOf(task: TaskView, id: string): RelatedTask['kind'] {
  return dependencyField(task, id) ?? (task.parent === id ? 'parent' : 'child')
}

/** Loaded only then, because most tasks have no parts. */
function children({ ws, row }: LedgerView, { uid }: WrittenTask): readonly Entry[] {
  const {
    childrenOf,
  }: typeof import('../../state/index/family-entries.ts') = require('../../state/index/family-entries.ts')
  return childrenOf(ws.state, row.lid, uid)
}

/** Loaded only then, because most tasks have one commit. */
function commitsInOrder({ ws }: LedgerView, commits: readonly string[]): Promise<readonly string[]> {
  return import('../links/order-commits.ts').then(({ orderCommits }) => orderCommits(ws.repo, commits))
}

/** Loaded only then, because most tasks have no texts. */
async function shownTexts(view: LedgerView, task: Task): Promise<ShownText[]> {
  const { copyOf, warnOfEditedCopies } = await import('../texts/copies.ts')
  warnOfEditedCopies(view, task)
  const { textsOf } = await import('../texts/task-texts.ts')
  const texts = textsOf(view, task)
  return texts.map((text) => ({ name: text.name, copy: copyOf(view, texts, text) }))
}

/** Loaded only then, because most tasks have no verdict. */
async function shownVerdict(view: LedgerView, task: Task): Promise<ShownVerdict | null> {
  const { personsVerdict } = await import('../../core/landing/persons-verdict.ts')
  const given = personsVerdict(task)
  if (given === null) return null
  const { finishedHeadOf } = await import('../ledger/finished-work.ts')
  const { landedRange } = await import('../ledger/landed-range.ts')
  // After its landing the branch may be gone.
  const now = finishedHeadOf(view, task) ?? task.closed_commit
  return { ...given, now, counts: given.head === now || given.head === landedRange(view, task)?.to }
}
