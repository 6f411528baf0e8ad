/** Three clones of one bare remote that work and exchange, as plain commands that fast-check can shrink. */
import fc from 'fast-check'
import { UserError } from '../../src/core/user-error.ts'
import { syncLedgers } from '../../src/exchange/remote/sync-ledger.ts'
import { claimTask } from '../../src/runs/claims/claim-task.ts'
import { addTask } from '../../src/tasks/add-task.ts'
import { closeTask } from '../../src/tasks/close-task.ts'
import { deleteTask } from '../../src/tasks/delete-task.ts'
import { editTask } from '../../src/tasks/edit-task.ts'
import { moveTasks } from '../../src/tasks/move/move-tasks.ts'
import { noteTask } from '../../src/tasks/note-task.ts'
import { restoreTasks } from '../../src/tasks/restore-tasks.ts'
import { redoChange, undoChange } from '../../src/tasks/undo/undo-change.ts'
import { readLedger } from '../../src/workspace/ledger/read-ledger.ts'
import { alsoFor, useWorkspace, type Workspace } from '../../src/workspace/workspace.ts'
import { add } from '../support/ledger-calls.ts'
import { aRepo, type Repo } from '../support/repo.ts'
import type { Facts } from './collected-facts.ts'

/**
 * Each run takes a second or more, and shrinking makes many: the first failure is reported as it is, with its seed. The
 * number of runs never depends on the speed of the machine.
 */
export const UNSHRUNK = { endOnFailure: true }

export interface Clones {
  remote: Repo
  clones: Repo[]
  /** A task that all clones have from the start. */
  parent: string
}

/** Their clocks differ by an hour each: nothing may depend on them alone. */
const CLOCKS = [0, 3600, -3600]
const NAMES = ['Ann', 'Ben', 'Cleo']

export function threeClones(): Clones {
  const remote = aRepo({ bare: true })
  const first = remote.clone()
  first.commit('first')
  first.git('push', '--quiet', 'origin', 'main')
  const clones = [first, remote.clone(), remote.clone()].map((clone, i) => asPerson(clone, NAMES[i] ?? ''))
  const parent = add(clones[0]!, 'The parent of many')
  for (const clone of clones) if (clone.gza('sync').code !== 0) throw new Error('the first sync failed')
  return { remote, clones, parent }
}

/** The names of the branches that have a ledger. */
export function ledgersOf(repo: Repo): string[] {
  const refs = repo.git('for-each-ref', '--format=%(refname)', 'refs/tasks/')
  return refs
    .split('\n')
    .filter(Boolean)
    .map((ref) => ref.slice('refs/tasks/'.length))
}

function asPerson(repo: Repo, name: string): Repo {
  const mail = `${name}@example.com`
  const committer = { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: mail }
  return repo.withEnv({ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: mail, ...committer })
}

/** `task` picks one of those that the clone knows by then. */
export type CloneAction =
  | { do: 'add'; text: string; isChild: boolean }
  | { do: 'edit'; task: number; text: string }
  | { do: 'note'; task: number; text: string }
  | { do: 'delete' | 'done' | 'reset'; task: number }
  /** `task` picks one of those that are deleted by then. */
  | { do: 'restore'; task: number }
  | { do: 'undo' | 'redo' }
  /** To the ledger of another branch, or back. `task` picks one of those in the ledger that it leaves. */
  | { do: 'move'; task: number; isBack: boolean }
  /** For a minute: a clone whose clock is an hour ahead sees it as expired. */
  | { do: 'claim'; task: number }
  /** With the bare remote, or with another clone directly. */
  | { do: 'sync'; partner: 'origin' | number }

const anyText = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((text) => `x${text}`) },
  { weight: 1, arbitrary: fc.nat(2000).map((length) => 'long '.repeat(length / 5 + 1)) },
)

export const anyCloneAction: fc.Arbitrary<CloneAction> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('add' as const), text: anyText, isChild: fc.boolean() }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constantFrom('edit' as const, 'note' as const), task: fc.nat(), text: anyText }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('done' as const, 'done' as const, 'reset' as const, 'delete' as const),
      task: fc.nat(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.oneof(
      fc.record({ do: fc.constant('restore' as const), task: fc.nat() }),
      fc.record({ do: fc.constantFrom('undo' as const, 'undo' as const, 'redo' as const) }),
    ),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('claim' as const), task: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('move' as const), task: fc.nat(), isBack: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('sync' as const),
      partner: fc.constantFrom('origin' as const, 'origin' as const, 0, 1, 2),
    }),
  },
)

/** Does it in that clone, and writes down what was acknowledged. */
export function act(team: Clones, clone: number, deed: CloneAction, facts: Facts): Promise<void> {
  const repo = team.clones[clone] as Repo
  return useWorkspace({ cwd: repo.dir, env: repo.env }, async (ws) => {
    ws.now = () => timeBy(CLOCKS[clone] ?? 0)
    if (deed.do === 'claim') return claim(ws, deed.task)
    if (deed.do === 'move') return move(ws, deed)
    if (deed.do !== 'sync') return actIn(ws, team, deed, facts)
    const partner = deed.partner === 'origin' ? 'origin' : team.clones[deed.partner]?.dir
    if (deed.partner !== clone) await syncLedgers(ws, { remote: partner })
  })
}

