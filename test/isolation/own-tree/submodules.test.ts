import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnProgram } from '../../support/spawn-gza.ts'
import { until } from '../../support/until.ts'
import { expectNothingLeft } from '../runs/isolated-repo.ts'
import { anOwnTree, BOXES, DONE, type OwnTreeRepo } from './own-tree-repo.ts'

const ADD = 'git -c protocol.file.allow=always submodule --quiet add "$beside/library.git" libs/one'

/** It also commits in the submodule, which no other repository has, and plants a program there. */
const ACT = `
${ADD} && (cd libs/one && commit inside.txt inside && git config core.fsmonitor "touch $beside/ran" &&
  save "$(git rev-parse --git-dir)/hooks/post-checkout" "touch $beside/ran")
git add libs/one && git commit -qm 'add a submodule'`

function aTree(level: (typeof BOXES)[number], act: string): OwnTreeRepo {
  const repo = anOwnTree(level, { else: act })
  repo.git('init', '-q', '--bare', repo.beside('library.git'))
  repo.git('push', '-q', repo.beside('library.git'), 'main')
  repo.add('Add')
  return repo
}

function expectSubmodule(repo: OwnTreeRepo): void {
  expect(repo.git('status', '--porcelain')).toBe('')
  expect(repo.git('-C', 'libs/one', 'status', '--porcelain')).toBe('')
  expect(repo.git('-C', 'libs/one', 'log', '-1', '--format=%s')).toBe('Add: inside.txt')
  expect(repo.git('-C', 'libs/one', 'rev-parse', 'HEAD')).toBe(repo.git('rev-parse', 'main:libs/one'))
  expect(repo.git('-C', 'libs/one', 'config', 'remote.origin.url')).toBe(repo.beside('library.git'))
  repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init')
  repo.git('-C', 'libs/one', 'fsck', '--no-dangling', '--no-progress')
  expect(existsSync(repo.beside('ran'))).toBe(false)
  expectNothingLeft(repo)
}

for (const level of BOXES) {
  test(`${level}: a submodule that an agent adds arrives with its commits, without its settings and hooks`, () => {
    const repo = aTree(level, `${ACT}; rm -f "$beside/ran"; ${DONE}`)
    const { code, stdout, stderr } = repo.runTasks('--once')
    expect(code, stdout + stderr).toBe(0)
    expect(repo.task('1').runs).toMatchObject([{ outcome: 'completed', isolation: level }])
    expect(repo.inbox()).toMatchObject([{ code: 'NESTED_REPOSITORY', subject: 'libs/one' }])
    expectSubmodule(repo)
    expect(existsSync(join(repo.dir, '.git/modules/libs/one/hooks'))).toBe(false)
  })

  test(`${level}: the same after kill -9 of gza`, async () => {
    const repo = aTree(
      level,
      `if [ -e libs/one/inside.txt ]; then commit second.txt x; ${DONE}; exit; fi
${ACT}; rm -f "$beside/ran"; touch "$beside/again"; forever`,
    )
    const run = spawnProgram(repo, repo.runLine('--once'))
    await until(() => existsSync(repo.beside('again')))
    run.process.kill('SIGKILL')
    await run.ended
    await until(() => repo.survivors().length === 0)
    const { code, stdout, stderr } = repo.runTasks('--once')
    expect(code, stdout + stderr).toBe(0)
    expectSubmodule(repo)
  })

  test(`${level}: in a linked worktree`, () => {
    const repo = aTree(level, `${ACT}; rm -f "$beside/ran"; ${DONE}`)
    const dir = repo.beside('linked')
    repo.git('worktree', 'add', '-q', '-b', 'feature', dir)
    const at = { cwd: dir }
    repo.run(['gza', 'add', 'Add'], at)
    const { code, stdout, stderr } = repo.run(repo.runLine('--once'), at)
    expect(code, stdout + stderr).toBe(0)
    expect(repo.run(['git', 'status', '--porcelain'], at)).toMatchObject({ code: 0, stdout: '' })
    expect(repo.git('-C', join(dir, 'libs/one'), 'log', '-1', '--format=%s')).toBe('Add: inside.txt')
    expect(readFileSync(join(dir, 'libs/one/.git'), 'utf8')).toBe(
      `gitdir: ${join(repo.dir, '.git/worktrees/linked/modules/libs/one')}\n`,
    )
    expect(existsSync(repo.beside('ran'))).toBe(false)
  })
}

test('a submodule with an odd name is not brought, and nothing of it is lost', () => {
  const [level = 'bubblewrap'] = BOXES
  const add = ADD.replace('submodule --quiet add', "submodule --quiet add --name 'an\\odd name'")
  const repo = aTree(level, `${add} && git commit -qm 'add a submodule'; ${DONE}`)
  repo.runTasks('--once')
  expect(repo.inbox()).toMatchObject([{ code: 'NESTED_REPOSITORY', subject: 'libs/one' }])
  expect(existsSync(join(repo.dir, '.git/modules'))).toBe(false)
  const kept = repo.run(['find', `${repo.env.HOME}/.local/state/gza/private`, '-name', 'an?odd name']).stdout
  expect(kept).toContain('/git/modules/an\\odd name')
})
