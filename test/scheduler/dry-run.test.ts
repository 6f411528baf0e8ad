import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { WorkPlan } from '../../src/scheduler/choose/plan-work.ts'
import { outputOf } from '../support/ledger-answers.ts'
import { type AgentRepo, anAgentRepo } from '../support/scripted-agent.ts'

function planOf(repo: AgentRepo, ...args: string[]): WorkPlan {
  return JSON.parse(outputOf(repo.gza('work', '--dry-run', '--json', ...args)))
}

function batches(repo: AgentRepo, ...args: string[]): string[][] {
  return planOf(repo, ...args).batches.map((batch) => batch.map(({ title }) => title))
}

function codes(repo: AgentRepo, ...args: string[]): Record<string, string> {
  return Object.fromEntries(planOf(repo, ...args).not_run.map(({ title, code }) => [title, code]))
}

test('it prints what would run and why the rest would not, calls no agent and writes nothing', () => {
  const repo = anAgentRepo({}, { defaults: { model: 'large' } })
  repo.add('one')
  repo.add('two', '--after', '1')
  repo.add('three')
  const refs = repo.git('for-each-ref')
  const { code, stdout } = repo.gza('work', '--dry-run')
  const head = repo.git('rev-parse', 'HEAD')
  expect(code).toBe(0)
  expect(stdout.replaceAll(/\d{8}-/g, '')).toBe(
    [
      'Batch 1',
      '  #1 one',
      `    scripted, model large, on one from ${head.slice(0, 10)}`,
      'Not run',
      '  #2 two',
      '    BLOCKED: it waits for #1 (pending)',
      '1 more is ready: gza work --all',
      '',
    ].join('\n'),
  )
  expect(repo.calls()).toEqual([])
  expect(repo.git('for-each-ref')).toBe(refs)
  expect(repo.worktrees()).toEqual([])
  expect(existsSync(join(repo.dir, '.git/gza/live.db'))).toBe(false)
  expect(existsSync(join(repo.dir, '.gza'))).toBe(false)
  expect(repo.git('status', '--short')).toBe('')
})

test('its JSON has one shape', () => {
  const repo = anAgentRepo({})
  repo.add('one', '--review')
  const { id, created_at } = repo.task('1')
  expect(planOf(repo, '--model', 'small', '--ralph', '--workers', '3')).toEqual({
    workers: 3,
    batches: [
      [
        {
          number: 1,
          id,
          key: null,
          title: 'one',
          type: 'task',
          attempt: 1,
          agent: 'scripted',
          model: 'small',
          branch: `${created_at.slice(0, 10).replaceAll('-', '')}-one`,
          start: { commit: repo.git('rev-parse', 'HEAD'), merge: [], builds_on_numbers: [] },
          not_before: null,
          max_iterations: 10,
          max_review_cycles: null,
          review: true,
        },
      ],
    ],
    not_run: [],
  })
})

test('batches have disjoint files and as many tasks as there are workers, in the order of the queue', () => {
  const repo = anAgentRepo({})
  repo.add('low', '--priority', 'low')
  repo.add('a', '--files-to-create', 'x.txt')
  repo.add('b', '--files-to-modify', 'x.txt')
  repo.add('c')
  repo.add('after a', '--after', '2')
  expect(batches(repo, '--all', '--workers', '2')).toEqual([['a', 'c'], ['b', 'after a'], ['low']])
  expect(batches(repo, '--all')).toEqual([['a'], ['b'], ['c'], ['after a'], ['low']])
  expect(batches(repo, '--count', '2')).toEqual([['a'], ['b']])
  expect(batches(repo, '4', '1')).toEqual([['c'], ['low']])
  expect(batches(repo, '2', '5')).toEqual([['a'], ['after a']])
  expect(codes(repo, '--count', '2')).toEqual({ low: 'READY', c: 'READY', 'after a': 'BLOCKED' })
})

