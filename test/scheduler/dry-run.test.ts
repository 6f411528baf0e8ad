import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { WorkPlan } from '../../src/scheduler/choose/plan-work.ts'
import { outputOf } from '../support/ledger-answers.ts'
import { aStage, type Stage } from '../support/scripted-agent.ts'

function planOf(stage: Stage, ...args: string[]): WorkPlan {
  return JSON.parse(outputOf(stage.gza('work', '--dry-run', '--json', ...args)))
}

function batches(stage: Stage, ...args: string[]): string[][] {
  return planOf(stage, ...args).batches.map((batch) => batch.map(({ title }) => title))
}

function codes(stage: Stage, ...args: string[]): Record<string, string> {
  return Object.fromEntries(planOf(stage, ...args).not_run.map(({ title, code }) => [title, code]))
}

test('it says what would run and why the rest would not, calls nobody and writes nothing', () => {
  const stage = aStage({}, { defaults: { model: 'large' } })
  stage.add('one')
  stage.add('two', '--after', '1')
  stage.add('three')
  const refs = stage.git('for-each-ref')
  const { code, stdout } = stage.gza('work', '--dry-run')
  const head = stage.git('rev-parse', 'HEAD')
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
  expect(stage.calls()).toEqual([])
  expect(stage.git('for-each-ref')).toBe(refs)
  expect(stage.worktrees()).toEqual([])
  expect(existsSync(join(stage.dir, '.git/gza/live.db'))).toBe(false)
  expect(existsSync(join(stage.dir, '.gza'))).toBe(false)
  expect(stage.git('status', '--short')).toBe('')
})

test('its JSON has one shape', () => {
  const stage = aStage({})
  stage.add('one', '--review')
  const { id, created_at } = stage.task('1')
  expect(planOf(stage, '--model', 'small', '--ralph', '--workers', '3')).toEqual({
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
          start: { commit: stage.git('rev-parse', 'HEAD'), merge: [], after: [] },
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
  const stage = aStage({})
  stage.add('low', '--priority', 'low')
  stage.add('a', '--files-to-create', 'x.txt')
  stage.add('b', '--files-to-modify', 'x.txt')
  stage.add('c')
  stage.add('after a', '--after', '2')
  expect(batches(stage, '--all', '--workers', '2')).toEqual([['a', 'c'], ['b', 'after a'], ['low']])
  expect(batches(stage, '--all')).toEqual([['a'], ['b'], ['c'], ['after a'], ['low']])
  expect(batches(stage, '--count', '2')).toEqual([['a'], ['b']])
  expect(batches(stage, '4', '1')).toEqual([['c'], ['low']])
  expect(batches(stage, '2', '5')).toEqual([['a'], ['after a']])
  expect(codes(stage, '--count', '2')).toEqual({ low: 'READY', c: 'READY', 'after a': 'BLOCKED' })
})

test('what the plan says is what happens', () => {
  const stage = aStage({})
  stage.add('same name')
  stage.add('same name')
  stage.add('on top', '--after', '1')
  const planned = planOf(stage, '--all').batches.flat()
  expect(planned.map(({ start }) => start.after)).toEqual([[], [], [1]])
  expect(stage.gza('work', '--all').code).toBe(0)
  expect(planned.map(({ branch }) => branch)).toEqual(['1', '2', '3'].map((ref) => stage.task(ref).branch))
  expect(stage.calls().map(({ title }) => title)).toEqual(planned.map(({ title }) => title))
  expect(planOf(stage, '--all')).toEqual({ workers: 1, batches: [], not_run: [] })
  expect(stage.gza('work', '--dry-run').stdout).toBe('Nothing would run.\n')
})

test('a task that failed and all that waits for it are told with the code of why', () => {
  const stage = aStage({ bad: 'exit 1' }, { defaults: { max_attempts: 1 } })
  stage.add('bad')
  stage.gza('work', '1')
  stage.add('waits', '--after', '1')
  stage.add('waits longer', '--after', '2')
  stage.add('judge', '--type', 'review')
  const told = codes(stage, '--all')
  expect(told).toEqual({
    bad: 'FAILED',
    waits: 'DEPENDENCY_FAILED',
    'waits longer': 'DEPENDENCY_FAILED',
    judge: 'NOTHING_TO_REVIEW',
  })
  expect(['1', '2', '3', '4'].map((ref) => stage.why(ref))).toEqual(Object.values(told))
})

test('a second attempt goes on with its branch', () => {
  const stage = aStage(
    { else: 'commit a.txt a; kill -TERM $PPID; exit 1' },
    { config: { retry: { backoff_seconds: 3600 } } },
  )
  stage.add('one')
  stage.gza('work')
  const { branch } = stage.task('1')
  const [[run] = []] = planOf(stage).batches
  expect(run).toMatchObject({ attempt: 2, branch, start: { commit: stage.git('rev-parse', String(branch)) } })
  expect(Date.parse(String(run?.not_before))).toBeGreaterThan(Date.now())
})

test('what another has is left to it, and so are its files', () => {
  const stage = aStage({})
  stage.add('taken', '--files-to-create', 'x.txt')
  stage.add('same file', '--files-to-create', 'x.txt')
  stage.add('parent')
  stage.add('child', '--parent', '3')
  outputOf(stage.gza('claim', '1'))
  expect(codes(stage, '--all')).toEqual({ taken: 'RUNNING', 'same file': 'FILES_BUSY' })
  expect(batches(stage, '--all')).toEqual([['child'], ['parent']])
  expect(stage.why('2')).toBe('FILES_BUSY')
  expect(stage.why('3')).toBe('CHILDREN_OPEN')
  expect(stage.gza('why', '3').stdout).toContain('of which #4 is open')
  expect(stage.gza('work', '1', '--dry-run').stderr).toStartWith('Error: Task #1 is in progress')
  expect(batches(stage, '1', '--take-over')).toEqual([['taken']])
  expect(stage.gza('work', '1', '--take-over').code).toBe(1)
  expect(stage.calls().map(({ title }) => title)).toContain('taken')
})

test('it is refused where work is: for agents, without trust, for a task that cannot start', () => {
  const stage = aStage({})
  stage.add('one')
  stage.add('two', '--after', '1')
  expect(stage.withEnv({ GZA_AGENT: 'x' }).gza('work', '--dry-run').code).toBe(1)
  expect(stage.withEnv({ GZA_TRUST: '' }).gza('work', '--dry-run').stderr).toContain('is not trusted')
  expect(stage.gza('work', '2', '--dry-run').stderr).toStartWith('Error: Task #2 is blocked by task #1 (pending)')
  expect(codes(stage, '1', '--agent', 'nobody')).toEqual({ one: expect.any(String) })
})
