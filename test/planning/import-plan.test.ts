import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { aRepo } from '../support/repo.ts'

const CLAUDE = readFileSync(join(import.meta.dir, 'plans/claude.md'), 'utf8')

const LARGE = `# Sync
## Phase 1: Engine
### T1: Build the async sync engine with concurrency and caching
Depends on: T2
Files to create: \`src/db/a.ts\`, \`src/db/b.ts\`, \`src/api/c.ts\`, \`src/api/d.ts\`, \`web/ui/e.tsx\`, \`web/ui/f.tsx\`
Acceptance criteria:
- Conflicts are merged
- The cache is dropped
### T2: Small one
Acceptance criteria:
- It is there
### T3: After it
Files to modify: \`src/db/a.ts\`
Acceptance criteria:
- It is there too
`

interface Row {
  key: string
  state: string
  status: string
  parent_key: string | null
  dependencies: { key: string; origin: string }[]
  changes: { field: string; from: unknown; to: unknown }[]
}

function aRepoWith(files: Record<string, string>) {
  const repo = aRepo()
  repo.commit('first', files)
  const importPlan = (...args: string[]) => {
    const result = repo.gza('plan', 'import', ...args, '--json')
    return { code: result.code, ...JSON.parse(result.stdout) }
  }
  const steps = () => repo.git('rev-list', '--count', 'refs/tasks/main')
  return { repo, importPlan, steps }
}

test('a dry run prints the tree and writes nothing; the import writes one commit', () => {
  const { repo, steps } = aRepoWith({ 'docs/plan.md': LARGE })
  const dry = repo.gza('plan', 'import', 'docs/plan.md', '--dry-run')
  expect(dry.stdout).toContain('Would import 6 tasks')
  expect(repo.run(['git', 'rev-parse', '--verify', '-q', 'refs/tasks/main']).code).not.toBe(0)
  const done = repo.tasks('breakdown', 'docs/plan.md')
  expect(done.stdout).toBe(dry.stdout.replace('Would import', 'Imported'))
  expect(done.stderr).toContain('Warning: docs/plan.md:3: T1 has 6 files to create; 5 is the recommended limit')
  expect(steps()).toBe('1')
  expect(repo.gza('verify').code).toBe(0)
})

test('what is too much is split, its parts depend on what the whole depends on, and kinds are named', () => {
  const { repo, importPlan } = aRepoWith({ 'plan.md': LARGE })
  const { tasks, top } = importPlan('plan.md') as { tasks: Row[]; top: { id: string } }
  const short = tasks.map(({ key, parent_key, dependencies }) => [
    key,
    parent_key,
    dependencies.map((d) => `${d.key} ${d.origin}`),
  ])
  expect(short).toEqual([
    ['T1', null, ['T2 explicit']],
    ['T1-a', 'T1', ['T2 explicit']],
    ['T1-b', 'T1', ['T1-a split']],
    ['T2', null, []],
    ['T3', null, ['T1 file']],
  ])
  const filed = JSON.parse(repo.gza('show', 'T1-a', '--json').stdout)
  expect([filed.plan_file, filed.milestone_id]).toEqual(['plan.md', 'M1'])
  expect(JSON.parse(repo.git('show', 'refs/tasks/main:artifacts/milestones/M1.json'))).toEqual({
    id: 'M1',
    name: 'Engine',
    description: '',
    plan_file: 'plan.md',
  })
  expect(JSON.parse(repo.gza('show', 'T2', '--json').stdout).parent).toBe(top.id)
})

test('with auto_split: false one warning names the tasks that are too much, and how to split them', () => {
  const { importPlan } = aRepoWith({
    'plan.md': LARGE,
    'gza.yaml': 'task_size_limits:\n  auto_split: false\n  complexity_threshold: 3\n',
  })
  expect(importPlan('plan.md').warnings).toEqual([
    'plan.md:3: T1 has 6 files to create; 5 is the recommended limit',
    'plan.md:3: T1 scores above 3 and is not split, because auto_split is false; gza split T1 splits it',
  ])
})

test('imported again, a plan adds what is new, reports what differs, and changes it only when asked to', () => {
  const { repo, importPlan, steps } = aRepoWith({ 'plan.md': CLAUDE })
  expect(importPlan('plan.md').created_count).toBe(7)
  expect(importPlan('plan.md').created_count).toBe(0)
  expect(steps()).toBe('1')
  repo.gza('done', 'T1')
  repo.write(
    'plan.md',
    CLAUDE.replace('### T6: Member list', '### T7: Invite button\n\n### T6: Members')
      .replaceAll('High', 'Low')
      .replace('P1', 'P0'),
  )
  const said = importPlan('plan.md') as { created_count: number; tasks: Row[] }
  const changes = (rows: Row[]) =>
    rows.filter((row) => row.changes.length > 0).map(({ key, state, changes }) => [key, state, changes[0]?.field])
  expect(said.created_count).toBe(1)
  expect(changes(said.tasks)).toEqual([
    ['T1', 'closed', 'priority'],
    ['T2', 'changed', 'priority'],
    ['T6', 'changed', 'content'],
  ])
  expect(repo.withEnv({ GZA_AGENT: 'claude-code' }).gza('plan', 'import', 'plan.md', '--update').stderr).toContain(
    'Error: plan import --update is blocked in agent mode',
  )
  expect(importPlan('plan.md', '--update').updated_count).toBe(2)
  expect(changes((importPlan('plan.md') as { tasks: Row[] }).tasks)).toEqual([['T1', 'closed', 'priority']])
  expect(JSON.parse(repo.gza('show', 'T1', '--json').stdout).priority).toBe('high')
})

