import { describe, expect, test } from 'bun:test'
import type { Plan } from '../plan/plan-model.ts'
import { readPlan } from './markdown-plan.ts'

const keys = (plan: Plan) =>
  plan.tasks.map(({ key, title, milestone }) => [milestone, key, title].filter(Boolean).join(' '))
const waits = (plan: Plan) =>
  Object.fromEntries(plan.tasks.map(({ key, dependencies }) => [key, dependencies.map((other) => other.key)]))

describe('what is a task', () => {
  test('phases without keys: checkboxes, numbered steps, bullets, headings, or the phase itself', () => {
    const plan = readPlan(`# Plan
## Phase 1: Boxes
- [ ] Write it
  - with care
- [x] Ship it
## Phase 2: Steps
1. First
2. Second
## Phase 3: Bullets
- One
- Two
## Phase 4: Headings
### Make the table
With a key.
### Fill the table
## Phase 5: Deploy
Deploy everything, then watch it.
`)
    expect(keys(plan)).toEqual([
      'M1 T3 Write it',
      'M1 T4 Ship it',
      'M2 T1 First',
      'M2 T2 Second',
      'M3 T5 One',
      'M3 T6 Two',
      'M4 T7 Make the table',
      'M4 T8 Fill the table',
      'M5 T9 Deploy',
    ])
    expect(plan.tasks[0]?.content).toBe('Write it\n\n- with care')
    expect(plan.tasks.map(({ done }) => done)).toEqual([false, true, ...Array(7).fill(false)])
    expect(plan.tasks.at(-1)?.content).toBe('Deploy\n\nDeploy everything, then watch it.')
  })

  test('headings without keys are tasks if they have the fields of one', () => {
    const plan = readPlan(`# Plan
## Overview
Files: everywhere
## Add a model
**Files to create:** \`a.ts\`
## Add a view
#### Files to modify
- \`a.ts\`
## Risks
- none`)
    expect(keys(plan)).toEqual(['T1 Add a model', 'T2 Add a view'])
    expect(waits(plan)).toEqual({ T1: [], T2: ['T1'] })
  })

  test('a plain checklist is a plan, its sections about the plan are not', () => {
    const plan = readPlan(
      '- [ ] One\n- [ ] Two\n\n## Acceptance criteria\n- [ ] It works\n\n## Open questions\n- [ ] Why?',
    )
    expect(keys(plan)).toEqual(['T1 One', 'T2 Two'])
    expect(plan.acceptance_criteria).toEqual(['It works'])
  })

  test('code, comments and tables are not tasks', () => {
    const plan = readPlan(
      '## Tasks\n```md\n### T1: no\n- [ ] T2: no\n```\n<!--\n### T3: no\n-->\n| T4: no |\n\n### T5: yes\n',
    )
    expect(keys(plan)).toEqual(['T5 yes'])
  })

  test('steps within a task are its text, tasks within a task are its children', () => {
    const plan = readPlan(
      '## Task 1: Whole\n### Step 1: Think\n- [ ] hard\n### Task 1.1: Part\nDepends on: Task 2\n## Task 2: Other',
    )
    expect(plan.tasks.map(({ key, parent }) => [key, parent])).toEqual([
      ['T1', null],
      ['T1.1', 'T1'],
      ['T2', null],
    ])
    expect(plan.tasks[0]?.content).toBe('Whole\n\n### Step 1: Think\n- [ ] hard')
  })

  test('bold lines are headings if there are no real ones', () => {
    const plan = readPlan(
      '**Phase 1: Core**\n\n**Task 1: Model**\nFiles to create: `a.ts`\n\n**Task 2: View**\nFiles to modify: `a.ts`',
    )
    expect(keys(plan)).toEqual(['M1 T1 Model', 'M1 T2 View'])
  })

  test('a list elsewhere that ticks off a task marks it as done and does not duplicate it', () => {
    const plan = readPlan('## Progress\n- [x] T1: Model\n- [ ] T2: View\n## Tasks\n### T1: Model\n### T2: View')
    expect(plan.tasks.map(({ key, done }) => [key, done])).toEqual([
      ['T1', true],
      ['T2', false],
    ])
  })

  test('numbers that restart in each phase are kept apart', () => {
    const plan = readPlan(
      '## Phase 1\n### Task 1: A\n### Task 2: B\nDepends on: Task 1\n## Phase 2\n### Task 1: C\nDepends on: Phase 1',
    )
    expect(waits(plan)).toEqual({ 'T1.1': [], 'T1.2': ['T1.1'], 'T2.1': ['T1.2'] })
  })
})

