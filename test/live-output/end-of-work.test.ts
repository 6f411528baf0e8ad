import { expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { anAgentRepo } from '../support/scripted-agent.ts'
import { withClaude } from '../support/scripted-claude.ts'
import { onTerminal } from './pseudo-terminal.ts'

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
  expect(again).toMatchObject({ completed: [], inbox_count: 1, next: 'gza answer 3 TEXT' })
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
  expect(repo.gza('show', '1').stdout).toMatch(
    new RegExp(`^artifact: ${path} \\(gza show 1 --text \\S+-plan-1[.]md\\)$`, 'm'),
  )
})

test('what landed by itself is named with its base, and git tasks run ends the same way, with ids', () => {
  const landing = anAgentRepo({}, { config: { land: 'merge', verify: { command: 'true' } } })
  landing.add('one')
  landing.add('two')
  expect(landing.gza('work', '--all').stderr).toEndWith(
    ': true\ncompleted: #1, #2\nlanded:    #1, #2 on main\ncost:      unknown (scripted reports none)\n',
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
  expect(last.end).toMatchObject({ completed: [{ number: 2 }], cost_usd: 0.25, next: 'git tasks pr' })
})

test('while one of three workers runs, the terminal says why the others do not', async () => {
  const hold = 'touch "$beside/began"; until [ -e "$beside/go" ]; do sleep 0.05; done; commit "$title.txt" a'
  const repo = anAgentRepo({ first: hold })
  repo.add('first', '--lock', 'db')
  repo.add('second', '--after', '1')
  repo.add('third', '--after', '1')
  repo.add('fourth', '--lock', 'db')
  const place = { cwd: repo.dir, env: repo.env, columns: 150 }
  const terminal = onTerminal(['gza', 'work', '--all', '--workers', '3'], place)
  const shown = await terminal.until((lines) => lines.at(-1)?.includes('idle') === true)
  expect(shown.at(-1)).toBe(
    '2 workers idle. #2: it waits for #1 (in_progress) (1 other task likewise); #4: #1 has the lock db',
  )
  writeFileSync(repo.beside('go'), '')
  expect(await terminal.exited).toBe(0)
  expect(terminal.screen.lines().filter((line) => line.includes('idle'))).toEqual([])
})

test('merge shows what it verifies: a line that is redrawn on a terminal, otherwise a line on stderr', async () => {
  const hold = 'if [ -e "$BESIDE/hold" ]; then until [ -e "$BESIDE/go" ]; do sleep 0.05; done; fi'
  const repo = anAgentRepo({}, { config: { verify: { command: hold } } })
  repo.env.BESIDE = repo.beside('.')
  for (const title of ['one', 'two', 'three']) repo.add(title)
  expect(repo.gza('work', '--all').code).toBe(0)
  const plain = repo.gza('merge', '1', '2')
  expect([plain.code, plain.stderr]).toEqual([0, 'Verifying #1, #2 on main...\n'])
  writeFileSync(repo.beside('hold'), '')
  const terminal = onTerminal(['gza', 'merge', '3'], { cwd: repo.dir, env: repo.env })
  await terminal.until((lines) => /^verifying #3 on main {2}\ds$/.test(lines.at(-1) ?? ''))
  expect(existsSync(repo.beside('go'))).toBe(false)
  writeFileSync(repo.beside('go'), '')
  expect(await terminal.exited).toBe(0)
  expect(terminal.screen.lines().at(-1)).toStartWith('✓ Task #3 landed on main')
  expect(terminal.screen.lines().filter((line) => line.startsWith('verifying'))).toEqual([])
})

test('show lists the commits of a task in the order of the history', () => {
  const script = 'for n in 1 2 3 4 5 6 7 8; do commit "f$n" "$n"; done'
  const repo = anAgentRepo({ many: script })
  repo.add('many')
  expect(repo.gza('work').code).toBe(0)
  const { branch } = repo.task('1')
  const commits = repo.git('log', '--reverse', '--format=%H', `main..${branch}`).trim().split('\n')
  const shown = JSON.parse(repo.gza('show', '1', '--json').stdout)
  expect(shown.commits_in_order).toEqual(commits)
  const others = commits.slice(0, -1).map((commit) => commit.slice(0, 7))
  expect(repo.gza('show', '1').stdout).toContain(`commits: ${others.join(', ')}\n`)
})

test('in a ledger that was named with --branch, the next command names it too', () => {
  const repo = anAgentRepo(PLAN)
  repo.git('branch', 'feature')
  repo.add('good', '--branch', 'feature')
  const { stderr } = repo.gza('work', '--branch', 'feature')
  expect(stderr).toEndWith('next:       gza merge 1 --branch feature\n')
  expect(repo.gza('merge', '1', '--branch', 'feature').code).toBe(0)
  repo.add('plan', '--type', 'plan', '--branch', 'feature')
  const { end } = JSON.parse(repo.gza('work', '--branch', 'feature', '--json').stdout)
  const next = 'gza add TEXT --type implement --based-on 2 --branch feature'
  expect([end.next, end.texts]).toEqual([next, [expect.objectContaining({ next })]])
})
