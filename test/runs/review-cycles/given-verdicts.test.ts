import { expect, test } from 'bun:test'
import { aReviewRepo } from './review-repo.ts'

test("a person's verdict is about the commit that is there, and no longer counts once the branch has moved", () => {
  const repo = aReviewRepo(['CHANGES_REQUESTED - not yet'], {}, { config: { land: 'merge' } })
  repo.add('feature', '-a', '--max-cycles', '1')
  repo.gza('work')
  const { branch } = repo.task('1')
  const head = repo.git('rev-parse', '--short=7', String(branch))
  repo.gza('edit', '1', '--verdict', 'APPROVED')
  expect(repo.gza('show', '1').stdout).toContain(`verdict: APPROVED (by Test, for ${head})\n`)
  const tree = repo.git('rev-parse', `${branch}^{tree}`)
  const moved = repo.git('commit-tree', '-p', String(branch), '-m', 'by hand', tree)
  repo.git('update-ref', `refs/heads/${branch}`, moved)
  const now = moved.slice(0, 7)
  expect(repo.gza('show', '1').stdout).toContain(
    `verdict: APPROVED (by Test, for ${head}), which no longer counts: the work is at ${now} now\n`,
  )
  const outdated = `was approved by Test at ${head}, and is at ${now} now`
  expect(repo.gza('queue').stdout).toContain(outdated)
  expect(repo.inbox()).toMatchObject([
    {
      code: 'NOT_APPROVED',
      detail: `it ${outdated}`,
      commands: ['gza review 1', 'gza merge 1'],
    },
  ])
  // What a person has committed on top was judged by nobody.
  expect(repo.gza('edit', '1', '--verdict', 'APPROVED')).toEqual({
    code: 1,
    stdout: '',
    stderr: `Error: No reviewer has judged #1 at ${now}; your verdict takes the place of a review
  gza review 1 has it judged. gza merge 1 lands it without a review.
`,
  })
  repo.git('update-ref', `refs/heads/${branch}`, `${moved}^`)
  expect(repo.gza('queue').stdout).toContain('READY')
})

test('a verdict on landed work is about the commits in the base that the review judged', () => {
  const repo = aReviewRepo(['CHANGES_REQUESTED - not yet'])
  repo.add('feature')
  repo.gza('work')
  repo.commit('meanwhile', { 'other.txt': '' })
  repo.gza('merge', '1', '--cherry-pick')
  expect(repo.gza('edit', '1', '--verdict', 'APPROVED').stderr).toStartWith('Error: No reviewer has judged #1 at ')
  repo.gza('review', '1')
  expect(repo.inbox()).toMatchObject([{ task: { number: 2 }, code: 'CHANGES_REQUESTED' }])
  expect(repo.gza('edit', '1', '--verdict', 'APPROVED').code).toBe(0)
  expect(repo.inbox()).toEqual([])
  const head = repo.git('rev-parse', '--short=7', 'main')
  expect(repo.gza('show', '1').stdout).toContain(`verdict: APPROVED (by Test, for ${head})\n`)
})

test('a verdict is refused where there is no finished commit that a reviewer has judged, with the next step', () => {
  const repo = aReviewRepo(['APPROVED'])
  repo.add('A plan', '-t', 'plan')
  repo.add('Not done')
  repo.add('Done by word')
  repo.gza('done', '3')
  repo.add('feature', '--review')
  repo.gza('work', '4')
  repo.add('unseen')
  repo.gza('work', '6')
  const refused = (ref: string, ...flags: string[]) => {
    const { code, stderr } = repo.gza('edit', ref, '--verdict', 'APPROVED', ...flags)
    return [code, ...stderr.trimEnd().split('\n')]
  }
  expect(refused('1')).toEqual([
    1,
    'Error: Task #1 makes a text and no commit, so that a verdict has nothing to judge',
    '  gza show 1 --text',
  ])
  expect(refused('2')).toEqual([1, 'Error: Task #2 is pending; a verdict is given on finished work', '  gza why 2'])
  expect(refused('3')).toEqual([1, 'Error: Task #3 has no commit that a verdict could be about', '  gza show 3'])
  expect(refused('5')).toEqual([
    1,
    'Error: Task #5 is a review; a verdict is given on the work that it judged',
    '  gza edit 4 --verdict APPROVED',
  ])
  expect(refused('6')).toEqual([
    1,
    expect.stringMatching(
      /^Error: No reviewer has judged #6 at [0-9a-f]{7}; your verdict takes the place of a review$/,
    ),
    '  gza review 6 has it judged. gza merge 6 lands it without a review.',
  ])
  expect(refused('4', '--reopen')[0]).toBe(2)
  expect(repo.gza('edit', '4', '--verdict', 'APPROVED').code).toBe(0)
})

