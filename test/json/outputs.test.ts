import { afterAll, expect, test } from 'bun:test'
import { dirname } from 'node:path'
import { z } from 'zod'
import { add, aStartedRepo } from '../support/ledger-calls.ts'
import { aLinearRepo, stopLinear } from '../support/linear/linear-repo.ts'
import { aRepo, type Repo } from '../support/repo.ts'
import { anAgentRepo } from '../support/scripted-agent.ts'
import { until } from '../support/until.ts'
import { checkerOf, parseAs } from './check-output.ts'
import { OUTPUTS } from './outputs.ts'
import { SpecifiedTask } from './schemas/task.ts'

const checked = new Set<string>()

afterAll(stopLinear)

const PLAN =
  '# Shop\n\n## Milestone M1: Core\n\n- [ ] T1: Model\n  Files: src/a.ts, src/b.ts\n- [ ] T2: View (depends on T1)\n'

test('commands that plan and look print what docs/json.md says', () => {
  const repo = aStartedRepo()
  const { check, refuse } = checkerOf(repo, checked)
  check([
    'add',
    'Parser',
    '--group',
    'g',
    '--accept',
    'It parses',
    '--files-to-modify',
    'a.ts,b.ts',
    '--milestone',
    'M1',
  ])
  check(['add', 'Tests', '--after', '1', '--based-on', '1'])
  check(['add', 'Part', '--parent', '2', '--depends-on', '1'])
  check(['edit', '2', '--priority', 'high'])
  check(['split', '1', '--strategy', 'files', '--dry-run'])
  check(['note', '2', 'a note', '--attach', repo.write('notes.md', '# Notes\n')])
  for (const command of ['list', 'ready', 'next', 'status', 'groups', 'milestones', 'tree', 'where', 'graph', 'log'])
    check([command])
  check(['list', '--all'])
  check(['next', '--all'])
  check(['graph', '2'])
  check(['search', 'parser'])
  check(['query', 'SELECT id, title, parent_id FROM tasks'])
  check(['show', '2'], { when: 'show ID' })
  check(['show', '2', '--text'], { when: 'show ID --text' })
  check(['assign', '2', 'claude'])
  check(['agents', 'add', 'backend', '--client', 'claude'], { when: 'agents add' })
  check(['agents'], { when: 'agents' })
  check(['agents', 'resume', 'claude'], { when: 'agents resume' })
  check(['agents', 'remove', 'backend'], { when: 'agents remove' })
  check(['claim', '1'])
  for (const command of ['watch', 'inbox', 'stats', 'summary', 'ps', 'queue', 'export', 'pr', 'simulate'])
    check([command])
  check(['context'], { when: 'context' })
  check(['context', '--hook'], { when: 'context --hook' })
  check(['why', '2'])
  check(['score', '1'], { when: 'score ID' })
  repo.write('plan.md', PLAN)
  check(['score', 'plan.md'], { when: 'score FILE' })
  check(['plan', 'import', 'plan.md', '--dry-run'])
  check(['breakdown', 'plan.md'])
  check(['plan', 'import', 'plan.md', '--update'])
  repo.write('list.md', '- [ ] one\n- [ ] two\n')
  check(['import', 'list.md', '--dry-run'])
  check(['import', 'list.md'])
  repo.write('TODO.md', '# Later\n\n- [ ] Write it\n- [ ] Read it\n')
  check(['todo'], { when: 'todo' })
  check(['todo', 'start', '1'], { when: 'todo start N' })
  check(['todo', 'done', '2'], { when: 'todo done N, todo link N ID' })
  const done = add(repo, 'done soon')
  check(['done', done, '--note', 'ready'])
  check(['archive', done])
  check(['undo'])
  check(['redo'])
  const gone = add(repo, 'gone soon')
  check(['delete', gone])
  check(['restore'], { when: 'restore' })
  check(['restore', gone], { when: 'restore ID' })
  check(['restore', '--lost'], { when: 'restore --lost' })
  repo.git('branch', 'side')
  check(['move', gone, '--to', 'side'])
  expect(refuse(['show', 'task-ffff']).error.code).toBe('TASK_NOT_FOUND')
  expect(refuse(['frobnicate']).error.code).toBe('UNKNOWN_COMMAND')
}, 60_000)

/** A person whose own file has notifications. */
function withBell(repo: Repo): Repo {
  const file = repo.write('home/gza/config.yaml', 'notify: { bell: true }\n')
  return repo.withEnv({ XDG_CONFIG_HOME: dirname(dirname(file)) })
}