test('what the plan says is what happens', () => {
  const repo = anAgentRepo({})
  repo.add('same name')
  repo.add('same name')
  repo.add('on top', '--after', '1')
  const planned = planOf(repo, '--all').batches.flat()
  expect(planned.map(({ start }) => start.builds_on_numbers)).toEqual([[], [], [1]])
  expect(repo.gza('work', '--all').code).toBe(0)
  expect(planned.map(({ branch }) => branch)).toEqual(['1', '2', '3'].map((ref) => repo.task(ref).branch))
  expect(repo.calls().map(({ title }) => title)).toEqual(planned.map(({ title }) => title))
  expect(planOf(repo, '--all')).toEqual({ workers: 1, batches: [], not_run: [] })
  expect(repo.gza('work', '--dry-run').stdout).toBe('Nothing would run.\n')
})

test('a task that failed and everything that depends on it are listed with the code of the reason', () => {
  const repo = anAgentRepo({ bad: 'exit 1' }, { defaults: { max_attempts: 1 } })
  repo.add('bad')
  repo.gza('work', '1')
  repo.add('waits', '--after', '1')
  repo.add('waits longer', '--after', '2')
  repo.add('judge', '--type', 'review')
  const told = codes(repo, '--all')
  expect(told).toEqual({
    bad: 'FAILED',
    waits: 'DEPENDENCY_FAILED',
    'waits longer': 'DEPENDENCY_FAILED',
    judge: 'NOTHING_TO_REVIEW',
  })
  expect(['1', '2', '3', '4'].map((ref) => repo.why(ref))).toEqual(Object.values(told))
})

test('a second attempt continues its branch', () => {
  const repo = anAgentRepo(
    { else: 'commit a.txt a; kill -INT $PPID; exit 1' },
    // In a box it could not signal gza.
    { config: { retry: { backoff_seconds: 3600 } }, isolation: 'off' },
  )
  repo.add('one')
  repo.gza('work')
  const { branch } = repo.task('1')
  const [[run] = []] = planOf(repo).batches
  expect(run).toMatchObject({ attempt: 2, branch, start: { commit: repo.git('rev-parse', String(branch)) } })
  expect(Date.parse(String(run?.not_before))).toBeGreaterThan(Date.now())
})

test('what another has is left to it, and so are its files', () => {
  const repo = anAgentRepo({})
  repo.add('taken', '--files-to-create', 'x.txt')
  repo.add('same file', '--files-to-create', 'x.txt')
  repo.add('parent')
  repo.add('child', '--parent', '3')
  outputOf(repo.gza('claim', '1'))
  expect(codes(repo, '--all')).toEqual({ taken: 'RUNNING', 'same file': 'FILES_BUSY' })
  expect(batches(repo, '--all')).toEqual([['child'], ['parent']])
  expect(repo.why('2')).toBe('FILES_BUSY')
  expect(repo.why('3')).toBe('CHILDREN_OPEN')
  expect(repo.gza('why', '3').stdout).toContain('its child #4 must be completed first')
  expect(repo.gza('work', '1', '--dry-run').stderr).toStartWith('Error: Task #1 is in progress')
  expect(batches(repo, '1', '--take-over')).toEqual([['taken']])
  expect(repo.gza('work', '1', '--take-over').code).toBe(1)
  expect(repo.calls().map(({ title }) => title)).toContain('taken')
})

test('it is refused where work is: for agents, without trust, for a task that cannot start', () => {
  const repo = anAgentRepo({})
  repo.add('one')
  repo.add('two', '--after', '1')
  expect(repo.withEnv({ GZA_AGENT: 'x' }).gza('work', '--dry-run').code).toBe(1)
  expect(repo.withEnv({ GZA_TRUST: '' }).gza('work', '--dry-run').stderr).toContain('is not trusted')
  expect(repo.gza('work', '2', '--dry-run').stderr).toStartWith('Error: Task #2 is blocked by task #1 (pending)')
  expect(codes(repo, '1', '--agent', 'nobody')).toEqual({ one: expect.any(String) })
})
