import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { outputOf } from '../support/ledger-answers.ts'
import { anAgentRepo } from '../support/scripted-agent.ts'
import { commitOn, configure, done, subjects } from './finished-tasks.ts'

test('gza merge lands a task by a merge that names it, and the clean checkout follows', () => {
  const repo = done(['one'])
  const { id, branch } = repo.task('1')
  const result = repo.gza('merge', '1')
  expect(result).toEqual({ code: 0, stdout: '✓ Task #1 landed on main (2 commits)\n', stderr: '' })
  expect(subjects(repo, '--first-parent')).toEqual([`Merge ${id}: one`, 'first'])
  expect(repo.git('log', '-1', '--format=%b').trimEnd()).toBe(`Task: ${id}`)
  expect(repo.git('rev-parse', 'main^2')).toBe(repo.git('rev-parse', branch as string))
  expect(existsSync(join(repo.dir, 'one.txt'))).toBe(true)
  expect(repo.git('status', '--porcelain')).toBe('')
  expect(repo.worktrees()).toEqual([])
  expect(repo.git('for-each-ref', 'refs/gza/')).toBe('')
})

test('what has landed is linked and noted on every commit, and the ledger verifies', () => {
  const repo = done(['one'], { one: 'commit a.txt 1; commit b.txt 2' })
  const head = repo.git('rev-parse', repo.task('1').branch as string)
  const base = repo.git('rev-parse', 'main')
  outputOf(repo.gza('merge', '1', '--cherry-pick'))
  const landed = repo.git('rev-list', '--reverse', 'main', '--not', base).split('\n')
  expect(landed.length).toBe(2)
  const { id, closed_commit, commits, landings } = repo.task('1')
  expect(closed_commit).toBe(landed[1] as string)
  expect(landed.every((commit) => commits.includes(commit))).toBe(true)
  expect(landings).toMatchObject([
    { outcome: 'landed', base: 'main', head, onto: base, method: 'cherry-pick', commits: landed, by: 'Test' },
  ])
  for (const commit of landed) expect(repo.git('notes', '--ref=tasks', 'show', commit)).toBe(`${id}: one`)
  expect(repo.git('log', '-1', '--format=%s', 'refs/tasks/main')).toBe(`land ${id} on main`)
  expect(repo.gza('log', '1').stdout).toContain(`land ${id} on main`)
  expect(repo.gza('show', '1').stdout).toContain(`landed: main (${closed_commit?.slice(0, 7)})`)
  expect(repo.gza('verify').code).toBe(0)
})

test('cherry-picks keep author, date and message', () => {
  const act = 'save a.txt 1; git add a.txt; git commit -qm "Add a" --author "Zoe <z@e>" --date "2020-02-02T02:02:02Z"'
  const repo = done(['one'], { one: act })
  repo.commit('meanwhile', { 'other.txt': 'x' })
  outputOf(repo.gza('merge', '1', '--cherry-pick'))
  expect(repo.git('log', '-1', '--format=%s|%an|%ae|%aI|%cn')).toBe('Add a|Zoe|z@e|2020-02-02T02:02:02+00:00|Test')
  expect(repo.git('show', 'main:other.txt')).toBe('x')
})

test('a squash is one commit with the title and the list of commits', () => {
  const repo = done(['one'], { one: 'commit a.txt 1; commit b.txt 2' })
  repo.commit('meanwhile', { 'other.txt': 'x' })
  outputOf(repo.gza('merge', '1', '--squash'))
  const { id } = repo.task('1')
  expect(subjects(repo)).toEqual(['one', 'meanwhile', 'first'])
  expect(repo.git('log', '-1', '--format=%b').trimEnd()).toBe(`* one: a.txt\n* one: b.txt\n\nTask: ${id}`)
})

test('work with a merge in it is picked as one commit', () => {
  const act =
    'commit a.txt 1; git checkout -q -b side HEAD~1; commit b.txt 2; git checkout -q -; git merge -q --no-edit side'
  const repo = done(['one'], { one: act })
  outputOf(repo.gza('merge', '1', '--cherry-pick'))
  expect(subjects(repo)).toEqual(['one', 'first'])
  expect(repo.git('ls-tree', '--name-only', 'main').split('\n')).toContain('b.txt')
})

