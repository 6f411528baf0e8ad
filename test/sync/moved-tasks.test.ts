import { expect, test } from 'bun:test'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { UserError } from '../../src/core/user-error.ts'
import { syncLedgers } from '../../src/exchange/remote/sync-ledger.ts'
import { addTask } from '../../src/tasks/add-task.ts'
import { closeTask } from '../../src/tasks/close-task.ts'
import { deleteTask } from '../../src/tasks/delete-task.ts'
import { editTask } from '../../src/tasks/edit-task.ts'
import { moveTasks } from '../../src/tasks/move/move-tasks.ts'
import { noteTask } from '../../src/tasks/note-task.ts'
import { ledgerNames, readOtherLedger } from '../../src/workspace/ledger/read-ledger.ts'
import type { TaskView } from '../../src/workspace/views/views.ts'
import { alsoFor, useWorkspace, type Workspace } from '../../src/workspace/workspace.ts'
import { add, ask, contents, gza, listAll, treeOf } from '../support/ledger-calls.ts'
import { aRepo, type Repo } from '../support/repo.ts'
import { ledgersOf, threeClones, UNSHRUNK } from './arbitrary-clone-work.ts'

const LEDGERS = ['main', 'a', 'b']

test('three clones that move, change and close tasks and exchange in any order end with one visible task and every fact', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 30 }), async (plan) => {
      const { clones, remote } = threeClones()
      const written: Written = { notes: new Map(), contents: new Map(), closed: new Set(), deleted: new Set() }
      for (const step of plan) await carryOut(clones, step, written)
      for (const clone of [0, 1, 2, 0, 1]) await inClone(clones[clone] as Repo, (ws) => syncLedgers(ws))
      for (const ledger of ledgersOf(remote))
        expect(new Set([...clones, remote].map((repo) => treeOf(repo, ledger))).size).toBe(1)
      for (const clone of clones.slice(0, 1)) expectWhole(clone, written)
      remote.remove()
    }),
    { numRuns: 5, ...UNSHRUNK },
  )
})

interface Step {
  clone: number
  do: 'add' | 'note' | 'edit' | 'done' | 'delete' | 'move' | 'sync' | 'sync one'
  task: number
  ledger: number
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  clone: fc.nat(2),
  do: fc.constantFrom('add', 'note', 'edit', 'done', 'delete', 'move', 'move', 'move', 'sync', 'sync', 'sync one'),
  task: fc.nat(),
  ledger: fc.nat(2),
})

interface Written {
  notes: Map<string, string[]>
  contents: Map<string, string[]>
  closed: Set<string>
  deleted: Set<string>
}

function inClone<T>(repo: Repo, work: (ws: Workspace) => T | Promise<T>): Promise<T> {
  return useWorkspace({ cwd: repo.dir, env: repo.env, branch: 'main' }, work)
}

async function carryOut(clones: Repo[], step: Step, written: Written): Promise<void> {
  await inClone(clones[step.clone] as Repo, async (ws) => {
    const to = LEDGERS[step.ledger] as string
    if (step.do === 'sync') return void (await syncLedgers(ws))
    if (step.do === 'sync one') return syncOne(ws, to)
    if (step.do === 'add') return void addTask(alsoFor(ws, { ledger: to }), { content: `task ${step.task}` })
    const visible = visibleTasks(ws)
    const task = visible[step.task % Math.max(1, visible.length)]
    if (task !== undefined) change(alsoFor(ws, { ledger: task.ledger }), task, { ...step, to }, written)
  })
}

/** It is refused as long as there is no such ledger on either side. */
async function syncOne(ws: Workspace, ledger: string): Promise<void> {
  try {
    await syncLedgers(ws, { only: ledger })
  } catch (error) {
    if (!(error instanceof UserError && error.code === 'NO_LEDGER')) throw error
  }
}

function change(ws: Workspace, task: { uid: string; ledger: string }, step: Step & { to: string }, written: Written) {
  const ref = `task-${task.uid}`
  const text = `${step.do} ${step.task}`
  const put = (facts: Map<string, string[]>) => facts.set(task.uid, [...(facts.get(task.uid) ?? []), text])
  if (step.do === 'note') {
    noteTask(ws, ref, text)
    put(written.notes)
  }
  if (step.do === 'edit') {
    editTask(ws, ref, { content: text })
    put(written.contents)
  }
  if (step.do === 'done') {
    closeTask(ws, [ref])
    written.closed.add(task.uid)
  }
  if (step.do === 'delete') {
    deleteTask(ws, [ref])
    written.deleted.add(task.uid)
  }
  if (step.do === 'move' && step.to !== task.ledger)
    moveTasks(ws, { from: task.ledger, to: step.to, chosen: { refs: [ref] } })
}

function visibleTasks(ws: Workspace): { uid: string; ledger: string }[] {
  return ledgerNames(ws).flatMap((ledger) => {
    const { row } = readOtherLedger(ws, ledger)
    const rows = ws.state.query('SELECT uid FROM entries WHERE lid = ? AND deleted = 0 ORDER BY uid').all(row.lid)
    return (rows as { uid: string }[]).map(({ uid }) => ({ uid, ledger }))
  })
}

