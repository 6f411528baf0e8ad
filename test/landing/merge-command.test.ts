import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { outputOf } from '../support/ledger-answers.ts'
import { aStage } from '../support/scripted-agent.ts'
import { commitOn, configure, done, subjects } from './finished-tasks.ts'

test('gza merge lands a task by a merge that names it, and the clean checkout follows', () => {
  const stage = done(['one'])
  const { id, branch } = stage.task('1')
  const result = stage.gza('merge', '1')
  expect(result).toEqual({ code: 0, stdout: '✓ Task #1 landed on main (2 commits)\n', stderr: '' })
  expect(subjects(stage, '--first-parent')).toEqual([`Merge ${id}: one`, 'first'])
  expect(stage.git('log', '-1', '--format=%b').trimEnd()).toBe(`Task: ${id}`)
  expect(stage.git('rev-parse', 'main^2')).toBe(stage.git('rev-parse', branch as string))
  expect(existsSync(join(stage.dir, 'one.txt'))).toBe(true)
  expect(stage.git('status', '--porcelain')).toBe('')
  expect(stage.worktrees()).toEqual([])
  expect(stage.git('for-each-ref', 'refs/gza/')).toBe('')
})

test('what has landed is linked and noted on every commit, and the ledger verifies', () => {
  const stage = done(['one'], { one: 'commit a.txt 1; commit b.txt 2' })
  const head = stage.git('rev-parse', stage.task('1').branch as string)
  const base = stage.git('rev-parse', 'main')
  outputOf(stage.gza('merge', '1', '--cherry-pick'))
  const landed = stage.git('rev-list', '--reverse', 'main', '--not', base).split('\n')
  expect(landed.length).toBe(2)
  const { id, closed_commit, commits, landings } = stage.task('1')
  expect(closed_commit).toBe(landed[1] as string)
  expect(landed.every((commit) => commits.includes(commit))).toBe(true)
  expect(landings).toMatchObject([
    { outcome: 'landed', base: 'main', head, onto: base, method: 'cherry-pick', commits: landed, by: 'Test' },
  ])
  for (const commit of landed) expect(stage.git('notes', '--ref=tasks', 'show', commit)).toBe(`${id}: one`)
  expect(stage.git('log', '-1', '--format=%s', 'refs/tasks/main')).toBe(`land ${id} on main`)
  expect(stage.gza('log', '1').stdout).toContain(`land ${id} on main`)
  expect(stage.gza('show', '1').stdout).toContain(`landed: main (${closed_commit?.slice(0, 7)})`)
  expect(stage.gza('verify').code).toBe(0)
})

test('cherry-picks keep author, date and message', () => {
  const act = 'save a.txt 1; git add a.txt; git commit -qm "Add a" --author "Zoe <z@e>" --date "2020-02-02T02:02:02Z"'
  const stage = done(['one'], { one: act })
  stage.commit('meanwhile', { 'other.txt': 'x' })
  outputOf(stage.gza('merge', '1', '--cherry-pick'))
  expect(stage.git('log', '-1', '--format=%s|%an|%ae|%aI|%cn')).toBe('Add a|Zoe|z@e|2020-02-02T02:02:02+00:00|Test')
  expect(stage.git('show', 'main:other.txt')).toBe('x')
})

test('a squash is one commit with the title and the list of commits', () => {
  const stage = done(['one'], { one: 'commit a.txt 1; commit b.txt 2' })
  stage.commit('meanwhile', { 'other.txt': 'x' })
  outputOf(stage.gza('merge', '1', '--squash'))
  const { id } = stage.task('1')
  expect(subjects(stage)).toEqual(['one', 'meanwhile', 'first'])
  expect(stage.git('log', '-1', '--format=%b').trimEnd()).toBe(`* one: a.txt\n* one: b.txt\n\nTask: ${id}`)
})

