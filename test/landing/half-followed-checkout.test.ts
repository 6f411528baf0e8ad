/** A checkout of the base that has followed a landing only in part, because git was killed or a lock was in its way. */
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { outputOf } from '../support/ledger-answers.ts'
import { show } from '../support/ledger-calls.ts'
import { type AgentRepo, anAgentRepo } from '../support/scripted-agent.ts'
import { done, subjects } from './finished-tasks.ts'

const SIGKILLED = 137
/** A new file in a new folder, a changed file, a removed one. */
const ACT = 'commit new/one.txt 1; commit README.md changed; git rm -q old.txt; git commit -qm "one: old.txt"'
const FILES = { 'old.txt': 'old\n', 'mine.txt': 'x\n', 'also.txt': 'x\n' }

function aDoneTask(): AgentRepo {
  return done(['one'], { one: ACT }, { files: FILES })
}

/** The same program, with a script before git's own part of `git merge --ff-only`. */
function withMerge(repo: AgentRepo, script: string): AgentRepo {
  return withGit(repo, '*merge*--ff-only*', script)
}

/** A script before each call of git that matches. `$git` is the real git, `$last` its last argument, `$PPID` is gza. */
function withGit(repo: AgentRepo, call: string, script: string): AgentRepo {
  const folder = repo.beside('wrapper')
  mkdirSync(folder, { recursive: true })
  const git = repo.run(['sh', '-c', 'command -v git']).stdout.trim()
  const start = ['#!/bin/sh', `git=${git}`, 'for last; do :; done', 'case "$*" in']
  const lines = [...start, `${call})`, script, ';;', 'esac', 'exec $git "$@"']
  writeFileSync(join(folder, 'git'), `${lines.join('\n')}\n`, { mode: 0o755 })
  return repo.withEnv({ PATH: `${folder}:${repo.env.PATH}` }) as AgentRepo
}

/** All of the work is in files and index when everything is killed, and the branch has not moved. */
const KILLED_BEFORE_REF = `touch .git/refs/heads/main.lock; $git "$@"; rm .git/refs/heads/main.lock; kill -9 $PPID; exit`
/** Git had removed one file and written another when it was killed; the index has nothing of it. */
const KILLED_IN_FILES = `mkdir new; $git show $last:new/one.txt >new/one.txt; rm README.md; kill -9 $PPID; exit`

const KILLS: [string, string][] = [
  ['before the branch moved', KILLED_BEFORE_REF],
  ['while files were written', KILLED_IN_FILES],
]

function expectLanded(repo: AgentRepo, status: string): void {
  expect(subjects(repo, 'main')).toEqual(['one', 'first'])
  expect(repo.git('status', '--porcelain')).toBe(status)
  expect(readFileSync(join(repo.dir, 'README.md'), 'utf8')).toBe('changed\n')
  expect([existsSync(join(repo.dir, 'old.txt')), existsSync(join(repo.dir, 'new/one.txt'))]).toEqual([false, true])
  expect(repo.task('1').landings.map(({ outcome }) => outcome)).toEqual(['landed'])
  expect(repo.git('for-each-ref', 'refs/gza/')).toBe('')
}

for (const [when, script] of KILLS) {
  test(`a checkout that was killed ${when} is completed, and a person's edits in other files stay`, () => {
    const repo = aDoneTask()
    expect(withMerge(repo, script).gza('merge', '1', '--squash').code).toBe(SIGKILLED)
    expect([subjects(repo, 'main'), repo.git('status', '--porcelain')]).toEqual([
      ['first'],
      expect.stringContaining('README'),
    ])
    repo.write('mine.txt', 'mine\n')
    repo.write('also.txt', 'staged\n')
    repo.git('add', 'also.txt')
    repo.write('untracked.txt', 'mine\n')
    expect(outputOf(repo.gza('merge', '1'))).toBe('✓ Task #1 landed on main (1 commit)\n')
    expectLanded(repo, 'M  also.txt\n M mine.txt\n?? untracked.txt')
    expect(readFileSync(join(repo.dir, 'mine.txt'), 'utf8')).toBe('mine\n')
    expect(repo.git('show', ':also.txt')).toBe('staged')
  })
}

/** All of the work is in files and index, and the branch moves by a commit of the person instead. */
const COMMITTED_MEANWHILE = `touch .git/refs/heads/main.lock; $git "$@"; code=$?; rm .git/refs/heads/main.lock
echo mine >mine.txt; $git commit -qm mine -- mine.txt; exit $code`

test('if a person commits while the checkout follows, it gets the landing after that commit', () => {
  const repo = aDoneTask()
  const once = `if [ ! -e ${repo.beside('once')} ]; then touch ${repo.beside('once')}; ${COMMITTED_MEANWHILE}; fi`
  outputOf(withMerge(repo, once).gza('merge', '1', '--squash'))
  expect([subjects(repo, 'main'), repo.git('status', '--porcelain')]).toEqual([['one', 'mine', 'first'], ''])
  expect(repo.git('show', '--format=', '--name-only', 'main~1')).toBe('mine.txt')
  expect(repo.git('for-each-ref', 'refs/gza/')).toBe('')
})

