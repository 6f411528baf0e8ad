import { describe, expect, test } from 'bun:test'
import { readPlan } from '../markdown-plan.ts'

/** Every task as `key title`, with its parent below, and the warnings with their lines. */
function understood(text: string): string[] {
  const { tasks, warnings, problems } = readPlan(text)
  return [
    ...tasks.map(({ key, title, parent }) => `${key} ${title}${parent === null ? '' : ` of ${parent}`}`),
    ...[...problems, ...warnings].map(({ line, why }) => `${line}: ${why}`),
  ]
}

describe('what is beside a task is a task, however it is written', () => {
  test.each([
    [
      'headings of one level in a phase',
      '## Phase 1\n### T1: a\n### Write the migration\n### t3: b\n### Task four: c\n### Notes\nnone\n### Files to modify\n- x.ts',
      ['T1 a', 'T2 Write the migration', 'T3 b', 'T4 c'],
    ],
    [
      'headings between tasks, outside all phases too',
      '# P\n## Intro of sorts\n## T1: a\n## Docs\n## T2: b\n## More docs\n## Appendix',
      ['T1 a', 'T3 Docs', 'T2 b', "6: 'More docs' is ignored: it is unclear whether it is a task"],
    ],
    ['headings that have fields of a task', '## T1: a\n## Docs\nFiles to modify: `README.md`', ['T1 a', 'T2 Docs']],
    [
      'chapters about the product that have fields of a task',
      '# P\n## 1. Setup\n* **Files to Create:** `a.ts`\n## 2. API Endpoints\n* **Depends on:** 1\n## 3. Data model\nRows.\n## 4. Rollout\n* **Priority:** High\n* **Depends on:** all previous steps',
      [
        ...['T1 Setup', 'T2 API Endpoints', 'T4 Rollout'],
        "6: 'Data model' is ignored: it is unclear whether it is a task",
      ],
    ],
    ['boxes without a key', '- [ ] T1: a\n- [ ] no key\n- bullet\n- Note: none', ['T1 a', 'T2 no key', 'T3 bullet']],
    [
      'names in bold or not',
      '## Phase 1\n- [ ] **1.1** One\n- [ ] 1.3 Three\n- [ ] **2.1** Core (P0)\n- **2.2** Bullet',
      ['T1.1 One', 'T1.3 Three', 'T2.1 Core', 'T2.2 Bullet'],
    ],
    ['numbers beside a box', '## Phase 1\n1. a\n2. b\n- [ ] c\n  Depends on: 1', ['T1 a', 'T2 b', 'T3 c']],
    [
      'numbers in another list than the boxes',
      '## Phase 1\n1. a\n2. b\n\nThen it goes on.\n\n- [ ] c',
      ['T1 a', 'T2 b', 'T3 c'],
    ],
    ['bullets beside a number', '## Phase 1\n1. a\n- b\n- c', ['T1 a', 'T2 b', 'T3 c']],
    [
      'boxes before the headings of a phase',
      '## Phase 1\n- [ ] Set up\n### T1: a\n- [ ] step of it',
      ['T2 Set up', 'T1 a'],
    ],
    [
      'bullets in a chapter numbered like those of the tasks, which restart in each',
      '# P\n### 1. Back\n1. **a**\n2. **b**\n### 2. Front\n1. **c**\n2. d\n   Depends on: 1\n### 3. Docs\n- e\n### 4. Notes\n- f',
      ['T1.1 a', 'T1.2 b', 'T2.1 c', 'T2.2 d', 'T3 e'],
    ],
    [
      'boxes of areas that could be chapters',
      '## Backend\n- [ ] a\n## API\n- [ ] b\n## Testing\n- [ ] c\n## Rollout\nSlowly.',
      ['T1 a', 'T2 b', 'T3 c'],
    ],
  ])('%s', (_, text, expected) => expect(understood(text)).toEqual(expected))
})

test('lists beside the phases, below a heading that is not a phase, are ignored with a warning', () => {
  const text =
    '# P\n## Who\n- Bob\n## Phase 1\n- [ ] a\n## Q3 2026\n- b\n- c\n## Phase 2\n- [ ] d\n## v2\n1. e\n2. f\n## Links\n- g'
  expect(understood(`${text}\n## Team\n- h`)).toEqual([
    'T1 a',
    'T2 d',
    "7: 'b' and 1 more next to it are ignored: it is unclear whether they are tasks",
    "12: 'e' and 1 more next to it are ignored: it is unclear whether they are tasks",
  ])
})

test('a table within a task that names other tasks is ignored with a warning, unless they are defined elsewhere', () => {
  const table = '| Task | Depends on |\n|---|---|\n| T2: b \\| c | T1 |\n| T3 | T1 |\n| Docs | |'
  expect(understood(`### T1: a\n${table}\n### T3: d`)).toEqual([
    'T1 a',
    'T3 d',
    "4: 'T2: b | c | T1' is ignored: it is unclear whether it is a task",
  ])
})

