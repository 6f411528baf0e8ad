import { expect, test } from 'bun:test'
import { aRepo } from '../support/repo.ts'

function aRepoWith(files: Record<string, string>) {
  const repo = aRepo()
  repo.commit('first', files)
  return repo
}

test('a plan of any kind may come through standard input, and is recognised by its title', () => {
  const repo = aRepoWith({})
  const load = (text: string, ...args: string[]) => {
    const { stdout } = repo.run(['gza', 'plan', 'import', '-', '--json', ...args], { stdin: text })
    return JSON.parse(stdout)
  }
  const markdown = '# Login\n- [ ] T1: Form\n- [ ] T2: Page\n'
  expect([load(markdown).created_count, load(markdown).created_count]).toEqual([3, 0])
  expect(load(`${markdown}- [ ] T3: Mail\n`)).toMatchObject({ created_count: 1, plan_file: 'standard input: Login' })
  expect(load('# Logout\n- [ ] T1: Button\n').created_count).toBe(2)
  expect(load('title: Y\ntasks:\n  - title: A\n  - title: B\n', '--dry-run').created_count).toBe(3)
  expect(load('{"tasks": [{"title": "A"}]}', '--dry-run').created_count).toBe(2)
  expect(load('### T1: A\nPriority: soon\n').error.message).toStartWith("standard input:2: 'soon' is not a priority")
  expect(load('tasks:\n  - title: A\n    priority: soon\n').error.message).toStartWith('standard input:3:5: priority')
})

test('a task of the ledger is a dependency by its number or id, where the plan has no such task', () => {
  const repo = aRepoWith({ 'plan.md': '### T2: A\nDepends on: #1\n### T3: B\nDepends on: #2\n' })
  repo.gza('add', 'Lay the ground')
  repo.gza('done', '1')
  const { tasks } = JSON.parse(repo.gza('plan', 'import', 'plan.md', '--json').stdout)
  expect(tasks.map(({ dependencies }: { dependencies: unknown[] }) => dependencies)).toMatchObject([
    [{ key: null, number: 1, origin: 'explicit' }],
    [{ key: 'T2', origin: 'explicit' }],
  ])
  expect(repo.gza('plan', 'import', 'plan.md').stdout).toContain('after #1')
})

test('an unknown dependency is an error with its line, in every format', () => {
  const repo = aRepoWith({
    'plan.md': '### T1: A\nDepends on: T7, #9\n',
    'plan.yaml': 'tasks:\n  - id: set-up\n    title: A\n  - title: B\n    depends_on: [set-up, nope]\n',
    'plan.json': '{"tasks": [\n  {"title": "A", "dependencies": ["AUTH-9"]}\n]}',
    'phases.yaml':
      'phases:\n  - name: Core\n    tasks: [A]\n  - name: More\n    depends_on: [Core, Cor]\n    tasks: [B]\n',
  })
  const message = (file: string) => JSON.parse(repo.gza('plan', 'import', file, '--json').stdout).error.message
  const missing = (name: string) => `there is no task ${name}, neither in the plan nor in the ledger`
  expect(message('plan.md')).toBe(`plan.md:2: ${missing('T7')}\nplan.md:2: ${missing('#9')}`)
  expect(message('plan.yaml')).toBe(`plan.yaml:5:26: ${missing('nope')}`)
  expect(message('phases.yaml')).toBe(`phases.yaml:5:5: ${missing('Cor')}`)
  expect(message('plan.json')).toBe(`plan.json:2:35: ${missing('AUTH-9')}`)
})

test('paths that lead out of the repository are left out and reported, in every format', () => {
  const repo = aRepoWith({
    'plan.md': '### T1: A\nFiles to create: `a.ts`, `../../x`, C:\\x\n',
    'plan.yaml':
      'tasks:\n  - title: A\n    files_to_create:\n      - a.ts\n      - ../../my file\n    files: { modify: [~/z] }\n',
    'plan.json': '{"tasks": [{"title": "A", "files": [{"path": "/etc/passwd", "action": "create"}, "a.ts (new)"]}]}',
  })
  const load = (file: string) => JSON.parse(repo.gza('plan', 'import', file, '--json').stdout)
  const away = (path: string) => `'${path}' is outside the repository; it is ignored`
  expect(load('plan.md').warnings).toEqual([`plan.md:2: ${away('../../x')}`, `plan.md:2: ${away('C:\\x')}`])
  expect(load('plan.yaml').warnings).toEqual([
    `plan.yaml:5:9: ${away('../../my file')}`,
    `plan.yaml:6:23: ${away('~/z')}`,
  ])
  expect(load('plan.json').warnings).toEqual([`plan.json:1:37: ${away('/etc/passwd')}`])
  const filed = repo.gza('list', '--json').stdout
  expect(Array.from(filed.matchAll(/"files_to_create":\s*\[\s*"(.*?)"\s*\]/g), ([, file]) => file)).toEqual([
    ...['a.ts', 'a.ts', 'a.ts'],
  ])
})

test('what plan cannot do is reported with what was meant', () => {
  const repo = aRepoWith({})
  const told = (...args: string[]) => {
    const { code, stderr } = repo.gza('plan', ...args)
    return [code, ...stderr.trim().split(/\n\s*/)]
  }
  expect(told('frob')).toEqual([2, "Error: plan has no action 'frob'; did you mean import?", 'gza plan import FILE'])
  expect(told('docs/a.md')[2]).toBe('gza plan import docs/a.md')
  expect(told('imprt', 'a.md')[2]).toBe('gza plan import a.md')
  expect(told('import')).toEqual([2, 'Error: The plan to import is missing', 'gza plan import FILE'])
})

