import { expect, test } from 'bun:test'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { outputOf } from '../../support/ledger-answers.ts'
import type { Repo } from '../../support/repo.ts'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'
import { until } from '../../support/until.ts'
import { aSharedRepo, cloneId, dieAtWork, HOST, isRunning, SLOW, show, workInBackground } from './clone-repos.ts'

test('a moved repository is the same clone: its dead run is recovered with its work', async () => {
  const repo = await dieAtWork(anAgentRepo(SLOW))
  const before = cloneId(repo)
  renameSync(repo.dir, repo.beside('moved'))
  const moved = at(repo, 'moved')
  repo.write('../go', '')
  const { stdout } = moved.gza('work', '--all')
  expect(stdout).toContain('The run of task #1 was interrupted; its work is kept on ')
  expect(show(moved, '1').runs.map(({ outcome }) => outcome)).toEqual(['interrupted', 'completed'])
  const branch = JSON.parse(moved.gza('show', '1', '--json').stdout).branch
  expect(moved.git('log', '--format=%s', `main..${branch}`)).toContain('WIP: slow (interrupted)')
  expect([cloneId(moved), repo.survivors()]).toEqual([before, []])
})

test('a repository that is moved while gza works in it stops that gza, which makes nothing in the old place', async () => {
  const repo = anAgentRepo(SLOW)
  repo.add('slow')
  const working = repo.start(['gza', 'work', '--all'])
  await until(() => repo.run(['test', '-e', repo.beside('pid')], { cwd: '/' }).code === 0, 'the agent works')
  renameSync(repo.dir, repo.beside('moved'))
  const { code, stderr } = await working
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^Error: \S+ does not exist any more\n {2}If the repo/m)])
  expect([existsSync(repo.dir), repo.survivors()]).toEqual([false, []])
  repo.write('../go', '')
  const moved = at(repo, 'moved')
  expect(moved.gza('work', '--all').stdout).toContain('The run of task #1 was interrupted; its work is kept on ')
  expect(show(moved, '1').runs.map(({ outcome }) => outcome)).toEqual(['interrupted', 'completed'])
})

test('a copy of a repository neither ends nor repeats what an agent of the original works on', async () => {
  const repo = anAgentRepo(SLOW)
  repo.add('slow')
  repo.add('claimed')
  outputOf(repo.gza('claim', '2'))
  const { ended, agent } = await workInBackground(repo)
  const copy = copyOf(repo)
  expect(copy.gza('list').stdout.match(new RegExp(`in_progress on ${HOST}`, 'g'))?.length).toBe(2)
  const work = copy.gza('work', '--all')
  expect([work.code, work.stdout + work.stderr]).toEqual([0, expect.not.stringContaining('interrupted')])
  expect(copy.gza('work', '1').code).toBe(1)
  expect([isRunning(agent), copy.gza('ps').stdout]).toEqual([true, ''])
  // What it files itself is its own.
  outputOf(copy.gza('add', 'quick'))
  outputOf(copy.gza('work', '--all'))
  expect([show(copy, '3').status, cloneId(copy) === cloneId(repo)]).toEqual(['completed', false])
  repo.write('../go', '')
  expect(await ended).toBe(0)
  expect([show(repo, '1').status, show(repo, '2').status]).toEqual(['completed', 'in_progress'])
  expect(repo.calls().map(({ title }) => title)).toEqual(['slow', 'quick'])
})

test('a person takes a run over in a copy, beside the agent of the original', async () => {
  const repo = anAgentRepo(SLOW)
  repo.add('slow')
  const { ended, agent } = await workInBackground(repo)
  const copy = copyOf(repo)
  const taking = copy.start(['gza', 'work', '1', '--take-over'])
  await until(() => repo.calls().length === 2, 'the second agent works')
  expect([isRunning(agent), repo.worktrees().length]).toEqual([true, 1])
  repo.write('../go', '')
  expect([(await taking).code, await ended]).toEqual([0, 0])
  expect([show(repo, '1').status, show(copy, '1').status]).toEqual(['completed', 'completed'])
})

test('a backup that was restored in place is another clone: its runs wait for a person, who takes them over', async () => {
  const repo = await dieAtWork(anAgentRepo(SLOW))
  outputOf(repo.run(['cp', '-a', repo.dir, repo.beside('backup')]))
  // The inode must not be free for the copy, as it could be after a plain rm.
  renameSync(repo.dir, repo.beside('gone'))
  outputOf(repo.run(['cp', '-a', repo.beside('backup'), repo.dir], { cwd: '/' }))
  rmSync(repo.beside('gone'), { recursive: true })
  repo.write('../go', '')
  outputOf(repo.gza('work', '--all'))
  expect(show(repo, '1')).toMatchObject({ status: 'in_progress', running_on: HOST })
  expect(repo.calls().length).toBe(1)
  outputOf(repo.gza('work', '1', '--take-over'))
  expect(show(repo, '1')).toMatchObject({
    status: 'completed',
    runs: [{ outcome: 'interrupted' }, { outcome: 'completed' }],
  })
})

test('in a copy that was made while an agent worked, and in a repository that was moved after a crash, its remote stays', async () => {
  const repo = aSharedRepo()
  repo.git('config', 'core.hooksPath', 'own-hooks')
  repo.add('slow')
  repo.add('quick')
  const { worker, ended, agent } = await workInBackground(repo)
  const before = configOf(repo)
  const copy = copyOf(repo)
  outputOf(copy.gza('work', '2'))
  expect([configOf(copy), JSON.parse(outputOf(copy.gza('inbox', '--json')))]).toEqual([before, []])
  expect(existsSync(join(copy.dir, '.git/gza/guard/held'))).toBe(false)
  worker.kill('SIGKILL')
  await ended
  process.kill(agent, 'SIGKILL')
  // What was planted is still put back there.
  repo.git('config', 'core.sshCommand', 'planted')
  renameSync(repo.dir, repo.beside('moved'))
  repo.write('../go', '')
  const moved = at(repo, 'moved')
  outputOf(moved.gza('work', '--all'))
  expect(configOf(moved)).toBe(before)
  expect(JSON.parse(outputOf(moved.gza('inbox', '--json')))).toMatchObject([
    { code: 'SETTINGS_PUT_BACK', detail: expect.stringContaining('core.sshcommand in .git/config was added') },
  ])
})

function configOf({ dir }: Repo): string {
  return readFileSync(join(dir, '.git/config'), 'utf8')
}

function copyOf(repo: AgentRepo): Repo {
  outputOf(repo.run(['cp', '-a', repo.dir, repo.beside('copy')]))
  return at(repo, 'copy')
}

/** The repository in another folder beside it. */
function at(repo: AgentRepo, name: string): Repo {
  const cwd = repo.beside(name)
  const run: Repo['run'] = (argv, options) => repo.run(argv, { cwd, ...options })
  const git: Repo['git'] = (...args) => outputOf(run(['git', ...args]))
  const start: Repo['start'] = (argv, options) => repo.start(argv, { cwd, ...options })
  return { ...repo, dir: cwd, run, start, git, gza: (...args) => run(['gza', ...args]) }
}