function timeBy(clock: number): string {
  return new Date(Date.now() + clock * 1000).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** It may be refused. Before it repeats a claim, it looks at the remote. */
async function claim(ws: Workspace, task: number): Promise<void> {
  const known = knownTasks(ws, { deleted: false })
  const ref = `task-${known[task % Math.max(1, known.length)]?.uid}`
  try {
    if (known.length > 0) await claimTask(ws, ref, { minutes: 1 })
  } catch (error) {
    if (!(error instanceof UserError && ['TASK_RUNNING', 'TASK_CLOSED'].includes(error.code))) throw error
  }
}

/** Every fact stays in the line that the task leaves. A task that is claimed, or a part, may be refused. */
function move(ws: Workspace, { task, isBack }: Extract<CloneAction, { do: 'move' }>): void {
  const [from, to] = isBack ? [OTHER_LEDGER, 'main'] : ['main', OTHER_LEDGER]
  const known = knownTasks(alsoFor(ws, { ledger: from }), { deleted: false })
  const uid = known[task % Math.max(1, known.length)]?.uid
  try {
    if (uid !== undefined) moveTasks(ws, { from, to, chosen: { refs: [`task-${uid}`] } })
  } catch (error) {
    if (!(error instanceof UserError && ['TASK_RUNNING', 'TASK_IS_PART'].includes(error.code))) throw error
  }
}

const OTHER_LEDGER = 'other'

type LocalAction = Exclude<CloneAction, { do: 'sync' | 'claim' | 'move' }>

function actIn(ws: Workspace, team: Clones, deed: LocalAction, facts: Facts): void {
  if (deed.do === 'add') {
    const isChild = deed.isChild && knownTasks(ws, { deleted: false }).some(({ id }) => id === team.parent)
    const { uid } = addTask(ws, { content: deed.text, ...(isChild && { parent: team.parent }) })
    facts.added(uid, deed.text.trim(), isChild)
    return
  }
  if ('task' in deed) changeOne(ws, deed, facts)
  else revert(ws, deed.do)
}

function changeOne(ws: Workspace, deed: Extract<LocalAction, { task: number }>, facts: Facts): void {
  const known = knownTasks(ws, { deleted: deed.do === 'restore' })
  const task = known[deed.task % Math.max(1, known.length)]
  if (task !== undefined) change(ws, task.uid, deed, facts)
}

/** Nothing that was acknowledged may vanish by it, only be taken back. It may be refused. */
function revert(ws: Workspace, verb: 'undo' | 'redo'): void {
  try {
    if (verb === 'undo') undoChange(ws)
    else redoChange(ws)
  } catch (error) {
    const expected = ['NOTHING_TO_UNDO', 'NOTHING_TO_REDO', 'BUILT_ON', 'TASK_RUNNING', 'MOVE_NOT_UNDONE']
    if (!(error instanceof UserError && expected.includes(error.code))) throw error
  }
}

function change(ws: Workspace, uid: string, deed: Extract<LocalAction, { task: number }>, facts: Facts): void {
  const ref = `task-${uid}`
  if (deed.do === 'restore') {
    restoreTasks(ws, [ref])
    facts.edited(uid, 'deleted', false)
  }
  if (deed.do === 'edit') facts.edited(uid, 'content', editTask(ws, ref, { content: deed.text }).content)
  if (deed.do === 'note') {
    noteTask(ws, ref, deed.text)
    facts.noted(uid, deed.text.trim())
  }
  if (deed.do === 'delete') {
    remove(ws, ref)
    facts.edited(uid, 'deleted', true)
  }
  if (deed.do === 'done' && close(ws, ref)) facts.closed(uid, generationOf(ws, uid))
  if (deed.do === 'reset') {
    editTask(ws, ref, { reopen: true })
    facts.opened(uid, generationOf(ws, uid))
  }
}

/** Where it is refused because somebody works on the task, the person agrees: a delete always becomes a fact. */
function remove(ws: Workspace, ref: string): void {
  try {
    deleteTask(ws, [ref])
  } catch (error) {
    if (!(error instanceof UserError && error.code === 'TASK_RUNNING')) throw error
    deleteTask(ws, [ref], { evenBusy: true })
  }
}

/** A parent is refused as long as this clone knows of children that are open. */
function close(ws: Workspace, ref: string): boolean {
  try {
    closeTask(ws, [ref])
    return true
  } catch (error) {
    if (error instanceof UserError && error.code === 'CHILDREN_OPEN') return false
    throw error
  }
}

/** The tasks that the ledger shows or has deleted, but not those that moved away, in an order that only depends on which they are. */
function knownTasks(ws: Workspace, { deleted }: { deleted: boolean }): { uid: string; id: string }[] {
  const { row } = readLedger(ws)
  const rows = ws.state.query('SELECT uid, id FROM entries WHERE lid = ? AND deleted = ? AND away = 0 ORDER BY uid')
  return rows.all(row.lid, deleted ? 1 : 0) as { uid: string; id: string }[]
}

function generationOf(ws: Workspace, uid: string): number {
  const line = ws.state
    .query('SELECT line FROM lines JOIN entries USING (row) WHERE lid = ? AND uid = ?')
    .get(readLedger(ws).row.lid, uid)
  return JSON.parse((line as { line: string }).line).generation ?? 0
}
