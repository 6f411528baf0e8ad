import { expect, test } from 'bun:test'
import { aReviewRepo } from '../runs/review-cycles/review-repo.ts'
import { outputOf } from '../support/ledger-answers.ts'
import { commitOn, configure, done, subjects } from './finished-tasks.ts'

/** Its first commit is what the base does too, the second continues from there: as a whole they conflict. */
const IN_TWO_STEPS = 'commit a.txt A; commit a.txt B'

for (const method of ['merge', 'squash'] as const) {
  test(`work that clashes as a whole lands by a rebase of its commits (${method})`, () => {
    const repo = done(['one'], { one: IN_TWO_STEPS }, { files: { 'a.txt': 'first\n' } })
    const { id, branch } = repo.task('1')
    const before = repo.git('rev-parse', branch as string)
    repo.commit('the same', { 'a.txt': 'A\n' })
    expect(outputOf(repo.gza('merge', '1', `--${method}`))).toStartWith('✓ Task #1 landed on main')
    expect(repo.git('show', 'main:a.txt')).toBe('B')
    const subject = method === 'merge' ? `Merge ${id}: one` : 'one'
    expect(subjects(repo, '--first-parent')).toEqual([subject, 'the same', 'first'])
    const after = repo.git('rev-parse', branch as string)
    expect(repo.task('1').landings).toMatchObject([{ outcome: 'landed', head: before, rebased: after }])
    expect(repo.git('rev-parse', `${branch}@{1}`)).toBe(before)
    expect(subjects(repo, `main~1..${branch}`)).toEqual(['one: a.txt'])
    expect(repo.gza('queue', '--json').stdout).toBe('[]\n')
  })
}

test('a branch that a person has checked out stays where it is, whatever lands of it', () => {
  const repo = done(['one'], { one: IN_TWO_STEPS }, { files: { 'a.txt': 'first\n' } })
  const branch = repo.task('1').branch as string
  const before = repo.git('rev-parse', branch)
  repo.commit('the same', { 'a.txt': 'A\n' })
  repo.git('worktree', 'add', '-q', repo.beside('mine'), branch)
  outputOf(repo.gza('merge', '1', '--squash'))
  expect(repo.git('rev-parse', branch)).toBe(before)
  expect(repo.git('-C', repo.beside('mine'), 'status', '--porcelain')).toBe('')
  expect(repo.gza('queue', '--json').stdout).toBe('[]\n')
})

test('two works that clash with each other: the first lands, the second goes back and says with what', () => {
  const repo = done(['one', 'two', 'three'], { one: 'commit a.txt 1', two: 'commit a.txt 2' })
  const result = repo.gza('merge', '--all', '--cherry-pick')
  expect(result.stdout).toBe(
    [
      '✓ Task #1 landed on main (1 commit)\n✓ Task #3 landed on main (1 commit)\n',
      'Task #2 is sent back: conflicts in a.txt\n',
    ].join(''),
  )
  const { status, landings } = repo.task('2')
  expect(status).toBe('pending')
  expect(landings).toMatchObject([{ outcome: 'conflict', base: 'main', onto: repo.git('rev-parse', 'main') }])
  expect(landings[0]?.detail).toStartWith('conflicts in a.txt\nCONFLICT (add/add)')
  expect(repo.gza('merge', '2').stdout).toBe('Task #2 was sent back: conflicts in a.txt (SENT_BACK)\n')
  expect(JSON.parse(repo.gza('queue', '--json').stdout)).toMatchObject([{ number: 2, code: 'SENT_BACK' }])
})

test('with land_attempts: 0 nothing goes back: a person decides', () => {
  const repo = done(['one', 'two'], { one: 'commit a.txt 1', two: 'commit a.txt 2' })
  configure(repo, { land_attempts: 0 })
  expect(repo.gza('merge', '--all').stdout).toContain('Task #2 cannot land, see gza inbox: conflicts in a.txt')
  expect(repo.task('2').status).toBe('completed')
  expect(repo.inbox()).toEqual([
    {
      task: { number: 2, id: repo.task('2').id, title: 'two', status: 'completed' },
      code: 'LAND_CONFLICT',
      detail: 'it did not land: conflicts in a.txt',
      commands: ['gza diff 2', 'gza edit 2 --reopen', 'gza merge 2'],
      ...{ subject: null, cycle_texts: [] },
    },
  ])
  commitOn(repo, repo.task('2').branch, 'a.txt', '1\n')
  expect(outputOf(repo.gza('merge', '2', '--squash'))).toContain('Task #2 landed')
  expect(repo.inbox()).toEqual([])
})

test('work that was sent back is reviewed again before it lands', () => {
  const implement = [
    'if grep -q "could not land" <<<"$prompt"; then',
    '  git merge -q -X ours "$(sed -n "s/.*(git merge \\([0-9a-f]*\\)).*/\\1/p" <<<"$prompt")"',
    'else',
    '  commit feature.txt mine',
    // A person commits to the same file meanwhile, in a checkout that a box would hide.
    // The shim is first on the agent's PATH; a person's git is behind it.
    '  rest=$(echo "$PATH" | cut -d: -f2-)',
    '  (cd "$MAIN" && echo theirs >feature.txt && git add . && PATH=$rest env -u GIT_CONFIG_COUNT git commit -qm theirs)',
    'fi',
  ].join('\n')
  const repo = aReviewRepo(['APPROVED'], { implement }, { config: { land: 'merge' }, isolation: 'off' })
  repo.add('one', '--auto-review')
  const { stdout } = repo.withEnv({ MAIN: repo.dir }).run(['gza', 'work', '--all'])
  expect(stdout).toContain('Task #1 is sent back: conflicts in feature.txt')
  expect(repo.acted()).toEqual(['implement', 'review 1', 'implement', 'review 1'])
  expect(repo.git('show', 'main:feature.txt')).toBe('mine')
  const { phases, landings } = repo.task('1')
  const judged = phases.filter(({ phase }) => phase === 'review').map(({ head }) => head)
  const tried = landings.toSorted((a, b) => Number(a.n) - Number(b.n)).map(({ outcome, head }) => ({ outcome, head }))
  expect(tried.map(({ outcome }) => outcome)).toEqual(['conflict', 'landed'])
  expect(tried.map(({ head }) => head).toSorted()).toEqual(judged.toSorted())
})