test('words with dashes are keys like others: they are not parts of a split', () => {
  const tasks = ['setup-db', 'setup-ui', 'add-login-page'].map((id, at) => ({
    ...{ id, title: `Make ${id}` },
    dependencies: at === 1 ? ['setup-db'] : [],
  }))
  const plan = (count: number) =>
    JSON.stringify({ title: 'Words', acceptance_criteria: ['it works'], tasks: tasks.slice(0, count) })
  const repo = aRepoWith({ 'plan.json': plan(3) })
  const { tasks: rows } = JSON.parse(repo.gza('plan', 'import', 'plan.json', '--json').stdout)
  expect(rows[1].dependencies).toMatchObject([{ key: 'setup-db', origin: 'explicit' }])
  expect(JSON.parse(repo.gza('score', 'setup-db', '--json').stdout).score.total).toBe(rows[0].score.total)
  repo.commit('second', { 'plan.json': plan(2) })
  expect(repo.gza('plan', 'import', 'plan.json').stdout).toContain(
    '  add-login-page  Make add-login-page  (#4 is pending; it is no longer in the plan and is kept)\n',
  )
})

test('what differs is printed so that it can be seen, and a dry run prints what it would do', () => {
  const files = (last: string) => `src/a-long-folder/one.ts, src/a-long-folder/two.ts, src/a-long-folder/${last}.ts`
  const repo = aRepoWith({ 'plan.md': `# P\n### T1: A\nFiles to create: ${files('three')}\n### T2: B\n` })
  repo.gza('plan', 'import', 'plan.md')
  repo.gza('edit', 'T2', '--title', 'Mine')
  repo.commit('second', { 'plan.md': `# P\n### T1: A\nFiles to create: ${files('four')}\n### T2: B\n` })
  expect(repo.gza('plan', 'import', 'plan.md', '--update', '--dry-run').stdout).toBe(`P (plan.md)
  T1  A  2.5 LOW  (#2 updated)
      files_to_create: + src/a-long-folder/four.ts, - src/a-long-folder/three.ts
  T2  B  1.0 LOW  (#3 updated)
      title: Mine → B

Would import 0 tasks, update 2
`)
})

test('the same plan under another name is filed again, with a warning', () => {
  const text = '# P\n### T1: A\n### T2: B\n'
  const repo = aRepoWith({ 'old.md': text, 'new.md': `${text}### T3: C\n`, 'other.md': '# O\n### T1: Else\n' })
  const warnings = (file: string) => JSON.parse(repo.gza('plan', 'import', file, '--json').stdout).warnings
  expect([warnings('old.md'), warnings('other.md')]).toEqual([[], []])
  expect(warnings('new.md')).toEqual([
    'new.md: the ledger already has 2 of its 3 tasks from old.md; this import duplicates them. If it is the same plan, import it under that name, and revert this import with gza undo',
  ])
  expect(warnings('new.md')).toEqual([])
})

test('an id that no command could name is an error, and #4 is a number', () => {
  const tasks = (...ids: string[]) => `tasks:\n${ids.map((id) => `  - { id: '${id}', title: A }\n`).join('')}`
  const repo = aRepoWith({ 'bad.yaml': tasks('--help', '../x', 'ü'), 'good.yaml': tasks('#4', 'AUTH/1', '2.1') })
  const said = (file: string) => JSON.parse(repo.gza('plan', 'import', file, '--json').stdout)
  const bad = (id: string, line: number) =>
    `bad.yaml:${line}:7: id: '${id}' is not an id: use a letter or digit, then also -._`
  expect(said('bad.yaml').error.message).toBe([bad('--help', 2), bad('../x', 3), bad('ü', 4)].join('\n'))
  expect(said('good.yaml').tasks.map(({ key }: { key: string }) => key)).toEqual(['T4', 'AUTH/1', 'T2.1'])
})

test('forbidden JSON and unknown fields of a plan in JSON are reported with their place', () => {
  const repo = aRepoWith({
    'plan.json': '{\n  // the tasks, see http://x\n  "tasks": [{"title": "http://y"}]\n}',
    'tail.json': '{"tasks": [{"title": "a // b"}]} /* end */',
    'odd.json': `{"tasks": [{"title": "A", "status": "weird", "files_to_create": ["src/h h.ts", "My Files/a.ts"]}],
 "backlog": [{"title": "B"}], "dependencies": {"T1": ["T2"]}, "meta": {"a": 1}}`,
  })
  const run = (...args: string[]) => JSON.parse(repo.gza('plan', 'import', ...args, '--dry-run', '--json').stdout)
  expect(run('plan.json').error.message).toBe('plan.json:2:3: JSON has no comments')
  expect(run('tail.json').error.message).toBe('tail.json:1:34: JSON has no comments')
  const { stdout } = repo.run(['gza', 'plan', 'import', '-', '--json'], { stdin: '// x\n[{"title": "A"}]' })
  expect(JSON.parse(stdout).error.message).toBe('standard input:1:1: JSON has no comments')
  expect(run('odd.json').warnings).toEqual([
    "odd.json:1:27: 'weird' is not a known status; the task counts as open",
    "odd.json:2:2: 'backlog' is ignored: it is unclear whether these are tasks",
    "odd.json:2:31: 'dependencies' is ignored: it is unclear whether these are tasks",
  ])
  repo.gza('plan', 'import', 'odd.json')
  const { files_to_create } = JSON.parse(repo.gza('show', '2', '--json').stdout)
  expect(files_to_create).toEqual(['src/h h.ts', 'My Files/a.ts'])
})