for (const [when, script] of KILLS) {
  test(`a checkout that was killed ${when}, and in which a person committed since, lands after that commit`, () => {
    const repo = aDoneTask()
    expect(withMerge(repo, script).gza('merge', '1', '--squash').code).toBe(SIGKILLED)
    repo.write('mine.txt', 'mine\n')
    repo.git('commit', '-qm', 'mine', '--', 'mine.txt')
    repo.write('also.txt', 'mine\n')
    const { stdout } = repo.gza('merge', '1', '--squash')
    expect(stdout).toContain('has uncommitted changes in also.txt')
    expect(repo.git('status', '--porcelain')).toBe(' M also.txt')
    repo.git('checkout', '-q', '--', 'also.txt')
    outputOf(repo.gza('merge', '1', '--squash'))
    expect([subjects(repo, 'main'), repo.git('status', '--porcelain')]).toEqual([['one', 'mine', 'first'], ''])
  })
}

test('what a person has changed in a file of a cut-off landing stays when the rest is taken back', () => {
  const repo = aDoneTask()
  expect(withMerge(repo, KILLED_BEFORE_REF).gza('merge', '1', '--squash').code).toBe(SIGKILLED)
  repo.write('README.md', 'by hand\n')
  repo.write('mine.txt', 'mine\n')
  repo.git('commit', '-qm', 'mine', '--', 'mine.txt')
  expect(repo.gza('merge', '1', '--squash').stdout).toContain('has uncommitted changes in README.md')
  expect(readFileSync(join(repo.dir, 'README.md'), 'utf8')).toBe('by hand\n')
  expect([existsSync(join(repo.dir, 'old.txt')), existsSync(join(repo.dir, 'new/one.txt'))]).toEqual([true, false])
})

test('git that is killed together with gza leaves its lock; without the lock the checkout is completed', () => {
  const files = { ...FILES, '.gitattributes': 'slow.txt filter=slow\n', 'slow.txt': 'x\n' }
  // In a box the filter could see neither git nor gza.
  const repo = done(['one'], { one: `${ACT}; commit slow.txt slow` }, { files, isolation: 'off' })
  const filter = repo.beside('filter')
  const parent = (pid: string) => `$(cut -d ' ' -f 4 /proc/${pid}/stat)`
  const lines = [
    `test "$PWD" = ${repo.dir} && test ! -e ${filter}-ran || exec cat`,
    `touch ${filter}-ran; git=$PPID`,
    `test "$(cat /proc/$git/comm)" = git || git=${parent('$git')}`,
    `kill -9 ${parent('$git')} $git`,
  ]
  writeFileSync(filter, `#!/bin/sh\n${lines.join('\n')}\n`, { mode: 0o755 })
  repo.git('config', 'filter.slow.smudge', filter)
  expect(repo.gza('merge', '1', '--squash').code).toBe(SIGKILLED)
  const lock = join(repo.dir, '.git/index.lock')
  utimesSync(lock, Date.now() / 1000 - 60, Date.now() / 1000 - 60)
  expect(repo.gza('merge', '1').stdout).toContain(`cannot follow: ${lock} has existed for`)
  rmSync(lock)
  expect(repo.git('status', '--porcelain')).not.toBe('')
  outputOf(repo.gza('merge', '1'))
  expectLanded(repo, '')
  expect(readFileSync(join(repo.dir, 'slow.txt'), 'utf8')).toBe('slow\n')
})

test('what a person has changed in a file of the landing is named and stays', () => {
  const repo = aDoneTask()
  expect(withMerge(repo, KILLED_BEFORE_REF).gza('merge', '1', '--squash').code).toBe(SIGKILLED)
  repo.write('README.md', 'mine\n')
  const { code, stdout } = repo.gza('merge', '1')
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining('because a landing was cut off, and other changes in README.md;'),
  ])
  expect(readFileSync(join(repo.dir, 'README.md'), 'utf8')).toBe('mine\n')
  renameSync(join(repo.dir, 'README.md'), repo.beside('saved'))
  outputOf(repo.gza('merge', '1'))
  expectLanded(repo, '')
})

test('a half-followed checkout is taken back if its task may no longer land', () => {
  const repo = aDoneTask()
  expect(withMerge(repo, KILLED_BEFORE_REF).gza('merge', '1', '--squash').code).toBe(SIGKILLED)
  repo.write('mine.txt', 'mine\n')
  outputOf(repo.gza('edit', '1', '--reopen'))
  expect(repo.gza('merge', '--all').stdout).toBe('Nothing to land.\n')
  expect([subjects(repo, 'main'), repo.git('status', '--porcelain')]).toEqual([['first'], ' M mine.txt'])
  expect(existsSync(join(repo.dir, 'new'))).toBe(false)
  expect(repo.git('for-each-ref', 'refs/gza/')).toBe('')
})

