import { expect, test } from 'bun:test'
import { outputOf } from '../../support/ledger-answers.ts'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'
import { until } from '../../support/until.ts'
import { changeLeases, SLOW, show, workInBackground } from './clone-repos.ts'

/** A PID namespace with its own /proc, like a container that has the repository mounted. */
const CONTAINER = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--mount-proc']

test('the host neither ends nor repeats what an agent in a container works on', async () => {
  const repo = anAgentRepo(SLOW)
  repo.add('slow')
  const { ended } = await workInBackground(repo, CONTAINER)
  leavesAlone(repo, [])
  // Two minutes of the monotonic clock decide. The wall clock does not: the machine may have been suspended.
  changeLeases(repo, "beat_at = '2026-01-01T00:00:00Z'")
  leavesAlone(repo, [])
  repo.write('../go', '')
  expect(await ended).toBe(0)
  expect([show(repo, '1').status, repo.calls().length]).toEqual(['completed', 1])
})

test('a container neither ends nor repeats what an agent on the host works on', async () => {
  const repo = anAgentRepo(SLOW)
  repo.add('slow')
  outputOf(repo.gza('trust'))
  const { ended } = await workInBackground(repo)
  leavesAlone(repo, CONTAINER)
  repo.write('../go', '')
  expect(await ended).toBe(0)
  expect([show(repo, '1').status, repo.calls().length]).toEqual(['completed', 1])
})

test('a worker in a container that died is recovered once its last sign of life is two minutes old', async () => {
  const repo = await withDeadContainer()
  leavesAlone(repo, [])
  changeLeases(repo, 'beat_clock = beat_clock - 121')
  recovers(repo)
})

test('on another machine with the same repository the wall clock counts', async () => {
  const repo = await withDeadContainer()
  changeLeases(repo, "machine_id = 'another', boot_id = 'another', beat_clock = 0")
  leavesAlone(repo, [])
  changeLeases(repo, "beat_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-121 seconds')")
  recovers(repo)
})

test('after a restart of the machine its workers are dead, however recent their last sign of life is', async () => {
  const repo = await withDeadContainer()
  changeLeases(repo, "boot_id = 'before the restart'")
  recovers(repo)
})

function leavesAlone(repo: AgentRepo, place: string[]): void {
  const run = (...args: string[]) => repo.run([...place, 'gza', ...args])
  expect(JSON.parse(outputOf(run('show', '1', '--json'))).status).toBe('in_progress')
  const { code, stdout, stderr } = run('work', '--all')
  expect([code, stdout + stderr]).toEqual([0, expect.not.stringContaining('interrupted')])
  expect(repo.calls().length).toBe(1)
}

function recovers(repo: AgentRepo): void {
  repo.write('../go', '')
  expect(repo.gza('work', '--all').stdout).toContain('The run of task #1 was interrupted; its work is kept on ')
  expect(show(repo, '1').runs.map(({ outcome }) => outcome)).toEqual(['interrupted', 'completed'])
  expect(repo.worktrees()).toEqual([])
}

async function withDeadContainer(): Promise<AgentRepo> {
  const repo = anAgentRepo(SLOW)
  repo.add('slow')
  const { worker, ended } = await workInBackground(repo, CONTAINER)
  worker.kill('SIGKILL')
  await ended
  await until(() => repo.survivors().length === 0, 'all processes of the container have ended')
  return repo
}