test('everything that is wrong is reported at once, with file and line, and nothing is imported', () => {
  const { repo, importPlan } = aRepoWith({
    'bad.md': '### T1: A\nPriority: soon\nDepends on: T9\n### T1: B\n',
    'loop.md': '### T1: A\nDepends on: T2\n### T2: B\nDepends on: T1\n',
    'bad.yaml': 'tasks:\n  - title: A\n    priority: soon\n',
    'broken.json': '{"tasks": [\n  {"title" "A"}\n]}',
    'empty.md': 'Nothing to do.\n',
  })
  const bad = importPlan('bad.md')
  expect([bad.code, bad.error.code]).toEqual([1, 'BAD_PLAN'])
  expect(bad.error.message.split('\n')).toEqual([
    "bad.md:2: 'soon' is not a priority: use critical, high, medium, low, or P0 to P3",
    'bad.md:3: there is no task T9, neither in the plan nor in the ledger',
    'bad.md:4: the key T1 is given twice, first in line 1',
  ])
  const loop = importPlan('loop.md')
  expect([loop.code, loop.error.code, loop.error.message]).toEqual([
    1,
    'DEPENDENCY_CYCLE',
    "loop.md:1: tasks wait for each other: T1 'A' (line 1) → T2 'B' (line 3) → T1",
  ])
  expect(importPlan('bad.yaml').error.message).toStartWith('bad.yaml:3:5: priority:')
  expect(importPlan('broken.json').error.message).toStartWith('broken.json:2:')
  expect(importPlan('empty.md').error.code).toBe('NO_TASKS')
  expect(importPlan('nowhere.md').code).toBe(2)
  expect(repo.run(['git', 'rev-parse', '--verify', '-q', 'refs/tasks/main']).code).not.toBe(0)
})

test('a plan that was refused for a dependency cycle is in the inbox until it is imported, or a person dismisses it', () => {
  const loop = '### T1: A\nDepends on: T2\n### T2: B\nDepends on: T1\n'
  const { repo, importPlan } = aRepoWith({ 'docs/my plan.md': loop, 'other.md': `${loop}Priority: soon\n` })
  const inbox = () => JSON.parse(repo.gza('inbox', '--json').stdout)
  importPlan('docs/my plan.md', '--dry-run')
  expect(inbox()).toEqual([])
  importPlan('docs/my plan.md')
  importPlan('other.md')
  repo.run(['rm', '-f', '.git/gza/state.db'])
  const told = "docs/my plan.md:1: tasks wait for each other: T1 'A' (line 1) → T2 'B' (line 3) → T1"
  const commands = ["gza plan import 'docs/my plan.md'", "gza resolve 'docs/my plan.md' --skip"]
  expect(inbox()[0]).toEqual({
    ...{ task: null, subject: 'docs/my plan.md', code: 'DEADLOCK', detail: told, cycle_texts: [told] },
    commands,
  })
  expect(repo.gza('inbox').stdout).toStartWith(`DEADLOCK  docs/my plan.md\n  ${told}\n`)
  expect(repo.withEnv({ GZA_AGENT: 'x' }).gza('resolve', 'other.md', '--skip').code).toBe(1)
  expect(repo.gza('resolve', 'other.md', '--skip').stdout).toBe('other.md: out of the inbox\n')
  repo.write('docs/my plan.md', loop.replace('Depends on: T2', ''))
  expect(repo.run(['sh', '-c', commands[0] ?? '']).code).toBe(0)
  expect(inbox()).toEqual([])
  const pipe = (text: string) => repo.run(['gza', 'plan', 'import', '-'], { stdin: text }).code
  expect([pipe(loop), inbox()[0].subject]).toEqual([1, 'standard input'])
  expect([pipe(loop.replace('Depends on: T2', '')), inbox()]).toEqual([0, []])
})

test('a dependency cycle through tasks that the ledger has is refused with what the plan says and where', () => {
  const { repo, importPlan } = aRepoWith({ 'plan.md': '### AUTH-2: Log out\nDepends on: AUTH-1\n' })
  repo.gza('add', 'Log in', '--key', 'AUTH-1')
  importPlan('plan.md')
  repo.gza('add', 'Release', '--key', 'REL-1', '--after', '2')
  repo.write('plan.md', '### AUTH-2: Log out\nDepends on: AUTH-1\n### AUTH-3: Forget\nDepends on: REL-1\n')
  expect(importPlan('plan.md').error).toMatchObject({
    code: 'DEPENDENCY_CYCLE',
    message:
      "plan.md: tasks wait for each other: AUTH-3 'Forget' (line 3) → #4 (explicit) → #2 (explicit) → AUTH-3 'Forget' (line 3) (child)",
  })
  expect(JSON.parse(repo.gza('inbox', '--json').stdout)).toMatchObject([{ code: 'DEADLOCK', subject: 'plan.md' }])
})

