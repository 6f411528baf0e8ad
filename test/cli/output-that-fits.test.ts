import { describe, expect, test } from 'bun:test'
import { aRepo, type Repo } from '../support/repo.ts'

function aLedger(count: number): Repo {
  const repo = aRepo()
  repo.commit('first')
  const lines = Array.from({ length: count }, (_, at) => `- [ ] Task ${at + 1}`)
  repo.run(['gza', 'import', '-', '--format', 'markdown'], { stdin: `${lines.join('\n')}\n` })
  return repo
}

const repo = aLedger(30)
repo.gza('add', 'Last', '--after', '30', '--group', 'late')
const agent = repo.withEnv({ GZA_AGENT: 'codex' })

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

describe('--limit', () => {
  test('cuts the rows of every list, as text and as JSON', () => {
    for (const name of ['list', 'ready', 'tree', 'log', 'inbox']) {
      expect({ name, count: lines(repo.gza(name, '--limit', '3').stdout).length <= 3 }).toEqual({ name, count: true })
      expect(JSON.parse(repo.gza(name, '--limit', '3', '--json').stdout).length).toBeLessThanOrEqual(3)
    }
    expect(lines(repo.gza('ready', '--limit', '3').stdout)).toHaveLength(3)
    expect(lines(repo.tasks('list', '-n', '4').stdout)).toHaveLength(4)
    expect(JSON.parse(repo.gza('list', '--json').stdout)).toHaveLength(31)
    expect(JSON.parse(repo.gza('ready', '--json', '--limit', '7').stdout)).toHaveLength(7)
  })

  test('next keeps the count of blocked tasks, and ready cuts ready and blocked tasks as one list', () => {
    expect(repo.gza('next', '--limit', '2').stdout).toBe(
      '1. [task] Task 1\n2. [task] Task 2\n\n(1 task blocked by dependencies)\n',
    )
    expect(lines(repo.gza('ready', '--limit', '31').stdout).at(-1)).toMatch(/^\(#31 .* blocked by #30\)$/)
    expect(lines(repo.gza('next', '--all', '--limit', '31').stdout).at(-1)).toBe('31. [task] Last (blocked by #30)')
  })

  test('status counts tasks, not groups, and prints the same ones as JSON', () => {
    const shown = repo.gza('status', '--limit', '2').stdout
    expect(shown).toBe(
      'Group: late\n  ○ 31. Last     pending (blocked by #30)\n\n(ungrouped)\n  ○ 1. Task 1    pending\n',
    )
    const groups = JSON.parse(repo.gza('status', '--limit', '2', '--json').stdout)
    expect(
      groups.map(({ group, tasks }: { group: string; tasks: { number: number }[] }) => [
        group,
        tasks.map(({ number }) => number),
      ]),
    ).toEqual([
      ['late', [31]],
      [null, [1]],
    ])
    expect(JSON.parse(repo.gza('status', '--limit', '1', '--json').stdout)).toHaveLength(1)
  })

  test('summary cuts each of its lists, and still counts everything', () => {
    expect(repo.gza('summary', '--limit', '1').stdout).toMatch(
      /^31 tasks, 0% completed\n {2}pending {8}31 {2}task-[0-9a-f]+ and 30 more\n$/,
    )
    const read = JSON.parse(repo.gza('summary', '--limit', '2', '--json').stdout)
    expect({ total: read.total, pending: read.pending.length, tasks: read.state.tasks.length }).toEqual({
      ...{ total: 31, pending: 2, tasks: 2 },
    })
  })

  test('is a whole number above 0', () => {
    const { code, stderr } = repo.gza('ready', '--limit', '0')
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('it must be a whole number above 0') })
  })
})

