import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { FORMAT, FORMAT_FILE, TAIL_FILE } from '../../src/core/ledger/file-layout.ts'
import { taskLine } from '../../src/core/ledger/task-line.ts'
import { addNote } from '../../src/core/task/operations.ts'
import { taskWithPrefix } from '../support/handmade-commits.ts'
import { add, aStartedRepo, gza } from '../support/ledger-calls.ts'
import { act, anyCloneAction, threeClones } from '../sync/arbitrary-clone-work.ts'
import { collectFacts } from '../sync/collected-facts.ts'
import { verify } from './audited-repo.ts'

test('100 writes of all kinds, syncs, imports, undos and agents among them, leave nothing to object to', async () => {
  const team = threeClones()
  const deeds = fc.sample(anyCloneAction, { numRuns: 150, seed: 7 })
  for (const [i, deed] of deeds.entries()) await act(team, i % 3, deed, collectFacts())
  const [repo] = team.clones
  const agent = repo!.withEnv({ ZAGI_AGENT: 'claude-code' })
  const id = add(agent, 'by an agent')
  gza(agent, 'note', id, 'a note')
  gza(agent, 'done', id)
  repo!.run(['gza', 'import', '-'], { stdin: '- [ ] one\n  - [x] two\n- [ ] three\n' })
  for (const args of [['undo'], ['undo'], ['edit', id, '--reopen'], ['delete', id], ['undo']]) gza(repo!, ...args)
  for (const clone of [...team.clones, ...team.clones]) gza(clone, 'sync')
  for (const clone of team.clones) {
    const { code, report } = verify(clone)
    expect(code).toBe(0)
    expect(report).toMatchObject({ ok: true, first_bad: null, problems: [] })
    expect(report.commit_count).toBeGreaterThan(100)
    expect(report.witnesses).toContainEqual(expect.objectContaining({ name: 'remote origin', state: 'agrees' }))
  }
})

test('an empty repository has nothing to verify', () => {
  expect(aStartedRepo().gza('verify')).toEqual({ code: 0, stdout: 'main: ok (0 commits, 0 tasks)\n', stderr: '' })
})

test('a history of 2,000 commits is verified', () => {
  const repo = aStartedRepo()
  const result = repo.run(['git', 'fast-import', '--quiet'], { stdin: notesOneByOne(2000) })
  expect(result).toMatchObject({ code: 0, stderr: '' })
  expect(verify(repo)).toMatchObject({ code: 0, report: { ok: true, commit_count: 2001, task_count: 40 } })
})

/** A history for fast-import: 40 tasks in the first commit, then a note in each. */
function notesOneByOne(count: number): string {
  const tasks = Array.from({ length: 40 }, (_, i) => ({
    ...taskWithPrefix(String(i).padStart(2, '0'), i % 10),
    number: i + 1,
  }))
  const commits = [importCommit(0, tasks.map(taskLine))]
  for (let n = 1; n <= count; n++) {
    const place = n % tasks.length
    const authorship = { at: '2026-01-02T00:00:00Z', by: 'Test' }
    tasks[place] = addNote(tasks[place]!, `note ${n}`, authorship, n.toString(16).padStart(8, '0'))
    commits.push(importCommit(n, tasks.map(taskLine)))
  }
  return commits.join('')
}

function importCommit(n: number, lines: string[]): string {
  const message = `note ${n}\n\nActor: Test\nMode: human\n`
  const text = `${lines.join('\n')}\n`
  const format = n === 0 ? `M 100644 inline ${FORMAT_FILE}\n${data(`${FORMAT}\n`)}` : ''
  return `commit refs/tasks/main\ncommitter T <t@e> ${1700000000 + n} +0000\n${data(message)}${format}M 100644 inline ${TAIL_FILE}\n${data(text)}\n`
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`
}

test('what others write while the history is read is not taken for lost', async () => {
  const repo = aStartedRepo()
  add(repo, 'first')
  const writers = Array.from({ length: 12 }, (_, i) => repo.start(['gza', 'add', `task ${i}`]))
  const reports = await Promise.all(Array.from({ length: 12 }, () => repo.start(['gza', 'verify'])))
  for (const { code, stdout } of reports) expect({ code, stdout }).toEqual({ code: 0, stdout })
  for (const { code } of await Promise.all(writers)) expect(code).toBe(0)
})