test('malformed boxes are boxes too; a dash in one means that the task was given up', () => {
  const text = '## Phase 1\n- [] a\n-[x] b\n- [~] c\n[ ] d\n* [-] e\n1) [ ]* f\n- [x](https://example.com) g'
  const { tasks } = readPlan(text)
  expect(tasks.map(({ title, done, skipped }) => `${title}${done ? ' done' : ''}${skipped ? ' skipped' : ''}`)).toEqual(
    [...['a', 'b done', 'c', 'd', 'e skipped', 'f', '[x](https://example.com) g']],
  )
})

describe('lists in lists', () => {
  test.each([
    [
      'an item around boxes is their parent',
      '## Phase 1\n1. **API**\n   - [ ] a\n2. **Docs**\n   - [ ] b',
      ['T1 API', 'T3 a of T1', 'T2 Docs', 'T4 b of T2'],
    ],
    [
      'bullets with a key of their own are children',
      '- T1: a\n  - T1.1: b\n  - detail\n- T2: c',
      ['T1 a', 'T1.1 b of T1', 'T2 c'],
    ],
    [
      'criteria in boxes are not tasks',
      '## Phase 1\n1. a\n   - Acceptance criteria:\n     - [ ] fast\n2. b\n**Acceptance criteria:**\n- [ ] nice\n3. c',
      ['T1 a', 'T2 b', 'T3 c'],
    ],
  ])('%s', (_, text, expected) => expect(understood(text)).toEqual(expected))

  test('bullets right below a number are its text, and text after a child belongs to the parent', () => {
    const hung = readPlan('## Phase 1\n1. a\n- x\n- y\n2. b\n- z').tasks
    expect(hung.map(({ content }) => content)).toEqual(['a\n\n- x\n- y', 'b\n\n- z'])
    const [parent, child] = readPlan('- [ ] T1: a\n  - [ ] T1.1: b\n  - Files: `x.ts`\n').tasks
    expect([parent?.files_to_modify, child?.files_to_modify]).toEqual([['x.ts'], []])
  })
})

describe('bold lines, plain lines and tables', () => {
  test.each([
    [
      'bold lines with text after them',
      '# P\n**T1. Do it** (depends on: T2)\n\n**T2: Other** Some text.\n\n**Step 3 — Webhook** [P1]\n\n**Step 4** Ship',
      ['T1 Do it', 'T2 Other', 'T3 Webhook', 'T4 Ship'],
    ],
    [
      'numbers in bold or not',
      '## Phase 2\n**2.1** Core (P0)\n\n**2.2 Second** (P1)\n\n2.3 Third',
      ['T2.1 Core', 'T2.2 Second', 'T2.3 Third'],
    ],
    [
      'a bold task beside real headings, but no step',
      '## Phase 1\n### T1: a\n**Step 1: think**\n**T1: again**\n**T2: b**',
      ['T1 a', 'T2 b'],
    ],
    ['plain lines', '# P\nT1: a\nT2: b (after T1)\n\nT3 is no task.', ['T1 a', 'T2 b']],
    [
      'rows with numbers, and one without',
      '## Tasks\n| # | Task | Depends |\n|---|:---:|---|\n| 1 | a | - |\n| 2 | b \\| c | 1 |\n| | d | 2 |',
      ['T1 a', 'T2 b | c', 'T3 d'],
    ],
    [
      'rows that have only titles',
      '## Phase 1\n| Task | Files | Depends on |\n|---|---|---|\n| Model | `a.ts` | |\n| View | `b.ts` | Model |',
      ['T1 Model', 'T2 View'],
    ],
    ['rows of something else', '- [ ] a\n\n| # | Risk | Impact |\n|---|---|---|\n| 1 | Rain | wet |', ['T1 a']],
  ])('%s', (_, text, expected) => expect(understood(text)).toEqual(expected))

  test('cells are fields: line breaks separate several values', () => {
    const [, task] = readPlan(
      '| ID | Task | Depends on | Acceptance criteria | Files |\n|-|-|-|-|-|\n| 1 | a |\n| 2 | b | 1 | fast<br>small | `x.ts` |',
    ).tasks
    expect(task).toMatchObject({ key: 'T2', acceptance_criteria: ['fast', 'small'], files_to_modify: ['x.ts'] })
    expect(task?.dependencies).toEqual([{ key: 'T1', kind: 'explicit' }])
  })
})

test('numbers that restart below each heading refer to that heading', () => {
  const { tasks } = readPlan('## Tasks\n### Back\n1. **a**\n2. **b**\n### Front\n1. **c**\n2. **d**\n   Depends on: 1')
  expect(tasks.at(-1)?.dependencies).toEqual([{ key: 'T3', kind: 'explicit' }])
})