test('work with a merge in it is picked as one commit', () => {
  const act =
    'commit a.txt 1; git checkout -q -b side HEAD~1; commit b.txt 2; git checkout -q -; git merge -q --no-edit side'
  const stage = done(['one'], { one: act })
  outputOf(stage.gza('merge', '1', '--cherry-pick'))
  expect(subjects(stage)).toEqual(['one', 'first'])
  expect(stage.git('ls-tree', '--name-only', 'main').split('\n')).toContain('b.txt')
})

test('where the base is checked out nowhere, base and ledger move together', () => {
  const stage = done(['one'])
  stage.git('checkout', '-q', '-b', 'elsewhere')
  outputOf(stage.gza('merge', '1', '--branch', 'main'))
  expect(stage.git('rev-parse', '--abbrev-ref', 'HEAD')).toBe('elsewhere')
  expect(existsSync(join(stage.dir, 'one.txt'))).toBe(false)
  expect(stage.git('ls-tree', '--name-only', 'main').split('\n')).toContain('one.txt')
  expect(stage.git('status', '--porcelain')).toBe('')
  expect(stage.git('reflog', '-1', '--format=%gs', 'main')).toMatch(/^gza: land task-[0-9a-f]+ on main$/)
})

test('--dry-run says what would land and changes nothing', () => {
  const stage = done(['one', 'two'])
  const before = stage.git('for-each-ref')
  expect(stage.gza('merge', '--all', '--dry-run', '--squash').stdout).toBe(
    'Task #1 would land on main (squash): one\nTask #2 would land on main (squash): two\n',
  )
  expect(stage.git('for-each-ref')).toBe(before)
})

test('--all lands all that may, --group those of a group, --into another branch', () => {
  const stage = aStage({})
  stage.add('one', '--group', 'g')
  stage.add('two')
  stage.git('branch', 'release')
  outputOf(stage.gza('work', '--all'))
  outputOf(stage.gza('merge', '--group', 'g', '--into', 'release'))
  expect(stage.git('ls-tree', '--name-only', 'release').split('\n')).toEqual(['README.md', 'gza.yaml', 'one.txt'])
  expect(outputOf(stage.gza('merge', '--all'))).toBe(
    '✓ Task #1 landed on main (2 commits)\n✓ Task #2 landed on main (2 commits)\n',
  )
  expect(stage.gza('merge', '--all').stdout).toBe('Nothing to land.\n')
})

test('what cannot land says why, each by one code', () => {
  const stage = done(['one'], {})
  stage.add('two')
  stage.add('plan', '--type', 'plan')
  const codes = (...args: string[]) =>
    JSON.parse(stage.gza('merge', ...args, '--json').stdout).refused.map(({ code }: { code: string }) => code)
  expect(codes('2', '3')).toEqual(['NOT_COMPLETED', 'NOT_COMPLETED'])
  outputOf(stage.gza('merge', '1'))
  expect(codes('1')).toEqual(['LANDED'])
  expect(stage.gza('merge').code).toBe(2)
  expect(stage.withEnv({ GZA_AGENT: 'x' }).gza('merge', '1').stderr).toContain('people decide what lands')
})

test('a tree that does not pass verification never lands; the others do', () => {
  const verify = { command: 'test ! -e bad.txt' }
  const stage = done(['one', 'two', 'three'], { two: 'commit ok.txt x' })
  configure(stage, { verify })
  commitOn(stage, stage.task('2').branch, 'bad.txt')
  const result = stage.gza('merge', '--all', '--squash')
  expect(result.stdout).toContain('✓ Task #1 landed on main (1 commit)')
  expect(result.stdout).toContain('Task #2 goes back: verification failed with it: test ! -e bad.txt exited with 1')
  expect(result.stdout).toContain('✓ Task #3 landed on main (1 commit)')
  expect(result.code).toBe(1)
  expect(stage.task('2')).toMatchObject({ status: 'pending', landings: [{ outcome: 'red' }] })
  expect(stage.git('ls-tree', '--name-only', 'main')).not.toContain('bad.txt')
})