test('a review of what makes no commits is refused, when it is filed and when it is edited', () => {
  const repo = aReviewRepo(['APPROVED'])
  for (const [type, article] of [
    ['plan', 'A'],
    ['explore', 'An'],
    ['review', 'A'],
  ]) {
    const { code, stderr } = repo.gza('add', 'text', '-t', String(type), '--review')
    expect([code, stderr]).toEqual([
      2,
      `Error: ${article} ${type} task makes no commits to review\n  gza add --type implement --review\n`,
    ])
  }
  repo.add('reviewed', '--review')
  repo.add('text', '-t', 'plan')
  const changed = repo.gza('edit', '1', '-t', 'plan')
  expect([changed.code, changed.stderr]).toEqual([
    2,
    'Error: A plan task makes no commits to review\n  gza edit 1 --no-review\n',
  ])
  expect(repo.gza('edit', '2', '--review').stderr).toContain('A plan task makes no commits to review')
  expect(repo.gza('edit', '2', '--auto-review').code).toBe(2)
  expect(repo.tasks('edit', '1', '-t', 'plan', '--no-review').code).toBe(0)
  expect([repo.task('1').create_review, repo.task('2').create_review]).toEqual([false, false])
})

test('a review task that asks for changes is in the inbox with its first blocker, until somebody acts on it', () => {
  const repo = aReviewRepo(['CHANGES_REQUESTED - feature.txt:1 is empty'], {}, { config: { land: 'merge' } })
  const entries = () => repo.inbox().map(({ task, code, detail }) => [task?.number, code, detail])
  repo.add('feature', '--review')
  repo.gza('work')
  expect(repo.inbox()).toEqual([
    {
      task: { number: 2, id: repo.task('2').id, title: 'Review feature', status: 'completed' },
      code: 'CHANGES_REQUESTED',
      detail: '#1: feature.txt:1 is empty',
      commands: ['gza improve 1 --review', 'gza edit 1 --verdict APPROVED', 'gza show 2 --text'],
      ...{ subject: null, cycle_texts: [] },
    },
  ])
  repo.gza('improve', '1', '--review')
  expect(entries()).toEqual([[4, 'CHANGES_REQUESTED', '#3: feature.txt:1 is empty']])
  repo.gza('edit', '3', '--verdict', 'APPROVED')
  expect(entries()).toEqual([])
})

test('with wait_for_discussion what depends on discussed work waits for the decision of a person', () => {
  const repo = aReviewRepo(
    ['NEEDS_DISCUSSION - is it wanted?'],
    { implement: 'commit "$title.txt" x' },
    { defaults: { wait_for_discussion: true } },
  )
  repo.add('first', '-a')
  repo.add('second', '--after', '1')
  repo.add('third')
  repo.gza('work', '--all')
  expect(repo.statuses()).toEqual({ first: 'completed', second: 'pending', third: 'completed' })
  const why = JSON.parse(repo.gza('why', '2', '--json').stdout)
  expect([why.code, JSON.stringify(why)]).toEqual([
    'NEEDS_DISCUSSION',
    expect.stringContaining('a review of #1 wants a discussion; gza edit 1 --verdict APPROVED ends it'),
  ])
  repo.gza('edit', '1', '--verdict', 'APPROVED')
  expect(repo.gza('work', '--all').code).toBe(0)
  expect(repo.statuses()).toEqual({ first: 'completed', second: 'completed', third: 'completed' })
  const free = aReviewRepo(['NEEDS_DISCUSSION - is it wanted?'], { implement: 'commit "$title.txt" x' })
  free.add('first', '-a')
  free.add('second', '--after', '1')
  free.gza('work', '--all')
  expect(free.statuses()).toEqual({ first: 'completed', second: 'completed' })
})

test('wait_for_discussion of a task type holds only what is of that type', () => {
  const repo = aReviewRepo(
    ['NEEDS_DISCUSSION - is it wanted?'],
    { implement: 'commit "$title.txt" x' },
    { config: { task_types: { implement: { wait_for_discussion: true } } } },
  )
  repo.add('first', '-a')
  repo.add('held', '-t', 'implement', '--after', '1')
  repo.add('free', '--after', '1')
  repo.gza('work', '--all')
  expect(repo.statuses()).toEqual({ first: 'completed', held: 'pending', free: 'completed' })
  expect([repo.why('2'), repo.why('3')]).toEqual(['NEEDS_DISCUSSION', 'COMPLETED'])
  expect(repo.gza('config', 'task_types.implement.wait_for_discussion').stdout).toMatch(/ true +gza\.yaml:\d+\n$/)
  // A task that a person names starts.
  expect(repo.gza('work', '2').code).toBe(0)
})
