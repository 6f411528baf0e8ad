import { expect, test } from 'bun:test'
import { aRepo } from '../support/repo.ts'

test('imports between files that exist count, and limits come from either configuration file', () => {
  const repo = aRepo()
  repo.commit('first', {
    'src/a.ts': "import { b } from './b.ts'\n",
    'src/b.ts': 'export const b = 1\n',
    '.project-config.json': '{"task_size_limits":{"complexity_threshold":1.0,"max_files_to_modify":1}}',
  })
  repo.gza('add', 'Change b', '--files-to-modify', './src/a.ts,src/b.ts,src/new.ts', '--accept', 'it is 2')
  const scored = JSON.parse(repo.gza('score', '1', '--json').stdout)
  expect(scored).toMatchObject({
    number: 1,
    score: {
      ...{ total: 2, threshold: 1, level: 'LOW' },
      reasons: { file_scope: ['+1.5 3 files'], cross_file_deps: ['+0.5 1 import: src/a.ts → src/b.ts'] },
    },
    warnings: ['3 files to modify; 1 is the recommended limit'],
  })
  expect(repo.tasks('score', '1').stdout).toContain('above 1.0, the threshold for a split')
})

test('the tasks of a plan are scored without being filed, whatever else is wrong with it', () => {
  const repo = aRepo()
  const plan = '## Phase 1\n\n### T1: One\n\nPriority: purple\n\n### T2: Two, somehow\n\nDone when:\n- it works\n'
  repo.commit('first', { 'plan.md': plan })
  const { stdout, stderr } = repo.gza('score', 'plan.md', '--json')
  expect(JSON.parse(stdout)).toMatchObject([
    { key: 'T1', score: { total: 1 } },
    { key: 'T2', score: { total: 0.5 } },
  ])
  expect(stderr).toContain('plan.md:5')
  expect(repo.gza('list').stdout).toBe('')
  expect(repo.gza('score', 'gone.md').stderr).toStartWith('Error: gone.md cannot be read: there is no such file\n')
  expect(repo.gza('score', 'T9').stderr).toStartWith('Error: No task T9 on main\n')
})
