import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { isBox } from '../../../src/core/isolation/levels.ts'
import { spawnProgram } from '../../support/spawn-gza.ts'
import { until } from '../../support/until.ts'
import { anIsolatedRepo, expectNothingLeft, type IsolatedRepo, LEVELS } from '../runs/isolated-repo.ts'

/** Its first call never ends; it leaves a process in a session of its own, and a file in its /tmp. */
const ENDLESS = `
beside=$(cat beside.txt)
[ ! -e "$beside/again" ] || { echo '# pass 3'; echo '# fail 0'; exit; }
touch /tmp/left built
git config core.hooksPath elsewhere
setsid "$beside/lurk" &
touch "$beside/again"
exec tail -f "$beside/agent"
`

function anEndless(level: (typeof LEVELS)[number], config: Record<string, unknown>): IsolatedRepo {
  const files = { 'endless.sh': ENDLESS, '.gitignore': 'built\n' }
  const repo = anIsolatedRepo(level, {}, { config, files, defaults: { max_attempts: 1 } })
  repo.commit('where', { 'beside.txt': repo.beside('') })
  repo.add('One')
  return repo
}

const COMMANDS = {
  'set-up': { worktree: { setup: 'sh endless.sh' } },
  'the check of a run': { verify: { command: '[ $(ls | wc -l) = 4 ] || sh endless.sh' } },
  'the base check': { verify: { command: 'sh endless.sh' } },
}

/** After a kill -9, what Landlock held is ended when work starts again. */
const BOXES = LEVELS.filter(isBox)

for (const level of BOXES) {
  for (const [what, config] of Object.entries(COMMANDS).slice(level === BOXES[0] ? 0 : -1)) {
    test(`${level}: after kill -9 of gza during ${what} nothing of its box is left, and the next gza continues`, async () => {
      const repo = anEndless(level, config)
      const work = spawnProgram(repo, repo.commandLine('work', '--all'))
      await until(() => existsSync(repo.beside('again')))
      work.process.kill('SIGKILL')
      await work.ended
      await until(() => repo.survivors().length === 0)
      const { code, stdout, stderr } = repo.work('--all')
      expect(code, stdout + stderr).toBe(0)
      expect(repo.statuses()).toEqual({ One: 'completed' })
      expect(repo.inbox()).toEqual([])
      expectNothingLeft(repo)
    })
  }

  test(`${level}: TERM during a check ends it with all that it has started, and no attempt is lost`, async () => {
    const repo = anEndless(level, COMMANDS['the check of a run'])
    const work = spawnProgram(repo, repo.commandLine('work', '--all'))
    await until(() => existsSync(repo.beside('again')))
    work.process.kill('SIGTERM')
    await work.ended
    expect(repo.task('1').runs).toMatchObject([{ outcome: 'interrupted' }])
    expect(repo.survivors()).toEqual([])
    expect(repo.work('--all').code).toBe(0)
    expectNothingLeft(repo)
  })

  test(`${level}: a check has its time limit, and tests are counted and failures named as without a box`, () => {
    const limited = anEndless(level, { verify: { command: 'sh endless.sh', timeout_minutes: 0.02 } })
    const late = limited.work('--all', '--no-base-check')
    expect(late.code, late.stdout + late.stderr).toBe(1)
    expect(limited.task('1').runs).toMatchObject([
      {
        reason: 'verify-failed',
        detail: expect.stringContaining('timed-out: sh endless.sh had not ended after 1.2 s'),
      },
    ])
    expect(limited.survivors()).toEqual([])
    const tap = ['ok 1 - adds up', 'not ok 2 - cart', '# tests 2', '# pass 1', '# fail 1', '# duration_ms 5']
    const command = `printf '${tap.join('\\n')}\\n'; kill -9 $$`
    const counted = anEndless(level, { verify: { command } })
    counted.work('--all', '--no-base-check')
    const [run] = counted.task('1').runs
    expect(String(run?.detail)).toStartWith('command-failed: printf')
    expect(String(run?.detail)).toContain('was ended by SIGKILL: cart')
    expect(run?.checks).toMatchObject({ passed: 1, failed: 1 })
  })
}
