import { describe, expect, test } from 'bun:test'
import { aRepo, type Repo } from '../support/repo.ts'

function aBacklog(): Repo {
  const repo = aRepo()
  repo.commit('first')
  const tasks = [
    {
      content: 'Old parser',
      status: 'completed',
      created_at: '2020-01-01T00:00:00Z',
      closed_at: '2020-01-02T00:00:00Z',
    },
    { content: 'Old lexer', created_at: '2020-01-01T00:00:00Z', priority: 'high', assigned_agent: 'codex' },
    { content: 'New parser', priority: 'low', group: 'later', milestone_id: 'M1', files_to_modify: ['src/parser.ts'] },
    { content: 'New lexer', priority: 'critical', assigned_agent: 'claude', test_files: ['test/lexer.test.ts'] },
  ]
  repo.run(['gza', 'import', '-', '--format', 'jsonl'], {
    stdin: tasks.map((task) => `${JSON.stringify(task)}\n`).join(''),
  })
  repo.gza('add', 'Waits', '--after', '4', '--priority', 'high')
  return repo
}

describe('list', () => {
  const repo = aBacklog()
  const listed = (...args: string[]): string[] => {
    const { code, stdout } = repo.gza('list', ...args, '--json')
    expect({ args, code }).toEqual({ args, code: 0 })
    const json = (JSON.parse(stdout) as { title: string }[]).map(({ title }) => title)
    const text = repo
      .gza('list', ...args)
      .stdout.trimEnd()
      .split('\n')
      .filter(Boolean)
    expect(text).toHaveLength(json.length)
    return json
  }

  test.each([
    [
      ['--priority', 'critical,high'],
      ['Old lexer', 'New lexer', 'Waits'],
    ],
    [['--agent', 'claude'], ['New lexer']],
    [
      ['--agent', ''],
      ['New parser', 'Waits'],
    ],
    [['--milestone', 'M1'], ['New parser']],
    [
      ['--since', '2d'],
      ['New parser', 'New lexer', 'Waits'],
    ],
    [
      ['--since', '2020-01-02', '--all'],
      ['Old parser', 'New parser', 'New lexer', 'Waits'],
    ],
    [['--file', 'src/'], ['New parser']],
    [['--file', '*.test.ts'], ['New lexer']],
    [['--text', 'parser'], ['New parser']],
    [
      ['--text', 'parser', '--all'],
      ['Old parser', 'New parser'],
    ],
    [['--text', 'lexer priority:high'], ['Old lexer']],
    [['--not', 'priority:low', '--not', 'lexer'], ['Waits']],
    [['--not', 'status:blocked', '--not', 'agent:codex,claude'], ['New parser']],
    [['--not', 'since:2d'], ['Old lexer']],
    [['--not', 'file:src/', '--priority', 'low'], []],
    [['--status', 'ready', '--priority', 'critical,high', '--agent', 'claude'], ['New lexer']],
    [['--status', 'done', '--text', 'pars*'], ['Old parser']],
    [['--text', 'lexer', '--limit', '1'], ['Old lexer']],
    [['--group', 'later', '--type', 'task', '--text=-lexer'], ['New parser']],
  ])('%j', (args, titles) => {
    expect(listed(...args)).toEqual(titles)
  })

  test.each([
    [['--priority', 'urgent'], "'urgent' is not a valid priority"],
    [['--since', 'soon'], "'soon' is not a time"],
    [['--status', 'asleep'], "'asleep' is not a valid status"],
    [['--not', 'type:thing'], "'thing' is not a valid type"],
    [['--file', ''], 'The path of a file is empty'],
    [['nothing'], "No view is named 'nothing'"],
  ])('%j is refused', (args, message) => {
    const { code, stderr } = repo.gza('list', ...args)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
  })

  test('what looks like a field and is none is named if nothing was found', () => {
    expect(repo.gza('list', '--text', 'stauts:done')).toMatchObject({
      ...{ code: 0, stdout: '' },
      stderr: "No task matches.\nWarning: 'stauts:' is not a field, so it was searched for as text.\n",
    })
    expect(repo.gza('list', '--text', 'status:done parser').stderr).toBe('')
  })

  test('an empty list of a filter is empty on stdout', () => {
    expect(repo.gza('list', '--agent', 'nobody')).toMatchObject({ code: 0, stdout: '', stderr: 'No task matches.\n' })
  })
})

describe('a view', () => {
  const repo = aBacklog()
  repo.write(
    'gza.yaml',
    'views:\n  urgent: "status:ready priority:critical,high"\n  parsers: parser -priority:critical\n',
  )
  const titles = (...args: string[]) =>
    (JSON.parse(repo.gza('list', ...args, '--json').stdout) as { title: string }[]).map(({ title }) => title)

  test('is a filter under a name, and further filters narrow it', () => {
    expect(titles('urgent')).toEqual(['Old lexer', 'New lexer'])
    expect(titles('--view', 'urgent')).toEqual(['Old lexer', 'New lexer'])
    expect(titles('urgent', '--agent', 'claude')).toEqual(['New lexer'])
    expect(titles('parsers')).toEqual(['New parser'])
    expect(repo.tasks('list', 'parsers').stdout).toContain('New parser')
  })

  test('is listed by config, proposed by the completion, named in an error, and needs no trust', () => {
    expect(repo.gza('config', 'views').stdout).toContain('views.urgent')
    expect(repo.gza('__complete', '--', 'list', '').stdout.split(/[\t\n]/)).toContain('urgent')
    expect(repo.gza('list', 'urgen').stderr).toContain('Views: urgent, parsers.')
    expect(repo.gza('trust', '--show').stdout).not.toContain('views')
  })

  test.each([
    ['stauts:ready', "gza.yaml:2:6: views.v: 'stauts' is not a field of a filter. Fields: status, type,"],
    ['priority:urgent', "gza.yaml:2:6: views.v: 'urgent' is not a valid priority. One of: critical, high, medium, low"],
    ['""', 'gza.yaml:2:6: views.v: the filter is empty'],
    ['[a]', 'gza.yaml:2:6: views.v must be a filter, not a list'],
  ])('%s is an error with its position', (line, message) => {
    const bad = aBacklog()
    bad.write('gza.yaml', `views:\n  v: ${line}\n`)
    const { code, stderr } = bad.gza('list', 'v')
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) })
  })
})
