import { expect, test } from 'bun:test'
import type { Task } from '../../src/core/task/task.ts'
import { commitFiles, type Rewrite } from '../support/handmade-commits.ts'
import { add, aStartedRepo, gza, tipOf } from '../support/ledger-calls.ts'
import type { Repo } from '../support/repo.ts'
import { changing, verify } from './audited-repo.ts'

const [OURS, THEIRS] = [0, 1]
const PARENTS = ['refs/tasks/main^1', 'refs/tasks/main^2']

const FORGERIES: [what: string, why: RegExp, rewrite: Rewrite, mode?: string | null][] = [
  ['content changed', /content does not match its id/, changing(OURS, (task) => ({ ...task, content: 'forged' }))],
  ['content edited by an agent', /content edited in agent mode/, changing(THEIRS, edited), 'agent'],
  ['content edited without a mode', /content edited in agent mode/, changing(OURS, edited), null],
  ['a note of ours left out', /a note vanished/, changing(OURS, (task) => ({ ...task, notes: [] }))],
  ['a note of theirs left out', /a note vanished/, changing(THEIRS, (task) => ({ ...task, notes: [] }))],
  ['a task of ours left out', /vanished/, changing(OURS, () => null)],
  ['a task of theirs left out', /vanished/, changing(THEIRS, () => null)],
]

for (const [what, why, rewrite, mode = 'human'] of FORGERIES) {
  test(`${what} under cover of a merge: the merge is named`, () => {
    expectFound(aJoinedRepo(), { 'tasks.jsonl': rewrite }, why, mode)
  })
}

test('a line that cannot be read, brought in by a merge: the merge is named', () => {
  expectFound(aJoinedRepo(), { 'tasks.jsonl': (text) => `${text}{"hello"\n` }, /a line that cannot be read/)
})

test.each<[string, Rewrite]>([
  ['changed', () => 'Another plan\n'],
  ['left out', () => null],
])('an artifact %s under cover of a merge: the merge is named', (_, rewrite) => {
  for (const artifact of ['ours', 'theirs']) {
    expectFound(aJoinedRepo(), { [`artifacts/${artifact}.md`]: rewrite }, /^artifacts\/.*: changed or vanished$/)
  }
})

test('a join made by hand that holds what both had is not a forgery, whatever mode it names', () => {
  for (const mode of ['human', 'agent', null]) {
    const repo = aJoinedRepo()
    commitFiles(repo, {}, { mode, parents: PARENTS })
    expect(verify(repo).report.first_bad).toBeNull()
  }
})

test('an artifact of which both sides had another text is not a forgery: the join kept both', () => {
  const [repo, other] = twoClones()
  add(repo, 'a task')
  gza(repo, 'sync')
  gza(other, 'sync')
  commitFiles(repo, { 'artifacts/plan.md': () => 'ours\n' })
  commitFiles(other, { 'artifacts/plan.md': () => 'theirs\n' })
  gza(other, 'sync')
  gza(repo, 'sync')
  expect(verify(repo)).toMatchObject({ code: 0, report: { ok: true } })
  expectFound(repo, { 'artifacts/plan.md': () => 'neither\n' }, /^artifacts\/plan\.md: changed or vanished$/)
})

function edited(task: Task): object {
  const edit = { field: 'content', n: 1, at: '2026-01-01T00:00:00Z', by: 'x', value: 'forged' }
  return { ...task, content: 'forged', original: task.content, edits: [edit] }
}

/** Its ledger ends with a join of two histories; each side has a task with a note and an artifact. */
function aJoinedRepo(): Repo {
  const [ours, theirs] = twoClones()
  for (const [repo, name, at] of [
    [ours, 'ours', '10'],
    [theirs, 'theirs', '11'],
  ] as const) {
    const line = { content: name, created_at: `2026-01-01T${at}:00:00Z`, notes: ['a note'] }
    repo.run(['gza', 'import', '-'], { stdin: `${JSON.stringify(line)}\n` })
    commitFiles(repo, { [`artifacts/${name}.md`]: () => `${name}\n` })
  }
  gza(theirs, 'sync')
  gza(ours, 'sync')
  return ours
}

function twoClones(): [Repo, Repo] {
  const origin = aStartedRepo()
  return [origin.clone(), origin.clone()]
}

/** Replaces the join at the tip by a forged one of the same parents. */
function expectFound(repo: Repo, files: Record<string, Rewrite>, why: RegExp, mode: string | null = 'human'): void {
  const honest = tipOf(repo)
  const forged = commitFiles(repo, files, { mode, parents: PARENTS })
  add(repo, 'honest work')
  const { code, report } = verify(repo)
  expect({ code, first_bad: report.first_bad }).toEqual({
    code: 1,
    first_bad: { commit: forged, detail: expect.stringMatching(why), author: expect.any(String) },
  })
  expect(report.witnesses[0]).toMatchObject({ name: 'reflog', detail: expect.stringContaining(honest.slice(0, 7)) })
}