test('phases may be plain lines, or underlined with dashes', () => {
  const milestones = (text: string) => readPlan(text).milestones.map(({ id, name }) => `${id} ${name}`)
  expect(milestones('Phase 1: Core\n- a\n\nPhase 2: More\n- b')).toEqual(['M1 Core', 'M2 More'])
  expect(milestones('P\n===\n\nPhase 1: Core\n---\n- a\n\nText\n---\n')).toEqual(['M1 Core'])
})

test('a title that is a file, or has one in brackets, names a file of the task', () => {
  const { tasks } = readPlan('## Changes\n### `a.ts` (new)\nText.\n### Tokens (`b.ts`)\n### C (`d.ts`)\nFiles: `c.ts`')
  expect(tasks.map(({ files_to_create, files_to_modify }) => [files_to_create, files_to_modify])).toEqual([
    [['a.ts'], []],
    [[], ['b.ts']],
    [[], ['c.ts']],
  ])
})

test('a phase with its own files and lists of other things is one task', () => {
  const [task, ...others] = readPlan(
    '## Phase 1: Store\n**Files to create:**\n- `a.ts`\n\n**Error cases:**\n- no disk\n\n**Endpoints:**\n1. **GET /a**',
  ).tasks
  expect(others).toEqual([])
  expect(task).toMatchObject({ title: 'Store', files_to_create: ['a.ts'] })
})

describe('which list of a phase has its tasks', () => {
  test.each([
    [
      'the one labelled so',
      '## Phase 1\n**Passes:**\n1. **Back**\n2. **Text**\n\n**Tasks:**\n1. a\n2. b\n\n**Deliverable:** c',
      ['T1 a', 'T2 b'],
    ],
    [
      'not the one of a single chapter, if chapters are tasks',
      '## Phase 1\n### a\nText.\n### b\n**Tasks:**\n1. c',
      ['T1 a', 'T2 b'],
    ],
    ['that below a heading with "tasks"', '## Phase 1\n### Deployment tasks:\n- a\n- b', ['T1 a', 'T2 b']],
    ['the only one, if there are no chapters', "Here's the plan:\n\n1. a\n   - `x.ts`\n2. b\n\nOk?", ['T1 a', 'T2 b']],
    [
      'numbered headings below "Approach"; a title may name the file',
      '# P\n## Approach\n### 1. a (`x.ts`)\n### 2. b\n## Critical files\n- `x.ts`',
      ['T1 a (`x.ts`)', 'T2 b'],
    ],
    ['tiers are phases', '# P\n## Queue (by size)\n### Tier 1: Easy\n#### 5. a\n#### 6. b', ['T5 a', 'T6 b']],
  ])('%s', (_, text, expected) => expect(understood(text)).toEqual(expected))

  test('tasks below a heading that is a priority have it', () => {
    const { tasks } = readPlan('### High priority\n- [ ] a\n- [ ] b (low)\n### P2\n- [ ] c\n### Later\n- [ ] d')
    expect(tasks.map(({ title, priority }) => `${title} ${priority}`)).toEqual(['a high', 'b low', 'c medium'])
  })
})

test('what may be a task but is not taken as one is reported with its line', () => {
  const left = (what: string) => `${what} ignored: it is unclear whether`
  const plan = `# P
## Current state
- bullets about it
## Phase 1
What we think:
- much

Now do it.
- [ ] T1: a

After that:
- deploy
- watch
### Write the migration
## Follow-ups
- [ ] Remove the flag
## Migrate the old data
## Verification
- [ ] smoke test
- [ ] T7: load test
`
  expect(understood(plan)).toEqual([
    'T1 a',
    `12: ${left("'deploy' and 1 more next to it are")} they are tasks`,
    `14: ${left("'Write the migration' is")} it is a task`,
    `16: ${left("'Remove the flag' is")} it is a task`,
    `17: ${left("'Migrate the old data' is")} it is a task`,
    `20: ${left("'load test' is")} it is a task`,
  ])
})

test('a chapter that is numbered like the tasks beside it is reported, whatever its title', () => {
  const left = (line: number, title: string) => `${line}: '${title}' is ignored: it is unclear whether it is a task`
  const plan = `# P
## 1. Overview
## 2. Users table
## 3. Login
Files to create: \`a.ts\`
## 4. Data model
## 5. Testing Strategy
## 6. Logout
Files to create: \`b.ts\`
## 7. Tests
`
  expect(understood(plan)).toEqual([
    ...['T3 Login', 'T6 Logout', left(3, 'Users table'), left(6, 'Data model'), left(7, 'Testing Strategy')],
    left(10, 'Tests'),
  ])
  expect(understood('# P\n## 1. Scope\n## 2. Tasks\n### T1: a\n### T2: b\n## 3. Risks\n- c')).toEqual(['T1 a', 'T2 b'])
})
