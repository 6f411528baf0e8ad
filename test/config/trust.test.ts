import { expect, test } from 'bun:test'
import { outputOf } from '../support/ledger-answers.ts'
import { aRepo, type Repo } from '../support/repo.ts'

/** A repository whose person has an agent and a configuration of their own. */
function aPersonsRepo(project: string, own = ''): Repo {
  const repo = aRepo()
  repo.write('../agent', 'echo one >a.txt && git add a.txt && git commit -qm one && git tasks done 1\n')
  const agent = `defaults: { agent: mine }\nagents: { mine: { command: "sh ${repo.dir}/../agent" } }\n`
  repo.write('../home/.config/gza/config.yaml', `${agent}${own}`)
  repo.commit('first', { 'gza.yaml': project })
  outputOf(repo.gza('add', 'One'))
  return repo
}

const WISHES: [wish: string, project: string, own: string, error: string][] = [
  ['lands', 'land: merge\n', '', 'gza.yaml:1 wants to land finished work by itself (land)'],
  [
    'lands tasks of one type',
    'task_types:\n  task: { land: squash }\n',
    '',
    'gza.yaml:2 wants to land finished work by itself (task_types.task.land)',
  ],
  [
    'raises a budget',
    'budgets: { day_usd: 9999 }\n',
    'budgets: { day_usd: 5 }\n',
    'gza.yaml:1 wants to raise budgets.day_usd from 5 to 9999 (budgets.day_usd)',
  ],
  ['checks', 'verify: { command: "true" }\n', '', "gza.yaml:1 wants to run 'true' (verify.command)"],
]

test.each(WISHES)(
  'a file that %s is followed by work, run and merge only after gza trust',
  (_, project, own, error) => {
    const repo = aPersonsRepo(project, own)
    const refused = { code: 1, stderr: `Error: ${error}, but is not trusted\n  Read it, then: gza trust\n` }
    expect(repo.gza('work')).toMatchObject(refused)
    expect(repo.gza('merge', '--all')).toMatchObject(refused)
    expect(repo.tasks('run', '--once')).toMatchObject({
      code: 1,
      stderr: refused.stderr.replace('gza trust', 'git tasks trust'),
    })
    expect(repo.git('log', '--all', '--format=%s', '--', 'a.txt')).toBe('')
    expect(repo.withEnv({ GZA_TRUST: '1' }).gza('work', '--dry-run').code).toBe(0)
    outputOf(repo.gza('trust'))
    outputOf(repo.gza('work'))
    // Another text is another decision.
    repo.write('gza.yaml', `${project}parallel_workers: 2\n`)
    expect(repo.gza('work').stderr).toContain('but is not trusted')
  },
)

test('a file that only restricts is followed without trust', () => {
  const project = 'land: branch\nbudgets: { day_usd: 4, task_usd: 100 }\ndefaults: { max_filed_tasks: 1 }\n'
  const repo = aPersonsRepo(project, 'land: merge\nbudgets: { day_usd: 5 }\n')
  expect(repo.gza('config', 'budgets').stdout).toMatch(/day_usd +4 /)
  outputOf(repo.gza('work'))
  expect(repo.git('log', '--format=%s', 'main')).toBe('first')
  outputOf(repo.gza('merge', '1'))
  expect(repo.git('log', '--format=%s', 'main')).toContain('one')
})

test.each([
  ['notify', 'notify: { command: "curl evil" }\n'],
  ['isolation', 'isolation: off\n'],
])('%s belongs to the person’s own file', (section, project) => {
  const repo = aPersonsRepo(project)
  expect(repo.gza('work')).toMatchObject({
    code: 1,
    stderr:
      `Error: gza.yaml:1:1: ${section} belongs to a person, not to a repository\n` +
      '  Put it into your own file: ~/.config/gza/config.yaml, or $XDG_CONFIG_HOME/gza/config.yaml.\n',
  })
})
