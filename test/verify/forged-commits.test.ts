import { expect, test } from 'bun:test'
import { largeFile } from '../../src/core/ledger/file-layout.ts'
import type { Edit, Task } from '../../src/core/task/task.ts'
import { commitFiles, type Rewrite } from '../support/handmade-commits.ts'
import {
  ARTIFACT,
  anAuditedRepo,
  auditedRepo,
  CLOSED,
  changing,
  EDITED,
  goOn,
  LARGE,
  NOTED,
  PLAIN,
  verify,
} from './audited-repo.ts'

const edit = (value: unknown, field: Edit['field'] = 'content'): Edit => ({
  field,
  n: 1,
  at: '2026-01-01T00:00:00Z',
  by: 'x',
  value,
})

/** An edit of the content as gza itself would write it. */
const edited = (task: Task): Task => ({ ...task, content: 'forged', original: task.content, edits: [edit('forged')] })

type Forgery = [what: string, why: RegExp, rewrite: Rewrite, mode?: string | null]

const FORGERIES: Forgery[] = [
  [
    'content changed without an edit',
    /content does not match its id/,
    changing(PLAIN, (task) => ({ ...task, content: 'forged' })),
  ],
  [
    'content changed without an edit, the first content kept aside',
    /content changed without an edit/,
    changing(PLAIN, (task) => ({ ...task, content: 'forged', original: task.content })),
  ],
  ['content edited by an agent', /content edited in agent mode/, changing(PLAIN, edited), 'agent'],
  ['content edited in a commit that says no mode', /content edited in agent mode/, changing(PLAIN, edited), null],
  [
    'content edited in a commit that says two modes',
    /content edited in agent mode/,
    changing(PLAIN, edited),
    'human\nMode: agent',
  ],
  [
    'content edited in a commit of an unknown mode',
    /content edited in agent mode/,
    changing(PLAIN, edited),
    'superuser',
  ],
  [
    'content of an edited task changed back',
    /an edit vanished/,
    changing(EDITED, (task) => ({ ...task, content: task.original, original: undefined, edits: [] })),
  ],
  [
    'an edit rewritten',
    /content changed|edit vanished|fact vanished/,
    changing(EDITED, (task) => ({ ...task, content: 'forged', edits: [edit('forged')] })),
  ],
  [
    'group changed without an edit',
    /group changed without an edit/,
    changing(PLAIN, (task) => ({ ...task, group: 'z' })),
  ],
  [
    'group set back without an edit',
    /group changed without an edit/,
    changing(PLAIN, (task) => ({ ...task, group: 'a' })),
  ],
  [
    'priority set without an edit',
    /priority changed without an edit/,
    changing(PLAIN, (task) => ({ ...task, priority: 'low' })),
  ],
  [
    'a dependency added without an edit',
    /after changed without an edit/,
    changing(PLAIN, (task) => ({ ...task, after: `task-${task.uid}` })),
  ],
  [
    'a task deleted without an edit',
    /deleted changed without an edit/,
    changing(PLAIN, (task) => ({ ...task, deleted: true })),
  ],
  [
    'a task deleted by an agent',
    /deleted in agent mode/,
    changing(PLAIN, (task) => ({ ...task, deleted: true, edits: [edit(true, 'deleted')] })),
    'agent',
  ],
  ['a task removed', /vanished/, changing(PLAIN, () => null)],
  ['a large task removed', /vanished/, changing(LARGE, () => null)],
  [
    'a note removed',
    /a note vanished or was changed/,
    changing(NOTED, (task) => ({ ...task, notes: task.notes.slice(1) })),
  ],
  [
    'a note changed',
    /a note vanished or was changed/,
    changing(NOTED, (task) => ({ ...task, notes: task.notes.map((note) => ({ ...note, text: 'forged' })) })),
  ],
  [
    'a note given to another author',
    /a note vanished or was changed/,
    changing(NOTED, (task) => ({ ...task, notes: task.notes.map((note) => ({ ...note, by: 'Zoe' })) })),
  ],
  [
    'a note retracted by an agent',
    /a note retracted in agent mode/,
    changing(NOTED, (task) => ({ ...task, notes: task.notes.map((note) => ({ ...note, retracted: true })) })),
    'agent',
  ],
  [
    'a status set back',
    /status went back from completed to pending/,
    changing(CLOSED, (task) => ({ ...task, status: 'pending', closed_at: null, closed_commit: null })),
  ],
  [
    'a task opened again by an agent',
    /reopened in agent mode/,
    changing(CLOSED, (task) => ({
      ...task,
      status: 'pending',
      generation: 1,
      closed_at: null,
      closed_commit: null,
      link: 0,
      closed_by: undefined,
    })),
    'agent',
  ],
  [
    'a closing taken over by an agent',
    /changed in agent mode/,
    changing(CLOSED, (task) => ({ ...task, closed_at: '2020-01-01T00:00:00Z' })),
    'agent',
  ],
  [
    'the commit of a closing removed',
    /fact vanished|status went back/,
    changing(CLOSED, (task) => ({ ...task, closed_commit: null, link: 0, commits: [] })),
  ],
  ['the linked commits forgotten', /fact vanished/, changing(CLOSED, (task) => ({ ...task, commits: [] }))],
  ['an author changed', /content does not match its id/, changing(PLAIN, (task) => ({ ...task, created_by: 'Zoe' }))],
  [
    'a date of filing changed',
    /content does not match its id/,
    changing(PLAIN, (task) => ({ ...task, created_at: '2020-01-01T00:00:00Z' })),
  ],
  ['a number changed', /its number changed/, changing(PLAIN, (task) => ({ ...task, number: 77 }))],
  [
    'a uid that is not its own',
    /content does not match its id|vanished/,
    changing(PLAIN, (task) => ({ ...task, uid: 'f'.repeat(40) })),
  ],
  ['an id of other digits', /vanished/, changing(PLAIN, (task) => ({ ...task, id: 'task-ffff' }))],
  [
    'a second line for the same task',
    /filed a second time/,
    (text) => `${text}${JSON.stringify({ ...JSON.parse(text.split('\n', 1)[0] ?? ''), status: 'skipped' })}\n`,
  ],
  ['a line garbled', /vanished/, (text) => text.replace('"content":"plain"', '"content:"plain"')],
  ['a line that is no task', /a line that cannot be read/, (text) => `${text}{"hello":"world"}\n`],
  ['all lines removed', /vanished/, () => ''],
  ['the whole file removed', /vanished/, () => null],
]

