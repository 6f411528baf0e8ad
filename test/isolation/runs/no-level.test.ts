import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bin } from '../../support/built-program.ts'
import type { Result } from '../../support/repo.ts'
import { anIsolatedRepo, expectNothingLeft, type IsolatedRepo } from './isolated-repo.ts'
import { CAN_HIDE_LEVELS, withoutLevels } from './without-levels.ts'

const ACT = `
git update-ref -d refs/tasks/main 2>"$beside/ledger"; git push "$beside/remote" HEAD 2>"$beside/push"
gza note "$task" 'done by hand' >/dev/null; commit a.txt a; save left.txt left; setsid sleep 300 >/dev/null 2>&1 &`

function startedOn(repo: IsolatedRepo): (...args: string[]) => Result {
  const start = withoutLevels(repo.beside(''))
  return (...args) => repo.run([...start, bin('gza'), ...args])
}

if (CAN_HIDE_LEVELS)
  test('without any level a run works under the guard, says so, and doctor explains it', () => {
    const repo = anIsolatedRepo(
      'bubblewrap',
      { else: ACT },
      { config: { land: 'merge', verify: { command: 'test -e start.txt' } }, files: { 'start.txt': 'start\n' } },
    )
    const gza = startedOn(repo)
    repo.add('Held by nothing')
    const worked = gza('work', '1')
    expect(worked.code, worked.stdout + worked.stderr).toBe(0)
    expect(worked.stderr + worked.stdout).toContain(
      'isolation: auto is set, but this machine can make no box: agents run under the guard alone (gza doctor)',
    )
    const task = repo.task('1')
    expect(task.runs).toMatchObject([{ outcome: 'completed', isolation: 'none' }])
    expect(task.landings).toMatchObject([{ outcome: 'landed' }])
    expect(task.notes).toEqual(['done by hand'])
    expect(repo.git('show', 'main:left.txt')).toBe('left')
    expect(repo.gza('show', '1').stdout).toContain('isolation: none')
    expect(readFileSync(repo.beside('ledger'), 'utf8')).toContain('ledgers are not deleted')
    expect(readFileSync(repo.beside('push'), 'utf8')).toContain('gza')
    expectNothingLeft(repo)

    const found = JSON.parse(gza('doctor', '--json').stdout).filter(
      ({ name }: { name: string }) => name === 'isolation',
    )
    expect(found[0]).toMatchObject({
      state: 'warn',
      detail: expect.stringMatching(
        /^auto: no box, and no Landlock \(bubblewrap: bwrap is not .*; unshare: .*; landlock: the kernel does not have it/,
      ),
      next: expect.stringContaining('Install bubblewrap'),
    })
  })

if (CAN_HIDE_LEVELS)
  test('without any level a box that is required is refused, with the reason of each level', () => {
    const repo = anIsolatedRepo('bubblewrap', {}, { isolation: 'required' })
    repo.add('Not held')
    const { code, stderr } = startedOn(repo)('work', '1')
    expect(code).toBe(1)
    expect(stderr).toContain(
      'isolation is required, but this machine can make no box (bubblewrap: bwrap is not installed;',
    )
    expect(stderr).toContain('gza doctor says what this machine needs for it')
    expect(repo.task('1').runs ?? []).toEqual([])
  })

if (CAN_HIDE_LEVELS)
  test('without any level strict still works under the guard, and says that the home folder is open', () => {
    const act = 'touch "$HOME/planted"; commit a.txt a'
    const repo = anIsolatedRepo('bubblewrap', { else: act }, { isolation: 'strict' })
    const gza = startedOn(repo)
    repo.add('Held by nothing')
    const worked = gza('work', '1')
    expect(worked.code, worked.stdout + worked.stderr).toBe(0)
    expect(worked.stderr + worked.stdout).toContain(
      'isolation: strict is set, but this machine can make no box: agents run under the guard alone, and your home ' +
        'folder is writable (gza doctor)',
    )
    expect(existsSync(join(repo.env.HOME ?? '', 'planted'))).toBe(true)
    expect(repo.task('1').runs).toMatchObject([{ outcome: 'completed', isolation: 'none' }])
    expect(repo.gza('show', '1').stdout).toContain('isolation: none')
    const [found] = JSON.parse(gza('doctor', '--json').stdout).filter(
      ({ name }: { name: string }) => name === 'isolation',
    )
    expect(found).toMatchObject({ state: 'warn', detail: expect.stringMatching(/^strict: no box, and no Landlock/) })
  })

const REFUSING = { 'git-tasks': ['run', '--once'], gza: ['merge', '1'] } as const

if (CAN_HIDE_LEVELS)
  for (const name of ['git-tasks', 'gza'] as const)
    test(`without any level a box that is required is refused by ${name} ${REFUSING[name][0]} too`, () => {
      const repo = anIsolatedRepo('bubblewrap', {}, { isolation: 'required', config: { verify: { command: 'true' } } })
      repo.add('Not held')
      repo.work('1')
      const before = [repo.git('rev-parse', 'main'), repo.task('1').runs.length]
      const { code, stderr } = repo.run([...withoutLevels(repo.beside('')), bin(name), ...REFUSING[name]])
      expect(code).toBe(1)
      expect(stderr).toContain('isolation is required, but this machine can make no box (bubblewrap: ')
      expect([repo.git('rev-parse', 'main'), repo.task('1').runs.length]).toEqual(before)
    })
