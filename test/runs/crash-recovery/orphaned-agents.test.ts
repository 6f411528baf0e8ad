import { expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { InboxItem } from '../../../src/reports/inbox-item.ts'
import type { ShownRun } from '../../../src/runs/watch/list-and-kill.ts'
import { anAgentRepo } from '../../support/scripted-agent.ts'
import { spawnGza } from '../../support/spawn-gza.ts'
import { until } from '../../support/until.ts'
import { type CrashScenario, expectOk, NOTHING, processesIn, remains, subjects, withDeadWorker } from './crash-repo.ts'

test('after a kill -9 of gza every command that shows runs names the orphaned agent, and kill ends it', async () => {
  const scenario = await withDeadWorker()
  const { repo } = scenario
  const [orphan] = psOf(scenario)
  expect(orphan).toMatchObject({ number: 1, run: scenario.show(1).runs[0]?.run })
  expect(orphan?.orphan?.pids.length).toBeGreaterThanOrEqual(3)
  const pids = orphan?.orphan?.pids.join(', ')

  const ps = repo.gza('ps')
  expect(ps.stdout).toMatch(new RegExp(`^#1  scripted  orphaned  .*pid ${pids}; run ${orphan?.run}`))
  const line = `The gza that worked on task #1 has died, but ${orphan?.orphan?.pids.length} processes of it still run`
  const next = 'gza kill 1 ends its run and keeps its work'
  for (const text of [ps.stderr, repo.gza('status').stderr, repo.gza('doctor').stdout, repo.gza('why', '1').stdout]) {
    expect(text).toContain(line)
    expect(text).toContain(next)
  }
  expect(repo.tasks('status').stderr).toContain('git tasks kill 1 ends its run')
  const inbox: InboxItem[] = JSON.parse(repo.gza('inbox', '--json').stdout)
  expect(inbox).toMatchObject([{ code: 'ORPHANED', task: { number: 1 }, commands: ['gza kill 1', 'gza logs 1'] }])
  const release = repo.gza('release', '1')
  expect(release.stderr).toContain('#1 is not claimed: its gza has died')
  expect(release.stderr).toContain('gza kill 1')

  const { branch } = scenario.show(1)
  const killed = expectOk(repo.gza('kill', '1')).stdout
  expect(killed).toContain(`The run of task #1 was interrupted; its work is kept on ${branch}`)
  expect(processesIn(repo)).toEqual([])
  expect(remains(scenario)).toEqual(NOTHING)
  expect(subjects(scenario, 1)).toEqual(['WIP: chore-1 (interrupted)'])
  expect(scenario.show(1).runs.map(({ outcome }) => outcome)).toEqual(['interrupted'])
  expect([psOf(scenario), JSON.parse(repo.gza('inbox', '--json').stdout)]).toEqual([[], []])
  expect(JSON.parse(repo.gza('why', '1', '--json').stdout).code).toBe('READY')
  expect(repo.gza('kill', '1').stderr).toContain('is not running here')
  expect([repo.gza('status').stderr, repo.gza('ps').stderr]).toEqual(['', 'Nothing is running.\n'])
})

test('a task whose orphaned agent may still work is not deleted unasked, and kill also finds it when it was', async () => {
  const { repo, show } = await withDeadWorker()
  const { id } = show(1) as unknown as { id: string }
  const refused = repo.gza('delete', '1')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`worked on #1 (${id}) has died`)])
  expect(repo.gza('done', '1').stderr).toContain('may still work on it. gza kill 1 ends it and keeps its work')
  expectOk(repo.gza('delete', '1', '--yes'))
  expect(repo.gza('ps').stdout).toContain('#1  scripted  orphaned')
  expect(expectOk(repo.gza('kill', '1')).stdout).toContain('its work is kept on ')
  expect([processesIn(repo), repo.gza('ps').stdout]).toEqual([[], ''])
  expectOk(repo.gza('restore', '1'))
})

