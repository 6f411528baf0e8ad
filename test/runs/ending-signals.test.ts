import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { bin } from '../support/built-program.ts'
import { duringCheckout, FILTERED } from '../support/during-checkout.ts'
import { type AgentRepo, anAgentRepo } from '../support/scripted-agent.ts'
import { type SpawnedGza, spawnGza, spawnProgram } from '../support/spawn-gza.ts'
import { until } from '../support/until.ts'
import { openLeases } from './crash-recovery/crash-repo.ts'

/** Ignores SIGTERM, has a daemon that does so too, and never ends. */
const STUBBORN = 'trap "" TERM; save "$title.txt" "$title"; (setsid "$beside/lurk" >/dev/null 2>&1 &) ; "$beside/lurk"'

for (const [signal, code] of [
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  test(`${signal} ends work and every agent that ignores it, with the end recorded and the work kept`, async () => {
    const repo = anAgentRepo({ else: STUBBORN })
    repo.add('one')
    repo.add('two')
    const worker = spawnGza(repo, 'work', '--all', '--workers', '2')
    await lurkers(repo, 2)
    expect(await end(worker, signal)).toMatchObject({ code })
    expect(worker.printed()).toContain('Ending what is running now; its work is kept.')
    expect([repo.survivors(), openLeases(repo), repo.worktrees()]).toEqual([[], [], []])
    const { branch, runs, status } = repo.task('1')
    expect({ status, ends: runs.map(({ outcome, reason }) => [outcome, reason]) }).toEqual({
      status: 'pending',
      ends: [['interrupted', 'interrupted']],
    })
    expect(repo.git('log', '--format=%s', `main..${branch}`)).toBe('WIP: one (interrupted)')
    expect(repo.git('show', `${branch}:one.txt`)).toBe('one')
    expect([repo.why('1'), repo.gza('verify').code]).toEqual(['READY', 0])
  })
}

test('SIGTERM ends git tasks run and its agent, and the task stays open', async () => {
  const repo = anAgentRepo({ else: STUBBORN })
  repo.add('one')
  const running = spawnProgram(repo, [bin('git-tasks'), 'run', '--runner', repo.beside('agent')])
  await lurkers(repo, 2)
  expect(await end(running, 'SIGTERM')).toMatchObject({ code: 143 })
  expect([repo.survivors(), openLeases(repo)]).toEqual([[], []])
  expect(repo.task('1')).toMatchObject({ status: 'pending', runs: [{ outcome: 'interrupted' }] })
  expect(readFileSync(`${repo.dir}/one.txt`, 'utf8')).toBe('one\n')
})

test('SIGTERM ends the check of a landing, and nothing lands', async () => {
  const check = 'test ! -e hangs || { trap "" TERM; (setsid "$LURK" >/dev/null 2>&1 &); "$LURK" >/dev/null; }'
  const repo = anAgentRepo({}, { config: { verify: { command: check } } })
  repo.add('one')
  expect(repo.gza('work').code).toBe(0)
  const { branch } = repo.task('1')
  repo.git('checkout', '--quiet', String(branch))
  repo.commit('a check that does not end', { hangs: '' })
  repo.git('checkout', '--quiet', 'main')
  const main = repo.git('rev-parse', 'main')
  const merging = spawnGza(repo.withEnv({ LURK: repo.beside('lurk') }), 'merge', '1')
  await lurkers(repo, 2)
  expect(await end(merging, 'SIGTERM')).toMatchObject({ code: 143 })
  expect([repo.survivors(), openLeases(repo), repo.git('rev-parse', 'main')]).toEqual([[], [], main])
})

test('SIGTERM ends git that lays out a worktree', async () => {
  const repo = anAgentRepo({}, FILTERED)
  duringCheckout(repo, `exec ${repo.beside('lurk')}`)
  repo.add('one')
  const worker = spawnGza(repo, 'work')
  await lurkers(repo, 1)
  expect(await end(worker, 'SIGTERM')).toMatchObject({ code: 143 })
  expect([repo.survivors(), openLeases(repo)]).toEqual([[], []])
  expect(repo.task('1')).toMatchObject({ status: 'pending', runs: [{ outcome: 'interrupted' }] })
  expect(repo.gza('work').code).toBe(0)
  expect(repo.statuses()).toEqual({ one: 'completed' })
})

test('SIGTERM ends a filter in its box, and git that waits for it', async () => {
  const repo = anAgentRepo({}, { files: FILTERED.files ?? {} })
  // Its box is read-only, so it is found by its command line.
  const hanging = ['tail', '-f', repo.beside('agent')].join(' ')
  const isThere = () => repo.run(['pgrep', '-fx', hanging]).code === 0
  repo.git('config', 'filter.slow.smudge', hanging)
  repo.add('one')
  const worker = spawnGza(repo, 'work')
  await until(isThere, 'the filter runs')
  expect(await end(worker, 'SIGTERM')).toMatchObject({ code: 143 })
  expect([isThere(), repo.survivors(), openLeases(repo)]).toEqual([false, [], []])
  repo.git('config', 'filter.slow.smudge', 'cat')
  expect(repo.gza('work').code).toBe(0)
  expect(repo.statuses()).toEqual({ one: 'completed' })
})

test('SIGTERM ends the fetch before a task is repeated, and gza with it', async () => {
  const repo = anAgentRepo({})
  repo.add('one')
  expect(repo.gza('claim', '1').code).toBe(0)
  expect(repo.gza('release', '1').code).toBe(0)
  repo.git('remote', 'add', 'origin', 'ssh://far.invalid/repo.git')
  const worker = spawnGza(repo.withEnv({ GIT_SSH_COMMAND: `${repo.beside('lurk')} #` }), 'work')
  await lurkers(repo, 1)
  expect(await end(worker, 'SIGTERM')).toMatchObject({ code: 143 })
  // gza waits for git alone: what git started has got the signal too, and ends by itself.
  await until(() => repo.survivors().length === 0, 'the transport has ended')
  expect([openLeases(repo), repo.calls()]).toEqual([[], []])
})

test('a SIGHUP that was ignored at the start stays ignored', async () => {
  const wait = 'touch "$beside/ready"; until test -e "$beside/go"; do sleep 0.05; done; commit "$title.txt" x'
  const repo = anAgentRepo({ else: wait })
  repo.add('one')
  const worker = spawnProgram(repo, ['sh', '-c', `trap "" HUP; exec "${bin('gza')}" work`])
  await until(() => existsSync(repo.beside('ready')), 'the agent works')
  worker.process.kill('SIGHUP')
  repo.write('../go', '')
  expect(await worker.ended).toMatchObject({ code: 0 })
  expect(repo.statuses()).toEqual({ one: 'completed' })
})

test('SIGTERM ends a guarded command that ignores it, with its daemons', async () => {
  const repo = anAgentRepo({})
  const command = `trap "" TERM; (setsid ${repo.beside('lurk')} >/dev/null 2>&1 &); ${repo.beside('lurk')} >/dev/null`
  const guard = spawnGza(repo, 'guard', '--', 'sh', '-c', command)
  await lurkers(repo, 2)
  expect(await end(guard, 'SIGTERM')).toMatchObject({ code: 137 })
  expect(repo.survivors()).toEqual([])
})

test('work continues if nobody reads its output any more', async () => {
  const repo = anAgentRepo({})
  for (const title of ['one', 'two', 'three']) repo.add(title)
  const worker = spawnProgram(repo, ['sh', '-c', `"${bin('gza')}" work --all | true`])
  expect(await worker.ended).toMatchObject({ code: 0 })
  expect(repo.statuses()).toEqual({ one: 'completed', two: 'completed', three: 'completed' })
})

async function lurkers(repo: AgentRepo, count: number): Promise<void> {
  const file = repo.beside('lurkers')
  await until(() => existsSync(file) && readFileSync(file, 'utf8').split('\n').length > count, 'its processes run')
}

function end(gza: SpawnedGza, signal: NodeJS.Signals): SpawnedGza['ended'] {
  gza.process.kill(signal)
  return gza.ended
}