test('a dependency that the plan says and its files say too is both', () => {
  const plan =
    '### T1: A\nFiles to create: a.ts\n### T2: B\nDepends on: T1\nFiles to modify: a.ts\n### T3: C\nFiles to modify: a.ts\n'
  const { repo, importPlan } = aRepoWith({ 'plan.md': plan })
  importPlan('plan.md')
  expect(repo.gza('graph').stdout).toContain('T2 B ← #2 explicit+file\n')
  expect(repo.gza('graph').stdout).toContain('T3 C ← #2 file\n')
  expect(importPlan('plan.md')).toMatchObject({ created_count: 0, updated_count: 0 })
})

test('the text of a plan task is a plan too', () => {
  const { repo, importPlan } = aRepoWith({ 'notes.md': LARGE })
  repo.gza('add', 'Plan the sync', '--type', 'plan')
  expect(importPlan('1').error.message).toBe('Task #1 has not written a plan; it is pending')
  repo.gza('note', '1', 'written', '--attach', 'notes.md')
  const { plan_file, created_count, top } = importPlan('1')
  expect([plan_file, created_count]).toEqual(['.gza/plans/notes.md', 6])
  expect(JSON.parse(repo.gza('show', String(top.number), '--json').stdout).based_on).toHaveLength(1)
})

test('criteria of PRODUCT.md find their tasks, the rest is warned of; keys of two plans may be the same', () => {
  const { repo, importPlan } = aRepoWith({
    'one.md': '## Phase 1: A\n### T1: Send the invitation mail\n',
    'two.md': '## Phase 1: B\n### T1: Rotate the logs\nDepends on: AUTH-1\n',
    'PRODUCT.md': '## Acceptance criteria\n- An invitation mail is sent at once\n- Pigs fly over the moon\n',
  })
  repo.gza('add', 'Log in', '--key', 'AUTH-1')
  const one = importPlan('one.md')
  expect(one.warnings).toEqual(["PRODUCT.md:3: no task of the plan seems to cover 'Pigs fly over the moon'"])
  expect(JSON.parse(repo.gza('show', 'T1', '--json').stdout).acceptance_criteria).toEqual([
    'An invitation mail is sent at once',
  ])
  const two = importPlan('two.md')
  expect(two.milestones.map(({ id }: { id: string }) => id)).toEqual(['M1-two'])
  expect(two.tasks[0].dependencies).toHaveLength(1)
  expect(importPlan('two.md').created_count).toBe(0)
})

test('the score of an import is that of gza score: imports between files of the checkout count', () => {
  const { repo, importPlan } = aRepoWith({
    'src/a.ts': "import { b } from './b.ts'\nimport { c } from './c.ts'\n",
    'src/b.ts': "import { c } from './c.ts'\nexport const b = c\n",
    'src/c.ts': 'export const c = 1\n',
    'plan.md': '### T1: A\nFiles to modify: `src/a.ts`, `src/b.ts`, `src/c.ts`\nAcceptance criteria:\n- It works\n',
  })
  const total = JSON.parse(repo.gza('score', 'plan.md', '--json').stdout)[0].score.total
  expect(importPlan('plan.md').tasks[0].score.total).toBe(total)
  expect(JSON.parse(repo.gza('score', 'T1', '--json').stdout).score.total).toBe(total)
  repo.write('src/a.ts', '')
  repo.write('src/b.ts', '')
  expect(JSON.parse(repo.gza('score', 'T1', '--json').stdout).score.total).toBe(total - 1)
})

test('a parent of which all children are ticked off is finished, new or not; new work opens it again', () => {
  const { repo, importPlan } = aRepoWith({})
  const load = (...lines: string[]) => {
    repo.write('plan.md', `# Plan\n## Tasks\n${lines.join('\n')}\n`)
    const { top, tasks } = importPlan('plan.md') as { top: Row; tasks: Row[] }
    return Object.fromEntries([top, ...tasks].map(({ key, status }) => [key ?? 'top', status]))
  }
  const [one, two] = ['- [ ] 1. One', '- [ ] 2. Two\n  - [x] 2.1 Two and one']
  expect(load(one, two)).toEqual({ top: 'pending', T1: 'pending', T2: 'completed', 'T2.1': 'completed' })
  const all = { T1: 'completed', 'T1.1': 'completed', T2: 'completed', 'T2.1': 'completed' }
  expect(load(`${one}\n  - [x] 1.1 One and one`, two)).toEqual({ top: 'completed', ...all })
  expect(load(`${one}\n  - [x] 1.1 One and one\n  - [ ] 1.2 One and two`, two)).toEqual({
    ...{ top: 'pending', ...all, T1: 'pending' },
    'T1.2': 'pending',
  })
  expect(repo.gza('verify').code).toBe(0)
})