test('commands that check, share and set up print what docs/json.md says', async () => {
  const repo = aStartedRepo()
  add(repo, 'one')
  const { check } = checkerOf(repo, checked)
  check(['verify', '--all-branches'])
  check(['doctor'], { exits: [0, 1] })
  check(['prune', '--dry-run'])
  for (const command of ['config', 'shell-init']) check([command])
  parseAs('notify', undefined, withBell(repo).gza('notify', '--json').stdout, checked)
  check(['completion', 'fish'])
  check(['setup', 'claude'], { exits: [1] })
  check(['init', '--bare'])
  check(['init', '--yes'])
  check(['trust', '--show'])
  const origin = aRepo({ bare: true })
  repo.git('remote', 'add', 'origin', origin.dir)
  check(['sync'])
  const serve = 'gza web --json --no-open > "$1" & until [ -s "$1" ]; do sleep 0.05; done; kill $!; wait; cat "$1"'
  parseAs('web', undefined, repo.run(['sh', '-c', serve, 'sh', repo.write('served.json', '')]).stdout, checked)
  const { sync } = aLinearRepo()
  parseAs('linear', undefined, (await sync('--json')).stdout, checked)
}, 60_000)

test('commands that run agents and land their work print what docs/json.md says', async () => {
  const acts = {
    good: 'commit good.txt a',
    bad: 'exit 3',
    asks: 'git tasks ask "$task" "Which one?"',
    waits: 'touch "$beside/began"; until [ -e "$beside/go" ]; do sleep 0.05; done; commit waits.txt a',
  }
  const repo = anAgentRepo(acts, { defaults: { max_attempts: 1 }, config: { verify: { command: 'true' } } })
  const { check } = checkerOf(repo, checked)
  for (const title of ['good', 'bad', 'asks']) repo.add(title)
  check(['work', '--all', '--dry-run'], { when: 'work --dry-run' })
  check(['prompt', '1'])
  check(['work', '--all'], { when: 'work', exits: [1] })
  check(['show', '1'], { when: 'show ID' })
  for (const command of ['stats', 'inbox', 'queue', 'watch', 'status', 'next']) check([command])
  check(['logs', '1'])
  check(['diff', '1'])
  check(['merge', '1', '--dry-run'])
  check(['merge', '1'])
  check(['show', '1'], { when: 'show ID' })
  check(['answer', '3', 'The first'])
  check(['retry', '2'], { exits: [1] })
  check(['resolve', '2', '--skip'], { when: 'resolve ID' })
  check(['review', '1'], { exits: [0, 1] })
  check(['improve', '1', 'Make it better'], { exits: [0, 1] })
  const waits = repo.add('waits')
  const working = repo.start(['gza', 'work', waits, '--json'])
  await until(() => repo.run(['test', '-e', repo.beside('began')]).code === 0)
  expect(check(['ps'])).toHaveLength(1)
  check(['watch'])
  check(['kill', waits])
  parseAs('work', 'work', (await working).stdout, checked)
}, 120_000)

test('agents, git tasks run and the demonstration print what docs/json.md says', async () => {
  const repo = anAgentRepo({ else: 'commit "$title.txt" a; git tasks done "$task"' })
  const { check } = checkerOf(repo, checked)
  repo.add('one')
  check(['run', '--dry-run'])
  check(['run'])
  const two = repo.add('two')
  const agent = repo.withEnv({ GZA_AGENT: 'codex' })
  const claimed = parseAs('claim', undefined, agent.gza('claim', '--next', '--json').stdout, checked) as { run: string }
  const holder = repo.withEnv({ GZA_AGENT: 'codex', GZA_RUN: claimed.run })
  parseAs('release', undefined, holder.gza('release', two, '--json').stdout, checked)
  const again = parseAs('claim', undefined, agent.gza('claim', two, '--json').stdout, checked) as { run: string }
  const asking = repo.withEnv({ GZA_AGENT: 'codex', GZA_RUN: again.run })
  parseAs('ask', undefined, asking.gza('ask', two, 'Which one?', '--json').stdout, checked)
  repo.write('loop.md', '- [ ] T1: A (depends on T2)\n- [ ] T2: B (depends on T1)\n')
  repo.gza('plan', 'import', 'loop.md')
  check(['inbox'])
  check(['resolve', 'loop.md', '--skip'], { when: 'resolve FILE' })
  parseAs('demo', undefined, repo.gza('demo', '--json').stdout, checked)
}, 120_000)

test('under git tasks a task is the same, but after is null, an id or a list', () => {
  const repo = aStartedRepo()
  const first = add(repo, 'one')
  add(repo, 'two')
  add(repo, 'three', '--after', first)
  add(repo, 'four', '--after', '1,2')
  z.array(SpecifiedTask)
    .length(4)
    .parse(JSON.parse(repo.tasks('list', '--json').stdout))
})

test('every output was checked', () => {
  const here = Object.entries(OUTPUTS).flatMap(([command, outputs]) =>
    outputs.filter(({ needs }) => needs === undefined).map(({ when }) => when ?? command),
  )
  expect(here.filter((name) => !checked.has(name))).toEqual([])
})