describe('fields', () => {
  test('are read in all the forms that people write', () => {
    const [task] = readPlan(`### T1: Title (Priority: P0)
_Complexity_: 6/13
- **Files to create:**
  - \`a.ts\` - the model
  - b.ts
- Modify: \`c.ts\`, \`d.ts\`
* Test files: \`a.test.ts\`
#### Acceptance Criteria
- [ ] **Given** a user
- When they log in
- Then they see it
- [x] It is fast
User story: As a user I want it so that I have it
Type: implement
Max attempts: 5
Status: done
Description: All of it.
Notes: stay.
`).tasks
    expect(task).toEqual({
      title: 'Title',
      content: 'Title\n\nAll of it.\nNotes: stay.',
      user_story: 'As a user I want it so that I have it',
      acceptance_criteria: ['Given a user When they log in Then they see it', 'It is fast'],
      files_to_create: ['a.ts', 'b.ts'],
      files_to_modify: ['c.ts', 'd.ts'],
      test_files: ['a.test.ts'],
      priority: 'critical',
      estimated_complexity: 'medium',
      type: 'implement',
      max_attempts: 5,
      key: 'T1',
      keyKind: 'given',
      parent: null,
      milestone: null,
      done: true,
      skipped: false,
      dependencies: [],
      outside: [],
      line: 1,
    })
  })

  test('words that begin a sentence are not a field', () => {
    const [task] = readPlan(
      '### T1: Title\nTest: `npm test`\nAfter: lunch\nUpdate: the docs are wrong\nAdd: more of it',
    ).tasks
    expect(task?.content).toBe('Title\n\nTest: `npm test`\nAfter: lunch\nUpdate: the docs are wrong\nAdd: more of it')
  })

  test('a title beyond 80 characters is cut, and the content keeps all of it', () => {
    const long = `Write ${'very '.repeat(20)}much`
    const [task] = readPlan(`- [ ] T1: ${long}`).tasks
    expect([...(task?.title ?? '')].length).toBeLessThanOrEqual(80)
    expect(task?.content).toBe(long)
  })

  test('what names no file or task is kept as text, with a warning', () => {
    const plan = readPlan('### T1: A\nFiles to create: all of them\nDepends on: the database\nComplexity: O(n)')
    expect(plan.problems).toEqual([])
    expect(plan.warnings.map(({ line }) => line)).toEqual([2, 3, 4])
    expect(plan.tasks[0]?.content).toBe('A\n\nFiles to create: all of them\nDepends on: the database\nComplexity: O(n)')
  })
})

describe('values that are almost valid', () => {
  test('empty criteria are left out, undecided ones stay', () => {
    const criteria = (...items: string[]) =>
      readPlan(`### T1: A\nAcceptance criteria:\n${items.map((item) => `- ${item}`).join('\n')}`).tasks[0]
        ?.acceptance_criteria
    expect(criteria('None')).toEqual([])
    expect(criteria('N/A (pure refactoring)', '—')).toEqual([])
    const open = ['TBD', '?', 'to be decided', 'No – unless asked', '必须快']
    expect(criteria(...open)).toEqual(open)
    expect(readPlan('### T1: A\nAcceptance criteria: TBD').tasks[0]?.acceptance_criteria).toEqual(['TBD'])
  })

  test('a priority between two is the higher one, with a warning; an undecided one is ignored', () => {
    const read = (value: string) => {
      const { tasks, warnings, problems } = readPlan(`### T1: A\nPriority: ${value}`)
      return [tasks[0]?.priority, ...warnings.map(({ why }) => why), ...problems.map(({ line }) => line)]
    }
    expect(read('Medium-High')).toEqual(['high', "'Medium-High' is read as priority high"])
    expect(read('low to medium')).toEqual(['medium', "'low to medium' is read as priority medium"])
    expect(read('1')).toEqual(['high', "'1' is read as priority high"])
    expect(['H', 'M', 'L', 'P4', 'P5'].flatMap(read)).toEqual(['high', 'medium', 'low', 'low', 'low'])
    expect(read('5/10')).toEqual([undefined, 2])
    expect(read('TBD')).toEqual([undefined])
    expect(read('whenever')).toEqual([undefined, 2])
  })

  test('undecided files and files outside the repository are reported', () => {
    const plan = readPlan('### T1: A\nFiles to create: TBD\nModify: `a.ts`, ~/z.py')
    expect(plan.warnings).toEqual([
      { line: 2, why: "'TBD' does not name a file; it is kept as text" },
      { line: 3, why: "'~/z.py' is outside the repository; it is ignored" },
    ])
    expect(plan.tasks[0]).toMatchObject({ files_to_create: [], files_to_modify: ['a.ts'] })
  })
})

