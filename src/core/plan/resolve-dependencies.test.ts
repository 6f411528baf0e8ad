import { describe, expect, test } from 'bun:test'
import { readPlan } from '../plan-markdown/markdown-plan.ts'

/** For each task with dependencies: those, and its problems and warnings with their lines. */
function understood(text: string): string[] {
  const { tasks, problems, warnings } = readPlan(text)
  const waiting = tasks.filter(({ dependencies }) => dependencies.length > 0)
  return [
    ...waiting.map(({ key, dependencies }) => `${key}: ${dependencies.map((other) => other.key).join(' ')}`),
    ...[...problems, ...warnings].map(({ line, why }) => `${line}: ${why}`),
  ]
}

test('a title is one name, whatever words and signs are in it', () => {
  const text = `## Phase 1: Users and sessions
### A1: Login and logout
### A2: Users, roles & rights
## Phase 2: Rest
### A3: c
Depends on: Login and logout
### A4: d
Depends on: "Users, roles & rights", A3
### A5: e
Depends on: A1: Login and logout, A4 (pages, forms)
### A6: f
Depends on: Users and sessions
### A7: g
Depends on: Login and luck`
  expect(understood(text)).toEqual([
    'A3: A1',
    'A4: A2 A3',
    'A5: A1 A4',
    'A6: A1 A2',
    "14: 'Login' does not name a task; it is kept as text",
    "14: 'luck' does not name a task; it is kept as text",
  ])
})

test('a child waits for none of its ancestors, however many tasks are before it', () => {
  const text = `### T1: a
#### T1.1: b
Depends on: previous task
#### T1.2: c
Depends on: all previous tasks
### T2: d
Depends on: previous task
#### T2.1: e
Depends on: everything above`
  expect(understood(text)).toEqual(['T1.2: T1.1', 'T2: T1', 'T2.1: T1 T1.2'])
})

test('for the last task, all others are all before it; elsewhere this is unclear', () => {
  const text = '### T1: a\n### T2: b\nDepends on: all\n### T3: c\nDepends on: all other tasks\n#### T3.1: d'
  expect(understood(text)).toEqual([
    'T3: T1 T2',
    'T3.1: T1 T2',
    "3: 'all' is not clear, because more tasks follow; it is kept as text",
  ])
})

describe('sentences beside the tasks', () => {
  const PHASES = '## Phase 1: Setup\n### T1: A\n## Phase 2: Core\n### T2: B\n### T3: C\n## Phase 3: Extra\n### T4: D\n'
  const read = (...sentences: string[]) => {
    const { tasks, warnings, problems } = readPlan(
      `${PHASES}## Dependencies & Execution Order\n${sentences.join('\n')}`,
    )
    const waits = tasks.flatMap(({ key, dependencies }) => dependencies.map((other) => `${key} after ${other.key}`))
    return [...waits, ...warnings.map(({ line, why }) => `${line}: ${why}`), ...problems.map(({ why }) => why)]
  }
  const CORE = ['T2 after T1', 'T3 after T1']

  test.each([
    ['- Phase 2 depends on Phase 1', CORE],
    ['- **Core (Phase 2)**: Depends on Setup completion - BLOCKS all stories', CORE],
    ['### Phases\n- Setup must be complete before Core can start.', CORE],
    ['Phase 1 → Phase 2 → T4', [...CORE, 'T4 after T2', 'T4 after T3']],
    ['T3 depends on T1, T2', ['T3 after T1', 'T3 after T2']],
    ['- T3 and T4 can run in parallel after T2. T2 is blocked by T1', ['T2 after T1', 'T3 after T2', 'T4 after T2']],
    ['```mermaid\ngraph TD\n  T1[The model] --> T2 & T3\n```', CORE],
    ['| Task | Depends on |\n|---|---|\n| T2 | T1 |\n| T3 | T1 |', CORE],
    ['- T3:\n  - Depends on: T2', ['T3 after T2']],
    ['- Phase 1: no dependencies\n- T3 does not depend on T2\n- Models before services\n- T2 and T3 in parallel', []],
  ])('%s', (text, expected) => expect(read(text)).toEqual(expected))

  test.each(['Once T1 is done, T4 may start', 'T4 cannot start before T1', 'T9 depends on T1', 'T3: T1, T2'])(
    '%s is reported with its line',
    (text) =>
      expect(read(`- ${text}`)).toEqual([`9: '${text}' is not understood; write "Depends on:" below a task or phase`]),
  )

  test('elsewhere only clear sentences count', () => {
    const plan = readPlan('# P\nT2 depends on T1. Once T1 is done, all is well.\n### T1: A\n### T2: B')
    expect([plan.tasks[1]?.dependencies, plan.warnings]).toEqual([[{ key: 'T1', kind: 'explicit' }], []])
  })
})