test('where the base is checked out nowhere, base and ledger move together', () => {
  const repo = done(['one'])
  repo.git('checkout', '-q', '-b', 'elsewhere')
  outputOf(repo.gza('merge', '1', '--branch', 'main'))
  expect(repo.git('rev-parse', '--abbrev-ref', 'HEAD')).toBe('elsewhere')
  expect(existsSync(join(repo.dir, 'one.txt'))).toBe(false)
  expect(repo.git('ls-tree', '--name-only', 'main').split('\n')).toContain('one.txt')
  expect(repo.git('status', '--porcelain')).toBe('')
  expect(repo.git('reflog', '-1', '--format=%gs', 'main')).toMatch(/^gza: land task-[0-9a-f]+ on main$/)
})

test('--dry-run says what would land and changes nothing', () => {
  const repo = done(['one', 'two'])
  const before = repo.git('for-each-ref')
  expect(repo.gza('merge', '--all', '--dry-run', '--squash').stdout).toBe(
    'Task #1 would land on main (squash): one\nTask #2 would land on main (squash): two\n',
  )
  expect(repo.git('for-each-ref')).toBe(before)
})

test('--all lands all that may, --group those of a group, --into another branch', () => {
  const repo = anAgentRepo({})
  repo.add('one', '--group', 'g')
  repo.add('two')
  repo.git('branch', 'release')
  outputOf(repo.gza('work', '--all'))
  outputOf(repo.gza('merge', '--group', 'g', '--into', 'release'))
  expect(repo.git('ls-tree', '--name-only', 'release').split('\n')).toEqual(['README.md', 'gza.yaml', 'one.txt'])
  expect(outputOf(repo.gza('merge', '--all'))).toBe(
    '✓ Task #1 landed on main (2 commits)\n✓ Task #2 landed on main (2 commits)\n',
  )
  expect(repo.gza('merge', '--all').stdout).toBe('Nothing to land.\n')
})

test('what cannot land says why, each by one code', () => {
  const repo = done(['one'], {})
  repo.add('two')
  repo.add('plan', '--type', 'plan')
  const codes = (...args: string[]) =>
    JSON.parse(repo.gza('merge', ...args, '--json').stdout).refused.map(({ code }: { code: string }) => code)
  expect(codes('2', '3')).toEqual(['NOT_COMPLETED', 'NOT_COMPLETED'])
  outputOf(repo.gza('merge', '1'))
  expect(codes('1')).toEqual(['LANDED'])
  expect(repo.gza('merge').code).toBe(2)
  expect(repo.withEnv({ GZA_AGENT: 'x' }).gza('merge', '1').stderr).toContain('people decide what lands')
})

test('a tree that does not pass verification never lands; the others do', () => {
  const verify = { command: 'test ! -e bad.txt' }
  const repo = done(['one', 'two', 'three'], { two: 'commit ok.txt x' })
  configure(repo, { verify })
  commitOn(repo, repo.task('2').branch, 'bad.txt')
  const result = repo.gza('merge', '--all', '--squash')
  expect(result.stdout).toContain('✓ Task #1 landed on main (1 commit)')
  expect(result.stdout).toContain('Task #2 is sent back: verification failed with it: test ! -e bad.txt exited with 1')
  expect(result.stdout).toContain('✓ Task #3 landed on main (1 commit)')
  expect(result.code).toBe(1)
  expect(repo.task('2')).toMatchObject({ status: 'pending', landings: [{ outcome: 'red' }] })
  expect(repo.git('ls-tree', '--name-only', 'main')).not.toContain('bad.txt')
})

test('a base whose own checks fail lets nothing land, and no task is blamed', () => {
  const repo = done(['one'])
  configure(repo, { verify: { command: 'test -e fixed.txt' } })
  const result = repo.gza('merge', '1')
  expect([result.code, result.stdout]).toEqual([
    1,
    'main itself does not pass verification; nothing lands: test -e fixed.txt exited with 1\n',
  ])
  expect(repo.task('1')).toMatchObject({ status: 'completed', landings: [] })
  const head = repo.git('rev-parse', '--short=7', 'main')
  expect(repo.inbox()).toEqual([
    {
      ...{
        task: null,
        code: 'BASE_RED',
        subject: 'main',
        cycle_texts: [],
        commands: ['test -e fixed.txt', 'gza work --all', 'gza work --all --no-base-check', 'gza queue'],
      },
      detail: `${head} fails its own checks, so no agent starts and nothing lands: test -e fixed.txt exited with 1`,
    },
  ])
  repo.commit('fix', { 'fixed.txt': '' })
  expect(repo.inbox()).toEqual([])
  outputOf(repo.gza('merge', '--all'))
})