for (const [what, why, rewrite, mode] of FORGERIES) {
  test(`${what}: the commit is named`, () => expectFound({ 'tasks.jsonl': rewrite }, why, mode))
}

test.each<[string, Record<string, Rewrite>, RegExp]>([
  ['an artifact changed', { [ARTIFACT]: () => 'Another plan\n' }, /artifacts\/x\/plan\.md: changed or vanished/],
  ['an artifact removed', { [ARTIFACT]: () => null }, /artifacts\/x\/plan\.md: changed or vanished/],
  [
    'a new task with a uid that does not match',
    {
      'tasks.jsonl': (text) =>
        `${text}${text.split('\n')[PLAIN]?.replace(/"uid":"[^"]*"/, `"uid":"${'e'.repeat(40)}"`)}\n`,
    },
    /its id does not match its uid/,
  ],
])('%s: the commit is named', (_, files, why) => {
  expectFound(files, why)
})

test('the text of a large task, which is in a file of its own, is held to the same rules', () => {
  const uidOf = (text: string) => JSON.parse(text.split('\n')[LARGE]!).uid as string
  for (const [rewrite, why] of [
    [(text: string) => text.replace('large xx', 'forged x'), /content does not match its id/],
    [() => null, /vanished/],
    [() => 'garbled\n', /vanished|cannot be read/],
  ] as const) {
    const repo = anAuditedRepo()
    const path = largeFile(uidOf(repo.git('cat-file', 'blob', 'refs/tasks/main:tasks.jsonl')))
    const forged = commitFiles(repo, { [path]: rewrite })
    goOn(repo)
    expect(verify(repo)).toMatchObject({
      code: 1,
      report: { first_bad: { commit: forged, detail: expect.stringMatching(why), author: expect.any(String) } },
    })
  }
})

test('of several bad commits the first is named first, and all are listed', () => {
  const repo = anAuditedRepo()
  const bad = [PLAIN, NOTED, CLOSED].map((place) => {
    const commit = commitFiles(repo, { 'tasks.jsonl': changing(place, (task) => ({ ...task, created_by: 'Zoe' })) })
    goOn(repo)
    return commit
  })
  const { code, report } = verify(repo)
  expect([code, report.ok, report.first_bad?.commit]).toEqual([1, false, bad[0]!])
  expect(report.problems.map(({ commit }) => commit)).toEqual(bad)
  const lines = repo.gza('verify').stdout.split('\n')
  expect(lines[0]).toMatch(/^main: NOT OK \(\d+ commits, \d+ tasks\)$/)
  expect(lines[1]).toMatch(new RegExp(`^  first bad commit: ${bad[0]!.slice(0, 7)} by .+: task-[0-9a-f]+: `))
  expect(lines.slice(2, 4).map((line) => line.slice(2, 9))).toEqual(bad.slice(1).map((commit) => commit.slice(0, 7)))
})

test('a forgery is found in a SHA-256 repository too', () => {
  const repo = auditedRepo({ objectFormat: 'sha256' })
  const forged = commitFiles(repo, { 'tasks.jsonl': changing(PLAIN, (task) => ({ ...task, content: 'forged' })) })
  expect(verify(repo).report.first_bad?.commit).toBe(forged)
})

test('what a person may do by hand, recorded as gza records it, is not a forgery', () => {
  const repo = anAuditedRepo()
  commitFiles(repo, { 'tasks.jsonl': changing(PLAIN, edited) }, { mode: 'human' })
  expect(verify(repo)).toMatchObject({ code: 0, report: { ok: true, first_bad: null, problems: [] } })
})

function expectFound(files: Record<string, Rewrite>, why: RegExp, mode?: string | null): void {
  const repo = anAuditedRepo()
  const forged = commitFiles(repo, files, { mode: mode === undefined ? 'human' : mode })
  goOn(repo)
  const { code, report } = verify(repo)
  expect({ code, ok: report.ok, first_bad: report.first_bad }).toEqual({
    code: 1,
    ok: false,
    first_bad: { commit: forged, detail: expect.stringMatching(why), author: expect.any(String) },
  })
}
