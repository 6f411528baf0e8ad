import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { aRepo } from '../support/repo.ts'
import { aConfiguredRepo, shown, writeOwn } from './configured-repo.ts'

test('types inherit the defaults, an empty entry says nothing', () => {
  const repo = aConfiguredRepo({
    yaml: `defaults:
  model: opus
  max_turns: 50

task_types:
  plan:
    max_turns: 30
  implement:
    # inherits defaults
  review:
    model: sonnet
    max_turns: 10
`,
  })
  expect(shown(repo, 'model')).toEqual([
    'defaults.model = opus (gza.yaml:2)',
    'task_types.review.model = sonnet (gza.yaml:11)',
  ])
  expect(shown(repo, 'max_turns')).toEqual([
    'defaults.max_turns = 50 (gza.yaml:3)',
    'task_types.plan.max_turns = 30 (gza.yaml:7)',
    'task_types.review.max_turns = 10 (gza.yaml:12)',
  ])
  expect(shown(repo, 'task_types.implement.max_turns')).toEqual(['task_types.implement.max_turns = 50 (gza.yaml:3)'])
})

test('the keys of the review cycle', () => {
  const repo = aConfiguredRepo({
    yaml: `defaults:
  auto_review: false
  max_review_cycles: 3
task_types:
  implement:
    auto_review: true      # Enable by default for implement tasks
    max_review_cycles: 3
    model: opus
    review_model: sonnet  # Use for review phases within auto-review loop
    timeout_minutes: 60
    review_timeout_minutes: 10  # Per review cycle
    improve_timeout_minutes: 0.5
`,
  })
  expect(shown(repo, 'task_types.implement')).toEqual([
    'task_types.implement.agent = claude (built in)',
    'task_types.implement.model = opus (gza.yaml:8)',
    'task_types.implement.max_turns = - (built in)',
    'task_types.implement.timeout_minutes = 60 (gza.yaml:10)',
    'task_types.implement.stall_minutes = 15 (built in)',
    'task_types.implement.auto_review = true (gza.yaml:6)',
    'task_types.implement.wait_for_discussion = false (built in)',
    'task_types.implement.max_review_cycles = 3 (gza.yaml:7)',
    'task_types.implement.review_agent = claude (built in)',
    'task_types.implement.review_model = sonnet (gza.yaml:9)',
    'task_types.implement.review_timeout_minutes = 10 (gza.yaml:11)',
    'task_types.implement.improve_timeout_minutes = 0.5 (gza.yaml:12)',
    'task_types.implement.max_attempts = 3 (built in)',
    'task_types.implement.max_filed_tasks = 20 (built in)',
    'task_types.implement.max_filing_depth = 3 (built in)',
    'task_types.implement.locks = - (built in)',
    'task_types.implement.land = branch (built in)',
  ])
})

test('.project-config.json gives limits, workers and Linear; its other keys belong to other tools', () => {
  const json = `{
\t"task_size_limits": {
\t\t"max_files_to_create": 6,
\t\t"max_acceptance_criteria": 9,
\t\t"auto_split": false
\t},
\t"parallel_workers": 4,
\t"integrations": {
\t\t"linear": { "enabled": true, "team_id": "TEAM123", "create_project": true },
\t\t"jira": { "url": "x" }
\t},
\t"defaults": ["theirs"],
\t"verify": null
}
`
  const repo = aConfiguredRepo({ json })
  expect(shown(repo, 'task_size_limits')).toEqual([
    'task_size_limits.max_files_to_create = 6 (.project-config.json:3)',
    'task_size_limits.max_files_to_modify = 8 (built in)',
    'task_size_limits.max_criteria_per_task = 9 (.project-config.json:4)',
    'task_size_limits.max_input_tokens = 6000 (built in)',
    'task_size_limits.max_time_minutes = 5 (built in)',
    'task_size_limits.complexity_threshold = 5 (built in)',
    'task_size_limits.auto_split = false (.project-config.json:5)',
  ])
  expect(shown(repo, 'parallel_workers')).toEqual(['parallel_workers = 4 (.project-config.json:7)'])
  expect(shown(repo, 'integrations')).toEqual([
    'integrations.linear.enabled = true (.project-config.json:9)',
    'integrations.linear.team_id = TEAM123 (.project-config.json:9)',
    'integrations.linear.create_project = true (.project-config.json:9)',
  ])
})