for (const where of ['checked out', 'checked out nowhere'] as const) {
  test(`a person who commits to a base that is ${where} while a landing is verified is built upon`, () => {
    // The check acts as the person, in a checkout that a box would hide.
    const repo = done(['one'], {}, { isolation: 'off' })
    const path = repo.beside('theirs')
    if (where === 'checked out nowhere') repo.git('checkout', '-q', '--detach')
    const put = where === 'checked out' ? '' : 'git update-ref refs/heads/main HEAD'
    const script = ['cd "$1" && echo x >theirs.txt && git add . && git commit -qm theirs', put].join('\n')
    repo.write('../person', script)
    const once = `test -e ${path} || { touch ${path}; env -i PATH="$PATH" HOME="$HOME" sh ../person; }`
    const command = once.replace('../person', `${repo.beside('person')} ${repo.dir}`)
    repo.git('checkout', '-q', 'main')
    configure(repo, { verify: { command } })
    if (where === 'checked out nowhere') repo.git('checkout', '-q', '--detach')
    outputOf(repo.gza('merge', '1', '--squash', '--branch', 'main'))
    expect(subjects(repo, 'main')).toEqual(['one', 'theirs', 'configure', 'first'])
    expect(repo.git('for-each-ref', 'refs/gza/')).toBe('')
  })
}

test('commands of an untrusted configuration verify nothing', () => {
  const repo = done(['one'])
  configure(repo, { verify: { command: 'true' } })
  const refused = repo.withEnv({ GZA_TRUST: undefined }).gza('merge', '1')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('gza trust')])
  expect(subjects(repo)).toEqual(['configure', 'first'])
})

test('repositories with SHA-256 land too', () => {
  const repo = done(['one', 'two'], {}, { objectFormat: 'sha256' })
  outputOf(repo.gza('merge', '--all', '--squash'))
  expect(subjects(repo)).toEqual(['two', 'one', 'first'])
  expect(repo.gza('verify').code).toBe(0)
})

test('tasks that worked on one branch land together', () => {
  const repo = anAgentRepo({ one: 'commit a.txt 1', two: 'commit a.txt 2' })
  repo.add('one')
  repo.add('two', '--based-on', '1', '--same-branch')
  outputOf(repo.gza('work', '--all'))
  const told = (part: string, ...args: string[]) => JSON.parse(repo.gza('merge', '1', '--json', ...args).stdout)[part]
  const named = { number: 1, id: repo.task('1').id, lead: { number: 2, id: repo.task('2').id } }
  expect(told('planned', '--dry-run')).toMatchObject([named])
  expect(outputOf(repo.gza('merge', '1', '--cherry-pick'))).toBe(
    '✓ Task #1 landed on main (2 commits)\n✓ Task #2 landed on main (2 commits)\n',
  )
  expect(subjects(repo)).toEqual(['two: a.txt', 'one: a.txt', 'first'])
  expect(told('refused')).toMatchObject([{ ...named, code: 'LANDED' }])
  expect(repo.gza('merge', '1').stdout).toBe('Task #1 lands with #2, which has landed on main (LANDED)\n')
})

test('a landing is not the commit that another task waits for, and not what another task was done by', () => {
  const repo = done(['one'], { one: 'commit a.txt 1; commit b.txt 2' })
  const [waiting, later] = ['waits', 'later'].map((title) => repo.add(title))
  outputOf(repo.gza('done', String(waiting)))
  outputOf(repo.gza('merge', '1', '--cherry-pick'))
  outputOf(repo.gza('done', String(later)))
  expect([waiting, later].map((id) => repo.task(String(id)).closed_commit)).toEqual([null, null])
  const commit = repo.commit('by hand', { 'c.txt': '3\n' })
  expect([waiting, later].map((id) => repo.task(String(id)).closed_commit)).toEqual([commit, commit])
})
