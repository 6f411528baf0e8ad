import { beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { aRepo } from '../support/repo.ts'
import { anAgentRepo } from '../support/scripted-agent.ts'
import { until } from '../support/until.ts'

/** Tasks in every state that a command asks for, by number. */
const ACTS = {
  landed: 'commit landed.txt a',
  good: 'commit good.txt a',
  bad: 'exit 3',
  asks: 'git tasks ask "$task" "Which one?"',
  waits: 'touch "$beside/began"; until [ -e "$beside/go" ]; do sleep 0.05; done; commit waits.txt a',
}
const repo = anAgentRepo(ACTS, { defaults: { max_attempts: 1 }, config: { verify: { command: 'true' } } })
const numbers = new Map<string, string>()

beforeAll(() => {
  for (const title of ['landed', 'good', 'bad', 'asks']) numbers.set(title, repo.add(title))
  repo.gza('work', '--all')
  repo.gza('merge', numbers.get('landed') ?? '')
  for (const title of ['held', 'claimed', 'deleted', 'open', 'whole']) numbers.set(title, repo.add(title))
  numbers.set('part', repo.add('part', '--parent', numbers.get('whole') ?? ''))
  numbers.set('blocked', repo.add('blocked', '--after', numbers.get('open') ?? ''))
  repo.gza('resolve', numbers.get('held') ?? '', '--abort')
  repo.withEnv({ GZA_AGENT: 'codex' }).gza('claim', numbers.get('claimed') ?? '')
  repo.gza('delete', numbers.get('deleted') ?? '', '--yes')
}, 120_000)

/** The titles of the tasks that are proposed for a line, by their ids; each name is that of the title's task. */
function proposed(program: 'gza' | 'git-tasks', ...words: string[]): string[] {
  const lines = repo
    .run([program, '__complete', '--', ...words, 'task-'])
    .stdout.split('\n')
    .filter(Boolean)
  return lines.map((line) => {
    const [id = '', title = ''] = line.split('\t')
    if (title !== 'deleted') expect(repo.task(id)).toMatchObject({ title })
    return title
  })
}

const OPEN = ['bad', 'asks', 'held', 'claimed', 'open', 'whole', 'part', 'blocked']
const FITTING: [command: string, titles: string[]][] = [
  ['merge', ['good']],
  ['logs', ['landed', 'good', 'bad', 'asks', 'claimed']],
  ['kill', []],
  ...['done', 'note', 'edit', 'why', 'prompt', 'assign'].map((name): [string, string[]] => [name, OPEN]),
  ['retry', ['bad']],
  ['claim', ['open', 'part']],
  ['work', ['open', 'part']],
  ['release', ['claimed']],
  ['answer', ['asks']],
  ['resolve', ['bad', 'asks', 'held']],
  ['restore', ['deleted']],
  ['review', ['landed', 'good']],
  ['improve', ['landed', 'good']],
  ['archive', ['landed', 'good']],
  ['show', ['landed', 'good', ...OPEN]],
  ['log', ['landed', 'good', ...OPEN]],
]

test.each(FITTING)('%s gets the tasks that fit it, under both names', (command, titles) => {
  expect(proposed('gza', command)).toEqual(titles)
  expect(proposed('git-tasks', command)).toEqual(titles)
})

test('diff gets the tasks with work, and numbers are proposed after a digit, with titles too', () => {
  expect(proposed('gza', 'diff')).toContain('good')
  expect(proposed('gza', 'diff')).not.toContain('open')
  const good = numbers.get('good') ?? ''
  expect(repo.gza('__complete', '--', 'merge', good).stdout).toBe(`${good}\tgood\n`)
  expect(repo.gza('__complete', '--', 'merge', numbers.get('landed') ?? '').stdout).toBe('')
  expect(repo.gza('__complete', '--', 'merge', good, good).stdout).toBe('')
})

test('kill gets the task that runs, and others do not get it as ready', async () => {
  const waits = repo.add('waits')
  const working = repo.start(['gza', 'work', waits])
  await until(() => existsSync(repo.beside('began')))
  expect(proposed('gza', 'kill')).toEqual(['waits'])
  expect(proposed('git-tasks', 'kill')).toEqual(['waits'])
  expect(proposed('gza', 'claim')).not.toContain('waits')
  expect(proposed('gza', 'logs')).toContain('waits')
  expect(proposed('gza', 'release')).toEqual(['claimed'])
  repo.write(`../${repo.beside('go').split('/').at(-1)}`, '')
  expect((await working).code).toBe(0)
  expect(proposed('gza', 'kill')).toEqual([])
  expect(proposed('gza', 'merge')).toEqual(['good', 'waits'])
}, 120_000)

/** What others can write into a ledger that is shared. */
const TITLE = 'a:b\tc \u001b]0;x\u0007 "$(touch pwned)" `touch pwned` \'q\' \\ %F{red} \u202e [z]'
const SHOWN = 'a:b c \\x1b]0;x\\x07 "$(touch pwned)" `touch pwned` \'q\' \\ %F{red} \\u202e [z]'

function hostileRepo() {
  const hostile = aRepo()
  hostile.gza('add', TITLE, '--key', 'K:1')
  hostile.gza('add', 'Two', '--key', 'K;touch pwned')
  hostile.gza('add', 'Three', '--key', 'K$(touch\tpwned)')
  hostile.gza('add', 'Four', '--key', '-K')
  hostile.gza('add', `Long ${'x'.repeat(500)}`, '--key', 'Long')
  return hostile
}

test('a title is one short line that a terminal obeys nowhere, and a key that a shell could obey is left out', () => {
  const hostile = hostileRepo()
  expect(hostile.gza('__complete', '--', 'show', 'K').stdout).toBe(`K:1\t${SHOWN}\n`)
  expect(hostile.gza('__complete', '--', 'add', 'x', '--after=K').stdout).toBe(`--after=K:1\t${SHOWN}\n`)
  expect(hostile.gza('__complete', '--', 'show', 'L').stdout).toBe(`Long\tLong ${'x'.repeat(94)}…\n`)
  expect(hostile.gza('__complete', '--', 'show', '').stdout).not.toContain('-K')
  expect(hostile.gza('__complete', '--', 'show', "' OR 1=1 --").stdout).toBe('')
})

test.if(Bun.which('fish') !== null)('fish shows the titles and obeys nothing in them', () => {
  const hostile = hostileRepo()
  for (const line of ['gza show K', 'git-tasks show K', 'git tasks show K']) {
    const script = `gza completion fish | source; complete -C '${line}'`
    expect(hostile.run(['fish', '--no-config', '-c', script]).stdout).toBe(`K:1\t${SHOWN}\n`)
  }
  expect(existsSync(join(hostile.dir, 'pwned'))).toBe(false)
})

test('bash gets the names alone', () => {
  const hostile = hostileRepo()
  const line = `COMP_WORDS=(gza show K); COMP_CWORD=2; _gza; printf '%s\\n' "\${COMPREPLY[@]}"`
  expect(hostile.run(['bash', '-c', `eval "$(gza completion bash)"\n${line}`]).stdout).toBe('K:1\n')
  expect(existsSync(join(hostile.dir, 'pwned'))).toBe(false)
})

test('of a large ledger every task can be completed, not only the newest', () => {
  const large = aRepo()
  const lines = Array.from({ length: 700 }, (_, at) => `- [ ] Task ${at + 1}`)
  large.write('plan.md', `${lines.join('\n')}\n`)
  expect(large.gza('import', 'plan.md').code).toBe(0)
  expect(large.gza('__complete', '--', 'done', '69').stdout.split('\n').filter(Boolean)).toHaveLength(11)
  expect(large.gza('__complete', '--', 'done', '7').stdout).toContain('7\tTask 7\n')
  expect(large.gza('__complete', '--', 'done', '').stdout.split('\n').filter(Boolean)).toHaveLength(500)
})