test('gza.yaml beats .project-config.json, which beats the person’s own file, key by key', () => {
  const repo = aConfiguredRepo({
    own: 'parallel_workers: 2\ndefaults: { agent: codex, model: mine }\ntask_size_limits: { max_time_minutes: 9 }\n',
    json: '{"parallel_workers": 3, "task_size_limits": {"max_files_to_create": 1, "max_files_to_modify": 1}}',
    yaml: 'parallel_workers: 4\ndefaults: { model: ours }\ntask_size_limits: { max_files_to_create: 2 }\n',
  })
  const own = join(repo.env.HOME!, '.config/gza/config.yaml')
  expect(shown(repo, 'parallel_workers')).toEqual(['parallel_workers = 4 (gza.yaml:1)'])
  expect(shown(repo, 'defaults.agent')).toEqual([`defaults.agent = codex (${own}:2)`])
  expect(shown(repo, 'defaults.model')).toEqual(['defaults.model = ours (gza.yaml:2)'])
  expect(shown(repo, 'task_size_limits').slice(0, 2)).toEqual([
    'task_size_limits.max_files_to_create = 2 (gza.yaml:3)',
    'task_size_limits.max_files_to_modify = 1 (.project-config.json:1)',
  ])
  expect(shown(repo, 'max_time_minutes')).toEqual([`task_size_limits.max_time_minutes = 9 (${own}:3)`])
})

test('the person’s own file is found through XDG_CONFIG_HOME, which must be absolute', () => {
  const repo = aConfiguredRepo({ own: 'parallel_workers: 2\n' })
  const xdg = join(repo.env.HOME!, 'xdg')
  writeOwn(join(xdg, 'gza/config.yaml'), 'parallel_workers: 5\n')
  expect(shown(repo.withEnv({ XDG_CONFIG_HOME: xdg }), 'parallel_workers')).toEqual([
    `parallel_workers = 5 (${join(xdg, 'gza/config.yaml')}:1)`,
  ])
  expect(shown(repo.withEnv({ XDG_CONFIG_HOME: 'xdg' }), 'parallel_workers')[0]).toContain('.config/gza/config.yaml:1')
})

test('which ledger is meant: --branch, then GZA_BRANCH, then gza.yaml', () => {
  const repo = aConfiguredRepo({ yaml: '# Where we plan\nledger: main\n' })
  const elsewhere = repo.withEnv({ GZA_BRANCH: 'next' })
  expect(shown(repo, 'ledger')).toEqual(['ledger = main (gza.yaml:2)'])
  expect(shown(elsewhere, 'ledger')).toEqual(['ledger = next (GZA_BRANCH)'])
  expect(shown(elsewhere, 'ledger', '--branch', 'other')).toEqual(['ledger = other (--branch)'])
})

test('a mistake elsewhere in gza.yaml does not stop a command that only needs the ledger', () => {
  const repo = aConfiguredRepo({ yaml: 'ledger: plans\ndefaults: { modle: x }\n' })
  repo.commit('first')
  expect(repo.gza('add', 'One').code).toBe(0)
  expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/tasks/')).toBe('refs/tasks/plans')
})

test('it is the checkout’s own configuration, in a worktree and below a folder, and none in a bare repository', () => {
  const repo = aConfiguredRepo({ yaml: 'parallel_workers: 2\n' })
  repo.commit('first')
  const worktree = repo.worktree('side')
  worktree.write('gza.yaml', 'parallel_workers: 7\n')
  worktree.write('deep/down/file', '')
  const below = worktree.run(['gza', 'config', 'parallel_workers'], { cwd: join(worktree.dir, 'deep/down') })
  expect(below.stdout).toBe('parallel_workers  7  gza.yaml:1\n')
  expect(shown(repo, 'parallel_workers')).toEqual(['parallel_workers = 2 (gza.yaml:1)'])
  expect(shown(aRepo({ bare: true }), 'parallel_workers')).toEqual(['parallel_workers = 1 (built in)'])
})

test('isolation is a level, or a section with more', () => {
  expect(shown(aConfiguredRepo({}), 'isolation')).toEqual([
    'isolation.level = auto (built in)',
    'isolation.allow = - (built in)',
  ])
  const own = (text: string) => shown(aConfiguredRepo({ own: text }), 'isolation').map((line) => line.split(' (')[0])
  expect(own('isolation: strict\n')).toEqual(['isolation.level = strict', 'isolation.allow = -'])
  const section = 'isolation:\n  level: required\n  allow: [docker, ~/data]\n'
  expect(own(section)).toEqual(['isolation.level = required', 'isolation.allow = docker, ~/data'])
})

test.each([
  ['isolation: loose\n', '1:12: isolation must be one of auto, strict, required, off, not "loose"'],
  ['isolation: true\n', '1:12: isolation must be one of auto, strict, required, off, or a section, not true'],
  ['isolation:\n  level: 3\n', '2:10: isolation.level must be one of auto, strict, required, off, not 3'],
  ['isolation:\n  levl: auto\n', '2:3: unknown key isolation.levl'],
  [
    'isolation: { allow: [dockr] }\n',
    '1:22: isolation.allow.0 must be one of docker, ssh-agent, network-for-checks, or the path of a folder that begins ' +
      'with / or ~/, not "dockr"',
  ],
])('a mistake in %j is named with its place', (own, message) => {
  const { code, stderr } = aConfiguredRepo({ own }).gza('config', 'isolation')
  expect({ code, message: stderr.split('\n')[0]?.replace(/^.*config\.yaml:/, '') }).toEqual({ code: 1, message })
})
