import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { processStartTime } from '../../src/platform/processes/process-identity.ts'
import { takeLease } from '../../src/state/live/leases.ts'
import { openLive } from '../../src/state/live/open-live.ts'
import { aRepo, type Repo } from '../support/repo.ts'

test('a task somebody works on is in progress, and pending again when that process is gone', () => {
  const repo = aGroup()
  lease(repo, '2', { pid: process.pid, start_time: processStartTime(process.pid) as string })
  const today = new Date().toISOString().slice(5, 10).replace('-', '/')
  expect(repo.gza('status', 'tarantino-v2').stdout).toBe(
    [
      'Group: tarantino-v2',
      `  ✓ 1. Plan ImageTransform system          completed  ${today}`,
      '  → 2. Implement ImageTransform            in_progress',
      '  ○ 3. Review ImageTransform impl          pending (blocked by #2)',
      '',
    ].join('\n'),
  )
  expect(repo.gza('groups').stdout).toBe('tarantino-v2      3 tasks (1 pending, 1 in_progress, 1 completed)\n')
  expect(JSON.parse(repo.gza('ready', '--json').stdout)).toEqual([])

  lease(repo, '2', { pid: process.pid, start_time: 'another start time' })
  expect(JSON.parse(repo.gza('show', '2', '--json').stdout).status).toBe('pending')
})

test('a run that another machine started and has not ended makes its task in progress there', () => {
  const repo = aGroup()
  const lines = repo.gza('export').stdout.trimEnd().split('\n')
  const task = JSON.parse(lines[1] as string)
  const run = { run: 'r1', attempt: 1, machine: 'far-away', started_at: '2026-01-29T10:00:00Z' }
  repo.write('runs.jsonl', `${JSON.stringify({ ...task, runs: [run] })}\n`)
  expect(repo.gza('import', 'runs.jsonl').code).toBe(0)
  expect(repo.gza('status', 'tarantino-v2').stdout).toContain(
    '  → 2. Implement ImageTransform            in_progress (far-away)',
  )
  expect(repo.gza('next').stdout).not.toContain('Implement')
})

function aGroup(): Repo {
  const repo = aRepo()
  repo.commit('first')
  repo.gza('add', 'Plan ImageTransform system', '--type', 'plan', '--group', 'tarantino-v2')
  repo.gza('add', 'Implement ImageTransform', '--type', 'implement', '--based-on', '1', '--group', 'tarantino-v2')
  repo.gza('add', 'Review ImageTransform impl', '--type', 'review', '--based-on', '2', '--group', 'tarantino-v2')
  repo.gza('done', '1')
  return repo
}

function lease(repo: Repo, ref: string, holder: { pid: number; start_time: string }): void {
  const { uid } = JSON.parse(repo.gza('show', ref, '--json').stdout)
  const live = openLive(join(repo.dir, '.git/gza/live.db'))
  const place = { ledger: 'main', holder: 'test', expires_at: null, head: null, branch: null, path: null }
  const now = '2026-01-29T10:00:00Z'
  takeLease(live, { uid, run: 'r1', machine: 'here', taken_at: now, ...place, ...holder }, { now, takeOver: true })
  live.close()
}