test('a gza that was killed is dead although its parent never asks for its end', async () => {
  const repo = anAgentRepo({ slow: 'echo a >a.txt; touch "$beside/here"; exec sleep 600' })
  repo.add('slow')
  const script = 'gza work & echo $! >../gza-pid; exec sleep 600'
  const parent = Bun.spawn(['sh', '-c', script], {
    cwd: repo.dir,
    env: repo.env,
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  await until(() => existsSync(repo.beside('here')), 'the agent runs')
  const pid = Number(readFileSync(repo.beside('gza-pid'), 'utf8'))
  process.kill(pid, 'SIGKILL')
  await until(() => /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')), 'gza is dead')
  expect(repo.gza('ps').stdout).toMatch(/^#1 {2}scripted {2}orphaned /)
  expect(repo.gza('kill', '1').stdout).toContain('The run of task #1 was interrupted; its work is kept')
  expect(repo.gza('ps').stderr).toBe('Nothing is running.\n')
  parent.kill()
  await parent.exited
})

test('an orphaned agent is also found if the store of leases was lost, and if its task was closed meanwhile', async () => {
  const scenario = await withDeadWorker()
  const { repo } = scenario
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(repo.dir, `.git/gza/live.db${suffix}`), { force: true })
  expect(psOf(scenario)).toMatchObject([{ number: 1, orphan: { pids: expect.any(Array) } }])
  expectOk(repo.gza('done', '1'))
  expect(psOf(scenario)[0]?.orphan?.pids.length).toBeGreaterThanOrEqual(3)
  expectOk(repo.gza('kill', '1'))
  expect(remains(scenario)).toEqual(NOTHING)
  expect(scenario.show(1)).toMatchObject({ status: 'completed', runs: [{ outcome: 'interrupted' }] })
})

test('the check of a landing whose gza was killed is shown under the name of its base, and kill ends it', async () => {
  const command = 'test ! -e check-hangs || exec "$LURK" >/dev/null'
  // In a box it would end with its gza.
  const repo = anAgentRepo({}, { config: { verify: { command } }, isolation: 'off' })
  repo.add('one')
  expect(repo.gza('work').code).toBe(0)
  const branch = String(repo.task('1').branch)
  repo.git('checkout', '--quiet', branch)
  repo.commit('a check that never ends', { 'check-hangs': '' })
  repo.git('checkout', '--quiet', 'main')
  const merging = spawnGza(repo.withEnv({ LURK: repo.beside('lurk') }), 'merge', '1')
  await until(() => existsSync(repo.beside('lurkers')), 'the check runs')
  merging.process.kill('SIGKILL')
  await merging.ended
  // It has no name for a moment, while it becomes another program.
  await until(() => repo.survivors().length === 1, 'the check is left')
  const ps = repo.gza('ps')
  expect(ps.stdout).toMatch(/^- {2}landing {2}orphaned .*pid \d+/)
  expect(ps.stderr).toContain('The gza that worked on the landing on main has died')
  expect(ps.stderr).toContain('gza kill land:main ends it')
  expect(repo.gza('kill', 'land:main').code).toBe(0)
  expect([repo.survivors(), repo.worktrees()]).toEqual([[], []])
  expect(repo.gza('ps').stderr).toBe('Nothing is running.\n')
})

test('a check of the base whose gza was killed is shown, and kill or the next work ends it and leaves nothing', async () => {
  const config = { verify: { command: 'test ! -e check-hangs || exec "$LURK" >/dev/null' } }
  // In a box it would end with its gza.
  const repo = anAgentRepo({}, { config, isolation: 'off' })
  repo.add('one')
  repo.commit('a check that never ends', { 'check-hangs': '' })
  const killed = async () => {
    rmSync(repo.beside('lurkers'), { force: true })
    const working = spawnGza(repo.withEnv({ LURK: repo.beside('lurk') }), 'work', '--all')
    await until(() => existsSync(repo.beside('lurkers')), 'the check runs')
    working.process.kill('SIGKILL')
    await working.ended
    await until(() => repo.survivors().length === 1, 'the check is left')
  }
  await killed()
  const ps = repo.gza('ps')
  expect(ps.stdout).toMatch(/^- {2}base check {2}orphaned .*pid \d+/)
  expect(ps.stderr).toMatch(
    /The gza that worked on the check of main has died, but 1 process of it still runs: pid \d+\./,
  )
  expect(ps.stderr).toContain('gza kill land:main ends it; the next gza work does the same.\n')
  expect(repo.inbox()).toMatchObject([
    { code: 'ORPHANED', subject: 'the check of main', commands: ['gza kill land:main'] },
  ])
  expect(repo.gza('kill', 'land:main')).toEqual({
    code: 0,
    stdout: 'Ended the check of main; 1 process of it was ended\n',
    stderr: '',
  })
  expect([repo.survivors(), repo.worktrees(), repo.inbox()]).toEqual([[], [], []])
  await killed()
  repo.git('rm', '--quiet', 'check-hangs')
  repo.commit('a check that ends', {})
  expectOk(repo.gza('work', '--all'))
  expect([repo.survivors(), repo.worktrees(), repo.inbox()]).toEqual([[], [], []])
  expect(repo.statuses()).toEqual({ one: 'completed' })
})

test('no process is looked at for commands that only list tasks, and none of another clone is ever named', async () => {
  const scenario = await withDeadWorker()
  const { repo } = scenario
  for (const args of [['list'], ['next'], ['ready'], ['show', '1']]) expect(repo.gza(...args).stderr).toBe('')
  const copy = join(repo.dir, '../copy')
  repo.run(['cp', '-r', repo.dir, copy])
  const there = repo.run(['gza', 'ps', '--json'], { cwd: copy })
  expect(JSON.parse(there.stdout)).toEqual([])
  expect(repo.run(['gza', 'kill', '1'], { cwd: copy }).code).toBe(1)
  expect(processesIn(repo).length).toBeGreaterThanOrEqual(3)
  expectOk(repo.gza('kill', '1'))
  expect(remains(scenario)).toEqual(NOTHING)
})

function psOf({ repo }: CrashScenario): ShownRun[] {
  return JSON.parse(expectOk(repo.gza('ps', '--json')).stdout)
}
