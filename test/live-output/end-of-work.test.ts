import { expect, test } from 'bun:test'
import { anAgentRepo } from '../support/scripted-agent.ts'
import { withClaude } from '../support/scripted-claude.ts'

const CLAUDE = { good: 'commit good.txt a; result done', asks: 'gza ask "$task" "Which one?"; result waiting' }
const PLAN = { plan: 'save "$(grep -o -m1 ".gza/plans/[^ ]*[.]md" <<<"$prompt")" "# A plan"' }

test('the end of work names what was done, what needs a person, what it cost where that is known, and what is next', () => {
  const repo = withClaude(CLAUDE, {
    defaults: { max_attempts: 1 },
    config: { agents: { silent: { command: 'sh -c "exit 3" {prompt}' } } },
  })
  repo.add('good')
  repo.add('bad')
  expect(repo.gza('assign', '2', 'silent').code).toBe(0)
  repo.add('asks')
  expect(repo.gza('work', '--all').stderr).toBe(`completed:  #1
unverified: #1: no check is configured
failed:     #2 (agent-error)
not landed: #1
inbox:      2 entries need you
cost:       $0.50, and an unknown amount for silent
next:       gza inbox
`)
  // Nothing was done, but something is left to do.
  const { stdout, stderr } = repo.tasks('work', '--all')
  expect(stdout).not.toContain('Running')
  expect(stderr).toBe('inbox: 2 entries need you\nnext:  git tasks inbox\n')
  expect(repo.gza('resolve', '2', '--skip').code).toBe(0)
  expect(repo.gza('answer', '3', 'The first').code).toBe(0)
  const again = JSON.parse(repo.gza('work', '--all', '--json').stdout).end
  expect(again).toMatchObject({ completed: [], inbox: 1, next: 'gza answer 3 TEXT' })
})

test('a plan is named with its path and the command that builds on it, and $0.00 is never printed', () => {
  const repo = anAgentRepo(PLAN)
  repo.add('plan', '--type', 'plan')
  const { stderr } = repo.gza('work')
  const [path = ''] = stderr.match(/\.gza\/plans\/\S+\.md/) ?? []
  expect(repo.run(['cat', path]).stdout).toBe('# A plan\n')
  const next = 'gza add TEXT --type implement --based-on 1'
  expect(stderr).toBe(
    `completed: #1\nplan:      #1 ${path}; ${next}\ncost:      unknown (scripted reports none)\nnext:      ${next}\n`,
  )
})

test('what landed by itself is named with its base, and git tasks run ends the same way, with ids', () => {
  const landing = anAgentRepo({}, { config: { land: 'merge', verify: { command: 'true' } } })
  landing.add('one')
  landing.add('two')
  expect(landing.gza('work', '--all').stderr).toBe(
    'completed: #1, #2\nlanded:    #1, #2 on main\ncost:      unknown (scripted reports none)\n',
  )
  const repo = withClaude({ else: 'commit "$title.txt" a; result done; git tasks done "$task"' })
  repo.add('one')
  repo.add('two')
  const { id } = repo.task('1')
  const once = repo.tasks('run', '--once')
  expect(once.stdout).not.toContain('next:')
  expect(once.stderr).toBe(
    `completed:  ${id}\nunverified: ${id}: no check is configured\ncost:       $0.25\nnext:       git tasks run\n`,
  )
  const last = JSON.parse(repo.tasks('run', '--json').stdout)
  expect(last.end).toMatchObject({ completed: [{ number: 2 }], cost: { usd: 0.25 }, next: 'git tasks pr' })
})
