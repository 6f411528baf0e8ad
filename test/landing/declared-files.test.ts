import { expect, test } from 'bun:test'
import { aReviewRepo } from '../runs/review-cycles/review-repo.ts'
import { anAgentRepo } from '../support/scripted-agent.ts'

const ACT = 'save a.txt "$title"; save b.txt "$title"; save package-lock.json "{}"; commit sub/c.txt x'

test('files outside of the list are reported with the run, in show, in the queue and before landing', () => {
  const repo = anAgentRepo({ else: ACT })
  repo.add('one', '--files-to-modify', 'a.txt,package.json', '--files-to-create', 'sub')
  repo.add('free')
  const work = repo.gza('work')
  expect([work.code, work.stdout]).toEqual([
    0,
    expect.stringContaining('✓ Task #1 completed\n  outside of its files: b.txt\n'),
  ])
  expect(repo.calls()[0]?.prompt).toContain('Files to modify:\n- a.txt\n- package.json\n')
  expect(repo.calls()[0]?.prompt).toContain('If you need to change other files too, name them and the reason')
  expect(repo.task('1').runs.map(({ outside }) => outside)).toEqual([['b.txt']])
  expect(repo.gza('show', '1').stdout).toContain('outside: b.txt\n')
  expect(repo.gza('queue').stdout).toContain('outside of its files: b.txt')
  expect(JSON.parse(repo.gza('queue', '--json').stdout)).toMatchObject([
    { number: 1, code: 'READY', outside: ['b.txt'] },
  ])
  expect(repo.gza('merge', '1', '--dry-run').stdout).toContain(
    'Task #1 changes b.txt, which its list of files does not name (OUT_OF_SCOPE)',
  )
  expect(repo.gza('merge', '1').code).toBe(0)
  // A task that declares nothing has no limits.
  expect(repo.gza('work').stdout).not.toContain('outside')
  expect(repo.task('2').runs[0]?.outside).toBeUndefined()
})

test('with scope: ask such work does not land unattended and is in the inbox, until it is landed or declared', () => {
  const repo = anAgentRepo({ else: 'commit "$title.txt" x' }, { config: { land: 'merge', scope: 'ask' } })
  for (const title of ['one', 'two', 'three']) repo.add(title, '--files-to-create', 'one.txt')
  expect(repo.gza('work', '--all').code).toBe(0)
  const landed = () => ['1', '2', '3'].map((ref) => repo.task(ref).landings.length)
  expect(landed()).toEqual([1, 0, 0])
  type Entry = ReturnType<typeof repo.inbox>[number]
  const byNumber = (a: Entry, b: Entry) => Number(a.task?.number) - Number(b.task?.number)
  expect(repo.inbox().sort(byNumber)).toMatchObject([
    {
      task: { number: 2 },
      code: 'OUT_OF_SCOPE',
      detail: 'it changes two.txt, which its list of files does not name',
      commands: ['gza diff 2', 'gza edit 2 --files-to-modify PATH', 'gza merge 2'],
    },
    { task: { number: 3 }, code: 'OUT_OF_SCOPE' },
  ])
  expect(repo.gza('edit', '2', '--files-to-modify', 'two.txt').code).toBe(0)
  repo.gza('work', '--all')
  expect(landed()).toEqual([1, 1, 0])
  expect(repo.gza('merge', '3').code).toBe(0)
  expect([landed(), repo.inbox()]).toEqual([[1, 1, 1], []])
})

test('with scope: report it lands, and a reviewer is told which files the task does not name', () => {
  const implement = 'save b.txt x; commit a.txt x'
  const repo = aReviewRepo(['APPROVED'], { implement }, { config: { land: 'merge', scope: 'report' } })
  repo.add('one', '-a', '--files-to-modify', 'a.txt')
  expect(repo.gza('work').stdout).toContain('outside of its files: b.txt')
  expect(repo.task('1').landings).toHaveLength(1)
  expect(repo.promptOf('review 1')).toMatch(
    /^--- BEGIN changed files that the task does not name: judge .* ---\nb\.txt\n--- END/m,
  )
})

test('a scope that is none is an error with the right ones', () => {
  const repo = anAgentRepo({}, { config: { scope: 'never' } })
  const { code, stderr } = repo.gza('config')
  expect([code, stderr]).toEqual([1, expect.stringContaining('must be one of report, ask')])
})