describe('--fields', () => {
  test('chooses the columns of text, with tabs between them for programs', () => {
    expect(repo.gza('list', '--fields', 'number,status,title', '--limit', '2').stdout).toBe(
      '1\tpending\tTask 1\n2\tpending\tTask 2\n',
    )
    expect(repo.gza('next', '--all', '--fields', 'title,blocked_by').stdout).toEndWith('Task 30\t\nLast\t#30\n')
    expect(repo.gza('status', 'late', '--fields', 'number,group').stdout).toBe('31\tlate\n')
    expect(repo.gza('tree', '--fields', 'depth,title', '--limit', '1').stdout).toBe('0\tTask 1\n')
    expect(repo.gza('log', '--fields', 'mode,by', '--limit', '1').stdout).toMatch(/^human\t.+\n$/)
    expect(repo.gza('summary', '--fields', 'total,progress').stdout).toBe('total\t31\nprogress\t0%\n')
  })

  test('chooses the keys of JSON, in this order and each once', () => {
    expect(repo.gza('list', '--fields', 'title,number,title', '--limit', '1', '--json').stdout).toBe(
      '[{"title":"Task 1","number":1}]\n',
    )
    expect(repo.gza('ready', '--fields', 'id', '--limit', '1', '--json').stdout).toMatch(/^\[\{"id":"task-\w+"\}\]\n$/)
    expect(repo.gza('summary', '--fields', 'total', '--json').stdout).toBe('{"total":31}\n')
  })

  test('an entry without a field has it as null', () => {
    const other = aRepo()
    other.commit('first')
    other.gza('add', 'Ask')
    const asking = other.withEnv({ GZA_AGENT: 'codex' })
    asking.gza('claim', '1')
    asking.gza('ask', '1', 'Which one?')
    expect(JSON.parse(other.gza('inbox', '--fields', 'code,subject', '--json').stdout)).toEqual([
      { code: 'QUESTION', subject: null },
    ])
    expect(other.gza('inbox', '--fields', 'code,task').stdout).toBe('QUESTION\t#1\n')
  })

  test('an unknown field is refused with the nearest one and all of them', () => {
    for (const program of ['gza', 'tasks'] as const) {
      const { code, stdout, stderr } = repo[program]('list', '--fields', 'id,statsu')
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toStartWith(
        'Error: There is no field statsu\n  Did you mean status? Fields: id, content, status, ',
      )
    }
    expect(repo.gza('inbox', '--fields', 'xyz').stderr).toBe(
      'Error: There is no field xyz\n  Fields: task, code, detail, commands, subject, cycle_texts\n',
    )
    expect(repo.gza('tree', '--fields', ',').stderr).toStartWith('Error: --fields needs the names of fields\n')
  })

  test('names are completed one after the other', () => {
    const proposed = repo.gza('__complete', '--', 'list', '--fields', 'id,sta').stdout
    expect(lines(proposed).map((line) => line.split('\t')[0])).toContain('id,status')
    const flags = repo.gza('__complete', '--', 'inbox', '--').stdout
    for (const flag of ['--limit', '--fields', '--no-pager']) expect(flags).toContain(flag)
  })
})

describe('in agent mode', () => {
  test('text has 20 rows, and stderr says how many there are and how to get them', () => {
    for (const name of ['list', 'ready', 'tree']) {
      const { code, stdout, stderr } = agent.gza(name)
      expect({ name, code, count: lines(stdout).length, stderr }).toEqual({
        ...{ name, code: 0, count: 20, stderr: '20 of 31 are shown. --limit 31 shows all.\n' },
      })
      expect(lines(agent.gza(name, '--limit', '31').stdout)).toHaveLength(31)
    }
    expect(agent.gza('next').stderr).toBe('20 of 30 are shown. --limit 30 shows all.\n')
    expect(agent.gza('list', '--fields', 'id')).toMatchObject({ stderr: '20 of 31 are shown. --limit 31 shows all.\n' })
  })

  test('status and summary count what they leave out', () => {
    const { stdout, stderr } = agent.gza('status')
    expect(lines(stdout).length).toBeLessThanOrEqual(20)
    expect(stdout).toContain('(ungrouped)  30 tasks (30 pending)\n')
    expect(stdout).toContain('… and 14 more: gza status --limit 31\n')
    expect(stderr).toBe('17 of 31 are shown. --limit 31 shows all.\n')
    expect(agent.gza('summary').stdout).toContain(' and 11 more\n')
  })

  test('JSON is complete, and a short list is printed as for people', () => {
    expect(JSON.parse(agent.gza('list', '--json').stdout)).toHaveLength(31)
    const few = aLedger(20)
    const { stdout, stderr } = few.withEnv({ GZA_AGENT: 'codex' }).gza('list')
    expect({ count: lines(stdout).length, stderr }).toEqual({ count: 20, stderr: '' })
  })

  test('people get everything', () => {
    expect(lines(repo.gza('list').stdout)).toHaveLength(31)
    expect(lines(repo.gza('status').stdout)).toHaveLength(33)
  })
})
