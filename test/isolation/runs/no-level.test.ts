/** A machine with nothing that holds a process: no bubblewrap, no unshare, no Landlock. */
import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { isHere, TOOLS } from '../../../scripts/install-tools.ts'
import { bin } from '../../support/built-program.ts'
import type { Result } from '../../support/repo.ts'
import { anIsolatedRepo, expectNothingLeft, type IsolatedRepo } from './isolated-repo.ts'

/** A filter of the kernel: the call that makes a set of rules of Landlock fails as on a kernel without it. */
const NO_LANDLOCK = Buffer.from(
  [
    ['20000000', '00000000'], // load the number of the call
    ['15000001', 'bc010000'], // 444, landlock_create_ruleset?
    ['06000000', '26000500'], // ENOSYS
    ['06000000', '0000ff7f'], // allowed
  ]
    .flat()
    .join(''),
  'hex',
)

const START = [
  'exec 9<"$0"; hidden=; for each in bwrap setpriv; do hidden="$hidden --ro-bind /dev/null $(command -v $each)"; done',
  'exec bwrap --dev-bind / / $hidden --cap-add ALL --seccomp 9 -- "$@"',
].join('\n')

const CAN_START = process.getuid?.() === 0 && isHere(TOOLS.bubblewrap)

const ACT = `
git update-ref -d refs/tasks/main 2>"$beside/ledger"; git push "$beside/remote" HEAD 2>"$beside/push"
gza note "$task" 'done by hand' >/dev/null; commit a.txt a; save left.txt left; setsid sleep 300 >/dev/null 2>&1 &`

function startedOn(repo: IsolatedRepo): (...args: string[]) => Result {
  const filter = repo.beside('filter')
  writeFileSync(filter, NO_LANDLOCK)
  return (...args) => repo.run(['sh', '-c', START, filter, bin('gza'), ...args])
}

if (!CAN_START) console.warn('NOT TESTED: a machine without any level, which needs root and bubblewrap to be made')
else
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

if (CAN_START)
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