test('a base that is red itself lets nothing land and blames nobody', () => {
  const stage = done(['one'])
  configure(stage, { verify: { command: 'test -e fixed.txt' } })
  const result = stage.gza('merge', '1')
  expect([result.code, result.stdout]).toEqual([
    1,
    'main itself does not pass verification; nothing lands: test -e fixed.txt exited with 1\n',
  ])
  expect(stage.task('1')).toMatchObject({ status: 'completed', landings: [] })
  const head = stage.git('rev-parse', '--short=7', 'main')
  expect(stage.inbox()).toEqual([
    {
      ...{ task: null, code: 'BASE_RED', subject: 'main', commands: ['gza queue', 'gza merge --all'] },
      detail: `${head} fails by itself, so nothing can land on it: test -e fixed.txt exited with 1`,
    },
  ])
  stage.commit('fix', { 'fixed.txt': '' })
  expect(stage.inbox()).toEqual([])
  outputOf(stage.gza('merge', '--all'))
})

for (const where of ['checked out', 'checked out nowhere'] as const) {
  test(`a person who commits to a base that is ${where} while a landing is verified is built upon`, () => {
    const stage = done(['one'])
    const path = stage.beside('theirs')
    if (where === 'checked out nowhere') stage.git('checkout', '-q', '--detach')
    const put = where === 'checked out' ? '' : 'git update-ref refs/heads/main HEAD'
    const script = ['cd "$1" && echo x >theirs.txt && git add . && git commit -qm theirs', put].join('\n')
    stage.write('../person', script)
    const once = `test -e ${path} || { touch ${path}; env -i PATH="$PATH" HOME="$HOME" sh ../person; }`
    const command = once.replace('../person', `${stage.beside('person')} ${stage.dir}`)
    stage.git('checkout', '-q', 'main')
    configure(stage, { verify: { command } })
    if (where === 'checked out nowhere') stage.git('checkout', '-q', '--detach')
    outputOf(stage.gza('merge', '1', '--squash', '--branch', 'main'))
    expect(subjects(stage, 'main')).toEqual(['one', 'theirs', 'configure', 'first'])
    expect(stage.git('for-each-ref', 'refs/gza/')).toBe('')
  })
}

test('commands of a configuration that nobody trusts verify nothing', () => {
  const stage = done(['one'])
  configure(stage, { verify: { command: 'true' } })
  const refused = stage.withEnv({ GZA_TRUST: undefined }).gza('merge', '1')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('gza trust')])
  expect(subjects(stage)).toEqual(['configure', 'first'])
})

test('repositories with SHA-256 land too', () => {
  const stage = done(['one', 'two'], {}, { objectFormat: 'sha256' })
  outputOf(stage.gza('merge', '--all', '--squash'))
  expect(subjects(stage)).toEqual(['two', 'one', 'first'])
  expect(stage.gza('verify').code).toBe(0)
})

test('tasks that worked on one branch land together', () => {
  const stage = aStage({ one: 'commit a.txt 1', two: 'commit a.txt 2' })
  stage.add('one')
  stage.add('two', '--based-on', '1', '--same-branch')
  outputOf(stage.gza('work', '--all'))
  const told = (part: string, ...args: string[]) => JSON.parse(stage.gza('merge', '1', '--json', ...args).stdout)[part]
  const named = { number: 1, id: stage.task('1').id, lead: { number: 2, id: stage.task('2').id } }
  expect(told('planned', '--dry-run')).toMatchObject([named])
  expect(outputOf(stage.gza('merge', '1', '--cherry-pick'))).toBe(
    '✓ Task #1 landed on main (2 commits)\n✓ Task #2 landed on main (2 commits)\n',
  )
  expect(subjects(stage)).toEqual(['two: a.txt', 'one: a.txt', 'first'])
  expect(told('refused')).toMatchObject([{ ...named, code: 'LANDED' }])
  expect(stage.gza('merge', '1').stdout).toBe('Task #1 lands with #2, which has landed on main (LANDED)\n')
})
