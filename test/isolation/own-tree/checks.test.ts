import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { spawnProgram } from '../../support/spawn-gza.ts'
import { until } from '../../support/until.ts'
import { expectNothingLeft } from '../runs/isolated-repo.ts'
import { anOwnTree, BOXES, DONE } from './own-tree-repo.ts'

/** The check runs a script that the agent has written. */
const CONFIG = { verify: { command: 'sh ./check.sh' } }

const ESCAPE = `
git update-ref refs/heads/precious HEAD~1
git config core.fsmonitor /bin/false
cat ~/.config/gza/config.yaml
cat .git/gza/live.db
git init -q planted
test -s a.txt`

for (const level of BOXES) {
  test(`${level}: the checks of a task in the person’s tree run in a box too`, () => {
    const act = `save check.sh "$(cat "$beside/escape")" && git add check.sh && commit a.txt a && git commit -qm check; ${DONE}`
    const repo = anOwnTree(level, { Work: act }, { config: CONFIG })
    repo.run(['sh', '-c', `cat >'${repo.beside('escape')}'`], { stdin: ESCAPE })
    repo.git('branch', 'precious')
    const precious = repo.git('rev-parse', 'precious')
    repo.add('Work')
    const { stdout, stderr } = repo.runTasks('--once')
    expect(repo.task('1').runs, stdout + stderr).toMatchObject([{ outcome: 'completed', isolation: level }])
    expect(stdout).toContain('a repository appeared in planted')
    expect(repo.inbox()).toMatchObject([{ code: 'NESTED_REPOSITORY', subject: 'planted' }])
    expect(repo.git('rev-parse', 'precious')).toBe(precious)
    expect(repo.run(['git', 'config', 'core.fsmonitor']).code).toBe(1)
    expectNothingLeft(repo)
  })

  test(`${level}: after kill -9 during a check nothing is left, and the task is tried again`, async () => {
    const command = 'test -e again.txt || { touch "$HOME/checking"; tail -f a.txt; }'
    const act = `if [ -e a.txt ]; then commit again.txt a; else commit a.txt a; fi; ${DONE}`
    const repo = anOwnTree(level, { Work: act }, { config: { verify: { command } } })
    repo.add('Work')
    const run = spawnProgram(repo, repo.runLine('--once'))
    await until(() => existsSync(`${repo.env.HOME}/checking`))
    run.process.kill('SIGKILL')
    await run.ended
    await until(() => repo.survivors().length === 0)
    repo.gza('edit', '1', '--reopen')
    const { code, stdout, stderr } = repo.runTasks()
    expect(code, stdout + stderr).toBe(0)
    expect(repo.git('log', '--format=%s')).toBe('Work: again.txt\nWork: a.txt\nfirst')
    expectNothingLeft(repo)
  })
}
