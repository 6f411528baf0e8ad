import { expect, test } from 'bun:test'
import { aLoop } from '../runs/review-cycles/review-repo.ts'
import { outputOf } from '../support/ledger-answers.ts'
import { commitOn, configure, done, subjects } from './finished-tasks.ts'

/** Its first commit is what the base does too, the second goes on from there: as a whole it clashes. */
const IN_TWO_STEPS = 'commit a.txt A; commit a.txt B'

for (const method of ['merge', 'squash'] as const) {
  test(`work that clashes as a whole lands by a rebase of its commits (${method})`, () => {
    const stage = done(['one'], { one: IN_TWO_STEPS }, { files: { 'a.txt': 'first\n' } })
    const { id, branch } = stage.task('1')
    const before = stage.git('rev-parse', branch as string)
    stage.commit('the same', { 'a.txt': 'A\n' })
    expect(outputOf(stage.gza('merge', '1', `--${method}`))).toStartWith('✓ Task #1 landed on main')
    expect(stage.git('show', 'main:a.txt')).toBe('B')
    const subject = method === 'merge' ? `Merge ${id}: one` : 'one'
    expect(subjects(stage, '--first-parent')).toEqual([subject, 'the same', 'first'])
    const after = stage.git('rev-parse', branch as string)
    expect(stage.task('1').landings).toMatchObject([{ outcome: 'landed', head: before, rebased: after }])
    expect(stage.git('rev-parse', `${branch}@{1}`)).toBe(before)
    expect(subjects(stage, `main~1..${branch}`)).toEqual(['one: a.txt'])
    expect(stage.gza('queue', '--json').stdout).toBe('[]\n')
  })
}

test('a branch that a person has checked out stays where it is, whatever lands of it', () => {
  const stage = done(['one'], { one: IN_TWO_STEPS }, { files: { 'a.txt': 'first\n' } })
  const branch = stage.task('1').branch as string
  const before = stage.git('rev-parse', branch)
  stage.commit('the same', { 'a.txt': 'A\n' })
  stage.git('worktree', 'add', '-q', stage.beside('mine'), branch)
  outputOf(stage.gza('merge', '1', '--squash'))
  expect(stage.git('rev-parse', branch)).toBe(before)
  expect(stage.git('-C', stage.beside('mine'), 'status', '--porcelain')).toBe('')
  expect(stage.gza('queue', '--json').stdout).toBe('[]\n')
})

test('two works that clash with each other: the first lands, the second goes back and says with what', () => {
  const stage = done(['one', 'two', 'three'], { one: 'commit a.txt 1', two: 'commit a.txt 2' })
  const result = stage.gza('merge', '--all', '--cherry-pick')
  expect(result.stdout).toBe(
    [
      '✓ Task #1 landed on main (1 commit)\n✓ Task #3 landed on main (1 commit)\n',
      'Task #2 goes back: conflicts in a.txt\n',
    ].join(''),
  )
  const { status, landings } = stage.task('2')
  expect(status).toBe('pending')
  expect(landings).toMatchObject([{ outcome: 'conflict', base: 'main', onto: stage.git('rev-parse', 'main') }])
  expect(landings[0]?.detail).toStartWith('conflicts in a.txt\nCONFLICT (add/add)')
  expect(stage.gza('merge', '2').stdout).toBe('Task #2 was sent back: conflicts in a.txt (SENT_BACK)\n')
  expect(JSON.parse(stage.gza('queue', '--json').stdout)).toMatchObject([{ number: 2, code: 'SENT_BACK' }])
})

test('with land_attempts: 0 nothing goes back: a person decides', () => {
  const stage = done(['one', 'two'], { one: 'commit a.txt 1', two: 'commit a.txt 2' })
  configure(stage, { land_attempts: 0 })
  expect(stage.gza('merge', '--all').stdout).toContain('Task #2 cannot land, see gza inbox: conflicts in a.txt')
  expect(stage.task('2').status).toBe('completed')
  expect(stage.inbox()).toEqual([
    {
      task: { number: 2, id: stage.task('2').id, title: 'two', status: 'completed' },
      code: 'LAND_CONFLICT',
      detail: 'it did not land: conflicts in a.txt',
      commands: ['gza diff 2', 'gza edit 2 --reopen', 'gza merge 2'],
    },
  ])
  commitOn(stage, stage.task('2').branch, 'a.txt', '1\n')
  expect(outputOf(stage.gza('merge', '2', '--squash'))).toContain('Task #2 landed')
  expect(stage.inbox()).toEqual([])
})

test('work that was sent back is reviewed again before it lands', () => {
  const implement = [
    'if grep -q "could not land" <<<"$prompt"; then',
    '  git merge -q -X ours "$(sed -n "s/.*(git merge \\([0-9a-f]*\\)).*/\\1/p" <<<"$prompt")"',
    'else',
    '  commit feature.txt mine',
    // A person commits to the same file meanwhile.
    '  (cd "$MAIN" && echo theirs >feature.txt && git add . && env -u GIT_CONFIG_COUNT git commit -qm theirs)',
    'fi',
  ].join('\n')
  const stage = aLoop(['APPROVED'], { implement }, { config: { land: 'merge' } })
  stage.add('one', '--auto-review')
  const { stdout } = stage.withEnv({ MAIN: stage.dir }).run(['gza', 'work', '--all'])
  expect(stdout).toContain('Task #1 goes back: conflicts in feature.txt')
  expect(stage.acted()).toEqual(['implement', 'review 1', 'implement', 'review 1'])
  expect(stage.git('show', 'main:feature.txt')).toBe('mine')
  const { phases, landings } = stage.task('1')
  const judged = phases.filter(({ phase }) => phase === 'review').map(({ head }) => head)
  const tried = landings.toSorted((a, b) => Number(a.n) - Number(b.n)).map(({ outcome, head }) => ({ outcome, head }))
  expect(tried.map(({ outcome }) => outcome)).toEqual(['conflict', 'landed'])
  expect(tried.map(({ head }) => head).toSorted()).toEqual(judged.toSorted())
})
