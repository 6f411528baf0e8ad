import { type Sentence, sentence } from '../../core/sentence.ts'
import { plural } from '../../core/text/plural.ts'
import { printable } from '../../core/text/printable.ts'
import { UserError } from '../../core/user-error.ts'
import { hasRemote } from '../../workspace/branches/branch-files.ts'
import { findLeftTasks, type LeftTasks, moveCommand } from '../../workspace/branches/left-tasks.ts'
import { markAsNamed } from '../../workspace/ledger/read-ledger.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** Names open tasks on branches that are merged, renamed or gone, with the command that moves them. */
export function reportLeftTasks(ws: Workspace): void {
  const all = leftTasks(ws)
  markAsNamed(
    ws,
    all.map(({ ledger }) => ledger),
  )
  for (const left of all) ws.warnings.push(sentence`${describeLeft(left)}. Move them: ${moveCommand(left)}`)
}

/** Those that a person must decide about. Where nobody else can know a renamed branch, its tasks follow at once. */
export function leftTasks(ws: Workspace): LeftTasks[] {
  const left = findLeftTasks(ws).filter((each) => each.why !== 'renamed' || !followRename(ws, each))
  return left.filter(({ open }) => open > 0)
}

export function describeLeft({ ledger, open, why, to }: LeftTasks): string {
  const tasks = `${plural(open, 'open task')} on ${printable(ledger)}`
  if (why === 'merged') return `There ${open === 1 ? 'is' : 'are'} ${tasks}, which is merged`
  if (why === 'renamed') return `There ${open === 1 ? 'is' : 'are'} ${tasks}, which was renamed to ${printable(to)}`
  return `There ${open === 1 ? 'is' : 'are'} ${tasks}, a branch that no longer exists`
}

function followRename(ws: Workspace, left: LeftTasks): boolean {
  if (hasRemote(ws.repo) || ws.actor.mode !== 'human') return false
  return moveRenamed(ws, left)
}

/** Moves every task of a renamed branch. False if that is not possible now, for example because one is running. */
export function moveRenamed(ws: Workspace, { ledger, to }: Pick<LeftTasks, 'ledger' | 'to'>): boolean {
  // Lists load it only here: a rename is rare.
  const { moveTasks } = require('./move-tasks.ts') as typeof import('./move-tasks.ts')
  try {
    const { moved } = moveTasks(ws, { from: ledger, to, chosen: { which: 'all' }, follows: 'rename' })
    ws.warnings.push(moveNotice(ledger, to, moved.length))
    return true
  } catch (error) {
    if (error instanceof UserError) return false
    throw error
  }
}

function moveNotice(from: string, to: string, tasks: number): Sentence {
  return `The branch ${printable(from)} was renamed to ${printable(to)}: its tasks (${tasks}) moved along`
}
