import { expect, test } from 'bun:test'
import { HAS_SCRIPT } from '../support/has-script.ts'
import { outputOf } from '../support/ledger-answers.ts'
import { anAgentRepo } from '../support/scripted-agent.ts'
import { withClaude } from '../support/scripted-claude.ts'

const UNCHECKED =
  'No check is configured, so "completed" will only mean "committed": gza init proposes one, or set verify.command in gza.yaml.'

// `script` gives the command a terminal.
test.skipIf(!HAS_SCRIPT)(
  'without a check, work says once what completed will mean, doctor warns, and summary counts such tasks',
  () => {
    const repo = anAgentRepo({})
    for (const title of ['one', 'two', 'three']) repo.add(title)
    const work = () => repo.run(['script', '-qec', 'gza work', '/dev/null'], { stdin: '' }).stdout
    expect(work()).toContain(UNCHECKED)
    expect(work()).not.toContain(UNCHECKED)
    expect(repo.gza('doctor').stdout).toMatch(
      /warn {2}checks +no check is configured: "completed" will only mean "committed"\n +gza init proposes one/,
    )
    expect(repo.gza('summary').stdout).toMatch(/ {2}unverified +2 {2}task-\w+, task-\w+\n/)
    const config = repo.run(['cat', 'gza.yaml']).stdout
    repo.write('gza.yaml', `${config}verify: { command: "true" }\n`)
    expect(work()).not.toContain(UNCHECKED)
    const { completed, unverified } = JSON.parse(repo.gza('summary', '--json').stdout)
    expect([completed.length, unverified]).toEqual([3, completed.slice(0, 2)])
    expect(repo.gza('doctor').stdout).toMatch(/ok {4}checks +true\n/)
  },
)

test('a client that is missing is named with the command that installs it, by work, inbox and doctor', () => {
  const repo = anAgentRepo({}, { defaults: { agent: 'codex' }, config: { verify: { command: 'true' } } })
  const bare = repo.withEnv({ PATH: '/usr/bin:/bin' })
  repo.add('one')
  const work = bare.gza('work')
  expect([work.code, work.stdout]).toEqual([
    1,
    expect.stringContaining('codex: no such command. Install it: npm i -g @openai/codex'),
  ])
  expect(repo.inbox()).toMatchObject([{ detail: 'codex: no such command. Install it: npm i -g @openai/codex' }])
  expect(bare.gza('doctor').stdout).toMatch(
    /ok {4}agents +scripted\nwarn {2}agents +codex is configured, but not on PATH\n +Install it: /,
  )
})

// `script` gives the command a terminal.
test.skipIf(!HAS_SCRIPT)(
  'before a night starts a person sees how much it is, what it can cost, and what has no limit',
  () => {
    const repo = anAgentRepo(
      {},
      { config: { budgets: { task_usd: 2, day_usd: 5 }, verify: { command: 'true' }, parallel_workers: 2 } },
    )
    for (const title of ['one', 'two', 'three']) repo.add(title)
    repo.add('four', '--after', '3')
    const { stdout } = repo.run(['script', '-qec', 'gza work --all', '/dev/null'], { stdin: '' })
    expect(stdout).toContain('4 tasks, at most 2 at a time, by scripted (4).')
    // What a plain command costs is not known, so no budget ends it.
    const unheld = 'No budget limits the cost of scripted: none is reported.'
    expect(stdout).toContain(`\n${unheld} No limit is set for turns (budgets in gza.yaml).`)
    expect(stdout).toMatch(/2 worktrees will need about \d+ kB; .* are free\./)
    outputOf(repo.gza('work', '--all'))
  },
)

test.skipIf(!HAS_SCRIPT)('budgets are named as a limit only for agents that report what they take', () => {
  const repo = withClaude(
    { else: 'commit "$title.txt" x; result done' },
    {
      config: {
        budgets: { task_usd: 2, task_turns: 30 },
        task_types: { implement: { agent: 'scripted' } },
        verify: { command: 'true' },
      },
    },
  )
  repo.add('one')
  const first = repo.run(['script', '-qec', 'gza work --all', '/dev/null'], { stdin: '' }).stdout
  expect(first).toMatch(/1 task, .* by claude \(1\)\.\r?\nBudgets allow at most \$2\.00 and 30 turns\.\r?\n/)
  repo.add('two')
  repo.add('three', '--type', 'implement')
  const mixed = repo.run(['script', '-qec', 'gza work --all', '/dev/null'], { stdin: '' }).stdout
  expect(mixed).toContain(
    'Budgets allow at most $2.00 and 30 turns. No budget limits the cost of scripted: none is reported. No budget limits the turns of scripted: none is reported.',
  )
})