test('a branch that moved without its checkout is followed by the checkout', () => {
  const repo = aDoneTask()
  const alone = '$git update-ref refs/heads/main $last; kill -9 $PPID; exit'
  expect(withMerge(repo, alone).gza('merge', '1', '--squash').code).toBe(SIGKILLED)
  repo.write('mine.txt', 'mine\n')
  outputOf(repo.gza('merge', '1'))
  expectLanded(repo, ' M mine.txt')
})

test('a left-over lock is named with its age, nothing is half done, and the landing completes without it', () => {
  const repo = aDoneTask()
  const lock = join(repo.dir, '.git/refs/heads/main.lock')
  writeFileSync(lock, '')
  utimesSync(lock, Date.now() / 1000 - 300, Date.now() / 1000 - 300)
  const { code, stdout } = repo.gza('merge', '1', '--squash')
  expect([code, stdout]).toEqual([1, expect.stringContaining(`cannot follow: ${lock} has existed for 5 minutes.`)])
  expect(repo.git('status', '--porcelain')).toBe('')
  expect(outputOf(repo.gza('queue'))).toContain('main.lock has existed for')
  expect(JSON.parse(outputOf(repo.gza('queue', '--json')))).toMatchObject([{ code: 'CHECKOUT_LOCKED' }])
  expect(repo.inbox()).toMatchObject([{ code: 'CHECKOUT_LOCKED', detail: expect.stringContaining(lock) }])
  expect(existsSync(lock)).toBe(true)
  rmSync(lock)
  outputOf(repo.gza('merge', '1'))
  expectLanded(repo, '')
})

test('a lock that appears in the middle is named, and the checkout completes once it is gone', () => {
  const repo = aDoneTask()
  const lock = join(repo.dir, '.git/refs/heads/main.lock')
  const { stdout } = withMerge(repo, `touch -d '-1 hour' ${lock}`).gza('merge', '1', '--squash')
  expect(stdout).toContain(`cannot follow: ${lock} has existed for 60 minutes.`)
  repo.write('mine.txt', 'mine\n')
  expect(repo.gza('queue').stdout).not.toContain('uncommitted changes')
  expect(repo.gza('merge', '1').stdout).toContain('main.lock has existed for')
  rmSync(lock)
  outputOf(repo.gza('merge', '1'))
  expectLanded(repo, ' M mine.txt')
})

test('the lock of a running git is waited for', () => {
  const repo = aDoneTask()
  const lock = join(repo.dir, '.git/index.lock')
  const hold = `$git "$@"; code=$?; touch ${lock}; (sleep 0.5; rm ${lock}) >/dev/null 2>&1 & exit $code`
  outputOf(withGit(repo, '*about?to?land*', hold).gza('merge', '1', '--squash'))
  expectLanded(repo, '')
})

test('a person who switches to the base in the moment in which it moves has the landed work there', () => {
  const repo = aDoneTask()
  repo.git('switch', '--quiet', '-c', 'elsewhere')
  const switching = withGit(repo, '*gza:?land?task-*', '$git switch -q main </dev/null')
  expect(outputOf(switching.gza('merge', '1', '--squash', '--branch', 'main'))).toContain('Task #1 landed on main')
  expect(repo.git('symbolic-ref', '--short', 'HEAD')).toBe('main')
  expectLanded(repo, '')
})

test('a person who leaves the base in the moment in which it moves finds it with the landed work all the same', () => {
  const repo = aDoneTask()
  const leaving = withMerge(repo, '$git switch -q -c elsewhere </dev/null')
  expect(outputOf(leaving.gza('merge', '1', '--squash'))).toContain('Task #1 landed on main')
  expect(repo.git('symbolic-ref', '--short', 'HEAD')).toBe('elsewhere')
  expect([subjects(repo, 'main'), repo.git('status', '--porcelain')]).toEqual([['one', 'first'], ''])
  const { landings } = show(repo, 1, '--branch', 'main')
  expect(landings.map(({ outcome }) => outcome)).toEqual(['landed'])
})

test('work ends with 1 where a left-over lock kept everything from landing, and names the lock', () => {
  const repo = anAgentRepo({}, { config: { land: 'merge' } })
  // That of packed refs is removed when it is older (test/isolation/runs/left-packed-refs-lock.test.ts).
  const young = Date.now() / 1000 - 60
  for (const [lock, at] of [
    ['refs/heads/main.lock', 0],
    ['packed-refs.lock', young],
  ] as const) {
    const path = join(repo.dir, '.git', lock)
    const number = repo.add(lock)
    writeFileSync(path, '')
    utimesSync(path, at, at)
    const { code, stdout, stderr } = repo.gza('work', '--all', '--json')
    const { waiting, failure } = JSON.parse(stdout).landing
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${path} has existed for `)])
    expect([waiting?.lock, failure]).toContainEqual(waiting === null ? expect.stringContaining(path) : path)
    rmSync(path)
    expect(repo.gza('work', '--all').code).toBe(0)
    expect(repo.task(number).landings.map(({ outcome }) => outcome)).toEqual(['landed'])
  }
})
