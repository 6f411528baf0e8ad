import { expect, test } from 'bun:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { aRepo, type Repo } from '../support/repo.ts'

const AGENT = { CLAUDECODE: '1' }

function aQueue(...titles: string[]): { repo: Repo; agent: Repo } {
  const repo = aRepo()
  repo.commit('first')
  for (const title of titles) repo.gza('add', title)
  return { repo, agent: repo.withEnv(AGENT) }
}

interface Next {
  state: string
  task: { number: number } | null
  commands: string[]
}

const nextOf = (agent: Repo, ...args: string[]): Next => {
  const { markdown, next } = JSON.parse(agent.gza('context', '--json', ...args).stdout)
  expect(countTokens(markdown)).toBeLessThanOrEqual(400)
  for (const command of next.commands) expect(markdown).toContain(`\`${command}\``)
  return { ...next, task: next.task && { number: next.task.number } }
}

test('gza context says what to do next: without tasks, with one, with a claim, while all wait, about one task', () => {
  const { repo, agent } = aQueue()
  expect(nextOf(agent)).toEqual({ state: 'nothing_open', task: null, commands: ['gza add "…"', 'gza list --all'] })
  repo.gza('add', 'Write the parser')
  repo.gza('add', 'Write the lexer', '--after', '1')
  expect(nextOf(agent)).toEqual({
    ...{ state: 'ready', task: { number: 1 } },
    commands: ['gza claim 1', 'gza note 1 "…"', 'gza done 1', 'gza next'],
  })
  agent.gza('claim', '1')
  const own = ['gza show 1', 'gza note 1 "…"', 'gza done 1', 'gza claim --next']
  expect(nextOf(agent)).toEqual({ state: 'claimed', task: { number: 1 }, commands: own })
  expect(agent.gza('context').stdout).toContain('claude-code has claimed task #1')
  const other = repo.withEnv({ GZA_AGENT: 'codex' })
  const stuck = ['gza why 2', 'gza list', 'gza add "…"']
  expect(nextOf(other)).toEqual({ state: 'waiting', task: { number: 2 }, commands: stuck })
  expect(other.gza('context').stdout).toContain(
    'Nothing can start now: 2 open tasks, 1 blocked by others, 1 in progress.',
  )
  expect(nextOf(other, '--task', '2')).toMatchObject({ state: 'not_ready', task: { number: 2 } })
  agent.gza('ask', '1', 'Which grammar?')
  expect(nextOf(agent)).toMatchObject({ state: 'waiting', task: { number: 1 } })
  expect(agent.gza('context').stdout).toContain('1 waiting for the answer of a person')
})

test('git tasks context names ids and its own commands', () => {
  const { repo, agent } = aQueue('Write the parser')
  const [{ id }] = JSON.parse(repo.gza('list', '--json').stdout)
  const { stdout } = agent.tasks('context')
  expect(stdout).toContain(`In this order: ${id}\n`)
  expect(stdout).toContain(`- \`git tasks claim ${id}\` takes it`)
  expect(stdout).not.toContain('gza')
})

test('the context of hundreds of tasks has at most 400 tokens, also with the guide of the session hook', () => {
  const { repo, agent } = aQueue()
  const lines = Array.from(
    { length: 300 },
    (_, at) => `- [ ] Refactor module ${at} to use the new interface, 第${at}部分\n`,
  )
  repo.run(['gza', 'import', '-', '--format', 'markdown'], { stdin: lines.join('') })
  const counts = [['context'], ['context', '--hook'], ['context', '--max-tokens', '100']].map((args) =>
    countTokens(agent.gza(...args).stdout),
  )
  expect(counts[0]).toBeLessThanOrEqual(400)
  expect(counts[0]).toBeGreaterThan(200)
  // The JSON around it is not the model's.
  expect(
    countTokens(JSON.parse(agent.gza('context', '--hook').stdout).hookSpecificOutput.additionalContext),
  ).toBeLessThanOrEqual(400)
  expect(counts[2]).toBeLessThanOrEqual(100)
})

test('in agent mode the help is short and names only what agents may do; people get all of it', () => {
  const { repo, agent } = aQueue()
  for (const help of [agent.gza('--help'), agent.gza(), agent.tasks('-h'), agent.gza('-h')]) {
    expect(help.code).toBe(0)
    expect(countTokens(help.stdout)).toBeLessThan(300)
    const named = [...help.stdout.matchAll(/^ {2}(?:gza|git tasks) (\S+)/gm)].map(([, name]) => name)
    expect(named).toEqual([
      ...['context', 'next', 'list', 'search', 'show', 'why'],
      ...['claim', 'note', 'ask', 'done', 'release', 'add'],
    ])
  }
  expect(agent.tasks('-h').stdout).not.toContain('gza')
  expect(repo.gza('--help').stdout).toContain('merge')
  expect(agent.gza('claim', '--help').stdout).toBe(repo.gza('claim', '--help').stdout)
})

/** Calls that are refused to agents, whatever the state of the repository. */
const REFUSED = [
  ...[
    ['edit', '1', '--content', 'x'],
    ['delete', '1'],
    ['move', '1', '--to', 'main'],
    ['undo'],
    ['redo'],
    ['restore', '1'],
  ],
  ...[
    ['run'],
    ['work'],
    ['work', '1'],
    ['retry', '1'],
    ['review', '1'],
    ['improve', '1'],
    ['kill', '1'],
    ['merge', '1'],
  ],
  ...[['answer', '1', 'x'], ['resolve', '1', '--skip'], ['sync'], ['pr', '--create'], ['linear', 'sync'], ['prune']],
  ...[['archive', '1'], ['agents', 'resume', 'claude'], ['init'], ['setup', 'claude'], ['notify'], ['trust']],
  ...[
    ['claim', '1', '--take-over'],
    ['claim', '2'],
    ['done', '99'],
    ['release', '2'],
    ['show', '2', '--text'],
  ],
]

test.each(REFUSED)('a refusal of `%s %s` names that command and what an agent may do instead', (...argv) => {
  const { repo, agent } = aQueue('Write the parser', 'Write the lexer')
  repo.gza('done', '2')
  for (const program of ['gza', 'git tasks'] as const) {
    const words = argv.filter((word) => word !== undefined)
    const { code, stderr } = program === 'gza' ? agent.gza(...words) : agent.tasks(...words)
    expect(code).toBe(1)
    const [fact = '', hint = ''] = stderr.split('\n')
    if (fact.includes('is blocked in agent mode')) expect(fact).toStartWith(`Error: ${argv[0]} `)
    const commands = [...hint.matchAll(new RegExp(`${program} (\\S+)`, 'g'))].map(([, name]) => name)
    expect(commands.length).toBeGreaterThan(0)
    for (const name of commands)
      expect(['note', 'add', 'claim', 'done', 'show', 'list', 'context']).toContain(String(name))
    expect(hint).not.toContain('--take-over')
  }
})