function expectWhole(clone: Repo, { notes, contents: edits, closed, deleted }: Written): void {
  const tasks = listAll(clone, '--all-branches')
  const uids = tasks.map(({ uid }) => uid)
  expect(new Set(uids).size).toBe(uids.length)
  const byUid = new Map(tasks.map((task) => [task.uid, task]))
  const known = new Set([...notes.keys(), ...edits.keys(), ...closed])
  const isGone = (uid: string) => deleted.has(uid)
  expect([...known].filter((uid) => !isGone(uid) && !byUid.has(uid))).toEqual([])
  for (const [uid, task] of byUid) {
    expect(task.notes).toEqual(expect.arrayContaining(notes.get(uid) ?? []))
    if (closed.has(uid)) expect(task.status).toBe('completed')
    if (edits.has(uid)) expect(edits.get(uid)).toContain(task.content)
    expect(task.on_hold).toBe(false)
  }
  expect(clone.gza('verify', '--all-branches')).toMatchObject({ code: 0 })
}

test('a note that another clone adds to the line that a task has left arrives in the line that people see', () => {
  const { ann, ben } = twoClones()
  const id = add(ann, 'moves')
  gza(ann, 'sync')
  gza(ben, 'sync')
  gza(ben, 'note', id, 'from ben')
  gza(ann, 'move', id, '--to', 'feature')
  gza(ann, 'sync')
  gza(ben, 'sync')
  gza(ann, 'sync')
  for (const clone of [ann, ben]) {
    expect([contents(clone), contents(clone, '--branch', 'feature')]).toEqual([[], ['moves']])
    expect(ask<TaskView>(clone, 'show', id, '--branch', 'feature').notes).toEqual(['from ben'])
  }
})

test('a part that another clone files under a task that has moved meanwhile follows it, in every clone', () => {
  const { ann, ben } = twoClones()
  const whole = add(ann, 'whole')
  for (const clone of [ann, ben]) gza(clone, 'sync')
  gza(ann, 'move', whole, '--to', 'feature')
  gza(ann, 'sync')
  const needed = add(ben, 'needed')
  const part = add(ben, 'part', '--parent', whole, '--after', needed)
  add(ben, 'part of the part', '--parent', part)
  const stays = add(ben, 'stays')
  for (const clone of [ben, ann, ben]) gza(clone, 'sync')
  for (const clone of [ann, ben]) {
    expect(contents(clone, '--branch', 'feature')).toEqual(['whole', 'needed', 'part', 'part of the part'])
    expect(contents(clone)).toEqual(['stays'])
    expect(clone.gza('verify', '--all-branches').code).toBe(0)
  }
  // Nobody has commanded it, so undo takes back what was.
  expect(ask<{ undone: string }>(ben, 'undo').undone).toBe(`add ${stays}`)
  expect(ben.gza('undo', '--branch', 'feature').stderr).toContain('Nothing to undo on feature')
})

test('of two moves of one task the same one wins everywhere, and a deletion elsewhere counts', () => {
  const { ann, ben } = twoClones()
  const [twice, deleted] = [add(ann, 'moved twice'), add(ann, 'deleted elsewhere')]
  gza(ann, 'sync')
  gza(ben, 'sync')
  gza(ann, 'move', twice, deleted, '--to', 'feature')
  gza(ben, 'move', twice, '--to', 'other')
  gza(ben, 'delete', deleted)
  for (const clone of [ann, ben, ann]) gza(clone, 'sync')
  const places = [ann, ben].map((clone) => listAll(clone, '--all-branches').map(({ ledger, id }) => [ledger, id]))
  expect(places[0]).toEqual(places[1] as string[][])
  expect(places[0]).toHaveLength(1)
})

test('a remote gets both ledgers or none; one that cannot do that gets the target first', () => {
  const { ann, remote } = twoClones()
  const id = add(ann, 'moves')
  gza(ann, 'sync')
  gza(ann, 'move', id, '--to', 'feature')
  remote.write('hooks/update', '#!/bin/sh\n[ "$1" != refs/tasks/main ]\n')
  chmodSync(join(remote.dir, 'hooks/update'), 0o755)
  expect(ann.gza('sync').code).toBe(1)
  expect(ledgersOf(remote)).toEqual(['main'])
  remote.git('config', 'receive.advertiseAtomic', 'false')
  expect(ann.gza('sync').code).toBe(1)
  expect(ledgersOf(remote)).toEqual(['feature', 'main'])
  remote.write('hooks/update', '#!/bin/sh\nexit 0\n')
  gza(ann, 'sync')
  expect(treeOf(remote)).toBe(treeOf(ann))
})

function twoClones(): { ann: Repo; ben: Repo; remote: Repo } {
  const remote = aRepo({ bare: true })
  const ann = remote.clone()
  ann.commit('first')
  for (const branch of ['feature', 'other']) ann.git('branch', branch)
  ann.git('push', '--quiet', 'origin', 'main', 'feature', 'other')
  return { ann, ben: remote.clone(), remote }
}
