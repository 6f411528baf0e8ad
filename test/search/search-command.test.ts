import { describe, expect, test } from 'bun:test'
import { HAS_SCRIPT } from '../support/has-script.ts'
import { aRepo, type Repo } from '../support/repo.ts'

function aLibrary(): Repo {
  const repo = aRepo()
  repo.commit('first')
  repo.gza('add', 'Write the parser\nIt reads tokens.', '--key', 'P1', '--files-to-create', 'src/parser.ts')
  repo.gza('add', 'Fix the lexer', '--group', 'later', '--accept', 'A naïve café is read', '--priority', 'low')
  repo.gza('note', '2', 'The parser broke: a syntax error in line 4')
  repo.gza('add', '日本語の構文解析を書く')
  repo.write('plan.md', 'An exploration of walruses.\n\nThe parser is not part of it.\n')
  repo.gza('add', 'Look around', '--type', 'explore')
  repo.gza('note', '4', 'see the plan', '--attach', 'plan.md')
  repo.gza('done', '4')
  return repo
}

function numbers(repo: Repo, ...args: string[]): number[] {
  const { code, stdout, stderr } = repo.gza('search', ...args, '--json')
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
  return (JSON.parse(stdout) as { number: number }[]).map(({ number }) => number)
}

describe('search', () => {
  const repo = aLibrary()

  test('prints the best match first, with the place and the words around it, under both names', () => {
    const gza = repo.gza('search', 'parser')
    const ids = (JSON.parse(repo.gza('list', '--all', '--json').stdout) as { id: string }[]).map(({ id }) => id)
    expect(gza).toMatchObject({
      code: 0,
      stderr: '',
      stdout: [
        `#1 ${ids[0]}: P1 Write the parser`,
        '    title: P1 Write the parser',
        `#2 ${ids[1]}: Fix the lexer`,
        '    note: The parser broke: a syntax error in line 4',
        `#4 ${ids[3]}: Look around (completed)`,
        '    artifact plan.md: An exploration of walruses. The parser is not part of it.',
        '',
      ].join('\n'),
    })
    const tasks = repo.tasks('search', 'walruses')
    expect(tasks.stdout).toBe(
      `${ids[3]}: Look around (done)\n    artifact plan.md: An exploration of walruses. The parser is not part of it.\n`,
    )
  })

  test('prints the same as JSON, with the matches as positions in the snippet', () => {
    const [found] = JSON.parse(repo.gza('search', 'syntax', '--json').stdout)
    expect(found).toMatchObject({ number: 2, status: 'pending', type: 'task', ledger: 'main', field: 'note' })
    expect(found.snippet.slice(...found.matches[0])).toBe('syntax')
    expect(Object.keys(found)).toEqual([
      ...['number', 'id', 'key', 'title', 'status', 'type', 'ledger', 'field', 'artifact', 'snippet', 'matches'],
    ])
  })

  test.each([
    ['all words', ['parser', 'lexer'], [2]],
    ['a phrase', ['"syntax error"'], [2]],
    ['a phrase in another order', ['"error syntax"'], []],
    ['a word that must not be there', ['parser -lexer -walruses'], [1]],
    ['the same as a flag', ['parser', '--not', 'lexer', '--not', 'status:done'], [1]],
    ['the beginning of a word', ['walr*'], [4]],
    ['one text only', ['title:parser'], [1]],
    ['words without accents, in any case', ['NAIVE cafe'], [2]],
    ['a key', ['P1'], [1]],
    ['criteria', ['criteria:café'], [2]],
    ['part of a text without spaces', ['構文'], [3]],
    ['a declared file', ['parser file:src/'], [1]],
    ['a pattern of files', ['parser file:*.ts'], [1]],
    ['the words of a path', ['src/parser.ts'], [1]],
    ['a status', ['parser status:open'], [1, 2]],
    ['several filters', ['parser status:open -priority:low'], [1]],
    ['content, which has the first line too', ['content:write content:tokens'], [1]],
  ])('finds %s', (_, args, expected) => {
    expect(numbers(repo, ...(args as string[]))).toEqual(expected as number[])
  })

  test('says that nothing matches on stderr, with what is not a field', () => {
    expect(repo.gza('search', 'zebra')).toMatchObject({ code: 0, stdout: '', stderr: 'No task matches.\n' })
    expect(repo.gza('search', 'stauts:done').stderr).toBe(
      "No task matches.\n'stauts:' is not a field, so it was searched for as text.\n",
    )
    expect(repo.gza('search', 'zebra', '--json')).toMatchObject({ code: 0, stdout: '[]\n', stderr: '' })
  })

  test.each([
    ...[
      'AND',
      'OR NOT',
      'NEAR(a b, 2)',
      'parser AND',
      '(parser',
      'parser) OR (1',
      '{title}: x',
      'a"b',
      '"a""b"',
      'x^2',
    ],
    ...[
      "'; DROP TABLE texts; --",
      'col : y',
      'parser + lexer',
      'par\u0001ser',
      'par\ud800ser',
      'a*b*',
      '"a"*',
      '-"x y" z',
    ],
    ...[`${'word '.repeat(3000)}`, 'x'.repeat(50_000), '\u200b日', 'é\u0301', 'node:fs', 'http://localhost:80/?q="x"'],
  ])('takes %j for words, never for an operator', (line) => {
    const { code, stderr } = repo.gza('search', '--json', '--', line)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  test.each(['"', '-parser', 'status:open', '…', ' ', '*'])('refuses %j, which has no word to find', (line) => {
    expect(JSON.parse(repo.gza('search', '--json', '--', line).stdout).error.code).toBe('NO_WORDS')
    expect(repo.gza('search', '--', line).code).toBe(2)
  })

  test('an agent may search', () => {
    expect(repo.withEnv({ GZA_AGENT: 'codex' }).gza('search', 'walruses').code).toBe(0)
  })

  test.if(HAS_SCRIPT)('on a terminal the match is coloured and the line fits', () => {
    const on = repo.withEnv({ TERM: 'xterm' })
    const shown = on.run(['script', '-qec', 'stty cols 40; gza search walruses', '/dev/null'], { stdin: '' }).stdout
    const lines = shown.trimEnd().split('\n')
    expect(lines.at(-1)).toContain('\x1b[31mwalruses\x1b[39m')
    for (const line of lines) expect(Bun.stringWidth(line.trimEnd())).toBeLessThanOrEqual(40)
  })
})

test('of many matches 20 are printed, and the rest is counted', () => {
  const repo = aRepo()
  const lines = Array.from({ length: 30 }, (_, at) => `- [ ] Task ${at} of the protocol`)
  repo.run(['gza', 'import', '-', '--format', 'markdown'], { stdin: `${lines.join('\n')}\n` })
  const { stdout, stderr } = repo.gza('search', 'protocol')
  expect(stdout.trimEnd().split('\n')).toHaveLength(40)
  expect(stderr).toBe('20 of 30 are shown. --limit 30 shows all.\n')
  expect(repo.gza('search', 'protocol', '--limit', '30').stderr).toBe('')
  expect(repo.gza('search', 'protocol', '--fields', 'number,field', '--limit', '1').stdout).toContain('title')
  expect(JSON.parse(repo.gza('search', 'protocol', '--json').stdout)).toHaveLength(30)
  expect(JSON.parse(repo.gza('search', 'protocol', '--json', '-n', '3').stdout)).toHaveLength(3)
})

test('archived tasks are found with --all, deleted and moved ones never, and each branch has its own', () => {
  const repo = aRepo()
  repo.commit('first')
  for (const name of ['one', 'two', 'three', 'four']) repo.gza('add', `Walrus ${name}`)
  repo.gza('done', '1')
  repo.gza('archive', '1')
  repo.gza('delete', '2')
  repo.git('branch', 'other')
  repo.gza('move', '3', '--to', 'other')
  expect(numbers(repo, 'walrus')).toEqual([4])
  expect(numbers(repo, 'walrus', '--all').sort()).toEqual([1, 4])
  expect(numbers(repo, 'walrus', '--branch', 'other')).toHaveLength(1)
  expect(numbers(repo, 'walrus', '--all-branches')).toHaveLength(2)
  expect(numbers(repo, 'walrus', '--branch', 'other', '--not', 'three')).toEqual([])
})

test('of several artifacts the one with the words is named, in any script', () => {
  const repo = aRepo()
  repo.commit('first')
  repo.gza('add', 'Look around')
  for (const [name, text] of [
    ['a.md', '日本語の構文解析について'],
    ['b.md', 'About herons.'],
    ['c.md', `${'word '.repeat(50)}and the walrus\n`],
  ] as const) {
    repo.write(name, text)
    repo.gza('note', '1', 'see', '--attach', name)
  }
  const placeOf = (word: string) => {
    const [found] = JSON.parse(repo.gza('search', word, '--json').stdout)
    return [found.field, found.artifact, found.snippet]
  }
  expect(placeOf('walrus')).toEqual(['artifact', 'c.md', expect.stringContaining('and the walrus')])
  expect(placeOf('herons')).toEqual(['artifact', 'b.md', expect.stringContaining('About herons.')])
  expect(placeOf('構文')).toEqual(['artifact', 'a.md', expect.stringContaining('日本語の構文解析について')])
})
