import { command, type Sentence, sentence } from '../../core/sentence.ts'
import { isOpen } from '../../core/task/status-predicates.ts'
import type { Task } from '../../core/task/task.ts'
import { UserError } from '../../core/user-error.ts'
import { openChildrenOf } from '../../state/index/family-entries.ts'
import type { Entry } from '../../state/index/index-tables.ts'
import { entry, type LedgerView } from '../../workspace/ledger/ledger-view.ts'
import { derivedStatus } from '../../workspace/views/task-status.ts'

/** A parent is done when all its children are: a command that closes it must also close or skip them. */
export function refuseOpenChildren(view: LedgerView, closed: readonly Task[]): void {
  const after = new Map(closed.map((task) => [task.uid, task]))
  for (const { uid, id, status } of closed) {
    if (status !== 'completed' || entry(view, uid)?.status === 'completed') continue
    const open = openBelow(view, uid).filter((child) => isOpen(after.get(child.uid) ?? child))
    if (open.length > 0) throw childrenOpen(view, `#${entry(view, uid)?.number ?? id}`, open)
  }
}

export function openBelow({ ws, row }: LedgerView, uid: string): Entry[] {
  return openChildrenOf(ws.state, row.lid, uid)
}

const MOST_NAMED = 10

function childrenOpen(view: LedgerView, name: string, open: readonly Entry[]): UserError {
  const named = open.slice(0, MOST_NAMED).map((row) => `#${row.number} ${row.title} (${derivedStatus(view, row)})`)
  const more = open.length - named.length
  const words = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  const children = open.length === 1 ? 'a child that is open' : `${open.length} children that are open`
  return new UserError('CHILDREN_OPEN', `Task ${name} has ${children}: ${words}`, {
    hint: sentence`Nothing was changed. ${nextSteps(view, name, open)}`,
  })
}

/** A child with children is done when all of those are. */
function nextSteps(view: LedgerView, name: string, open: readonly Entry[]): Sentence {
  const leaves = new Set<number>()
  const queue = [...open]
  const seen = new Set(queue.map(({ uid }) => uid))
  for (const task of queue) {
    const below = openBelow(view, task.uid)
    if (below.length === 0) leaves.add(task.number)
    for (const child of below) if (!seen.has(child.uid)) queue.push(child)
    for (const child of below) seen.add(child.uid)
  }
  if (leaves.size > MOST_NAMED) return sentence`${command`tree ${name.slice(1)}`} shows what is left.`
  const all = leaves.size === 1 ? 'it' : 'them'
  return sentence`${command`done ${[...leaves]}`} closes ${all}, and ${name} with ${leaves.size === 1 ? 'it' : 'the last'}.`
}