describe('dependencies', () => {
  test('keys, ranges, numbers, milestones, titles and brackets', () => {
    const plan = readPlan(`## Phase 1
### T1: A
### T2: B
Depends on: a
### T3: C
## Phase 2
Depends on: Phase 1
### T4: D (after T1-T3)
### T5: E
Blocked by: 4
### T6: F
Depends on: all previous tasks`)
    expect(waits(plan)).toEqual({
      T1: [],
      T2: ['T1'],
      T3: [],
      T4: ['T1', 'T2', 'T3'],
      T5: ['T4'],
      T6: ['T5', 'T2', 'T3'],
    })
  })

  test('a task that modifies what another creates depends on it', () => {
    const plan = readPlan('### T1: A\nModify: `x.ts`\n### T2: B\nCreate: `x.ts`\n### T3: C\nCreate: `x.ts`')
    expect(plan.tasks[0]?.dependencies).toEqual([{ key: 'T2', kind: 'file', file: 'x.ts' }])
    expect(plan.warnings).toEqual([{ line: 5, why: 'T3 creates x.ts, which T2 also creates' }])
  })

  test('a cycle is reported whole, with names and lines', () => {
    const plan = readPlan(
      '### T1: A\nDepends on: T3\n### T2: B\nDepends on: T1\n### T3: C\nDepends on: T2\n### T4: D\nDepends on: T1',
    )
    expect(plan.problems).toEqual([
      {
        line: 1,
        isCycle: true,
        why: "tasks wait for each other: T1 'A' (line 1) → T3 'C' (line 5) → T2 'B' (line 3) → T1",
      },
    ])
  })

  test('a parent waits for its children, so a child that waits for its parent is a cycle', () => {
    const plan = readPlan('## Task 1: A\n### Task 1.1: B\nDepends on: Task 1')
    expect(plan.problems.map(({ why }) => why)).toEqual([
      "tasks wait for each other: T1 'A' (line 1) → (its child) T1.1 'B' (line 2) → T1",
    ])
  })

  test('keys given twice, unknown numbers and milestones, and bad priorities are problems', () => {
    const plan = readPlan(
      '### T1: A\nDepends on: 7\n### T1: B\nDepends on: Phase 3\nPriority: whenever\n### T3: C\nDepends on: T3-T1',
    )
    expect(plan.problems).toEqual([
      { line: 2, why: 'there is no task 7 in the plan; write #7 for task 7 of the ledger' },
      { line: 3, why: 'the key T1 is given twice, first in line 1' },
      { line: 4, why: "there is no milestone 'Phase 3'" },
      { line: 5, why: "'whenever' is not a priority: use critical, high, medium, low, or P0 to P3" },
      { line: 7, why: "'T3-T1' ends before it begins" },
    ])
  })

  test('a key of another plan and a number that is not in the plan are left to the ledger', () => {
    const [task] = readPlan('### T1: A\nDepends on: AUTH-3, T9, #4, #2\n### T2: B').tasks
    expect(task?.outside).toEqual([
      { name: 'AUTH-3', isSure: false, line: 2 },
      { name: 'T9', isSure: true, line: 2 },
      { name: '#4', isSure: true, line: 2 },
    ])
    expect(task?.dependencies).toEqual([{ key: 'T2', kind: 'explicit' }])
  })

  test('the text after a dash in a title is a dependency if it names tasks', () => {
    const plan = readPlan('- [ ] T1: A\n- [ ] T2: B — depends on T1\n- [ ] T3: C, after lunch')
    expect(waits(plan)).toEqual({ T1: [], T2: ['T1'], T3: [] })
    expect(keys(plan)).toEqual(['T1 A', 'T2 B', 'T3 C, after lunch'])
  })
})
