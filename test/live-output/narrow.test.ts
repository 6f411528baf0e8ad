import { expect, test } from 'bun:test'
import { widthOf } from '../../src/cli/terminal/fit-to.ts'
import { aGatedRepo } from './gated-agent.ts'
import { onTerminal } from './pseudo-terminal.ts'

const repo = aGatedRepo('commit')
repo.gza('add', 'Write the parser, its tests and everything else that belongs to it')
repo.gza('add', 'Write the lexer and its tests', '-t', 'implement')
repo.gza('add', 'Write what needs both of them, with a title that is too long', '--after', '1,2', '--group', 'back-end')
repo.gza('add', 'Part of it, which has a long title as well, as parts often have', '--parent', '3', '--milestone', 'M1')
repo.gza('note', '2', 'A note with many words, on one line, which a narrow terminal cannot show without a break in it')
repo.gza('work', '1')
const { run } = JSON.parse(repo.withEnv({ GZA_AGENT: 'codex' }).gza('claim', '4', '--json').stdout)
const asking = repo.withEnv({ GZA_AGENT: 'codex', GZA_RUN: run })
asking.gza('ask', '4', 'Which of the two would you like, and why do you prefer it to the other one that I proposed?')

/** Examples and the line that starts the help are commands to copy: they are not wrapped. */
function isCommand(line: string): boolean {
  return /^( {2}|Start: {2})gza /.test(line)
}

const ON_ANY = [['--help'], ['list', '--help'], ['add', '--help'], ['config'], ['simulate'], ['stats'], ['status']]
const ON_60 = [
  ['list'],
  ['list', '--all', '--fields', 'number,status,title,after'],
  ['ready'],
  ['next', '--all'],
  ['tree'],
  ['inbox'],
  ['queue'],
  ['agents'],
  ['groups'],
  ['milestones'],
  ['search', 'parser'],
  ['log'],
  ['why', '3'],
  ['doctor'],
  ['graph', '--all'],
  ['summary'],
  ['verify'],
  ['score', '1'],
  ['logs', '1'],
  ['work', '--all', '--dry-run'],
  ['show', '2'],
  ['show', '4'],
  ['context'],
  ['prompt', '2'],
]

/** A word that is longer than the line, such as a path, is not broken. */
function isOneWord(line: string): boolean {
  return !line.trim().includes(' ')
}

for (const columns of [40, 60, 80, 200])
  for (const args of columns === 40 ? ON_ANY : [...ON_ANY, ...ON_60])
    test(`${args.join(' ')} fits on ${columns} columns`, async () => {
      const place = { cwd: repo.dir, env: { ...repo.env, GZA_PAGER: 'cat' }, columns, rows: 200 }
      const terminal = onTerminal(['gza', ...args], place)
      expect(await terminal.exited).toBe(0)
      const lines = Bun.stripANSI(terminal.written()).replaceAll('\r', '').trimEnd().split('\n')
      expect(lines.join('').length).toBeGreaterThan(30)
      const isWide = (line: string) => widthOf(line) > columns && !isCommand(line) && !isOneWord(line)
      expect(lines.filter(isWide)).toEqual([])
    })

test('on a narrow terminal stats prints the numbers of a task in words, below its title', async () => {
  const place = { cwd: repo.dir, env: repo.env, columns: 60 }
  const terminal = onTerminal(['gza', 'stats'], place)
  expect(await terminal.exited).toBe(0)
  const lines = Bun.stripANSI(terminal.written()).replaceAll('\r', '').trimEnd().split('\n')
  expect(lines[0]).toBe('total')
  expect(lines[1]).toMatch(/^ {2}2 tasks, 2 attempts, 0 failed, \d+s, /)
  expect(lines).toContain('  #1 Write the parser, its tests and everything else that b…')
})

test('what show prints is wrapped on a terminal only: between words, below the text that it continues', async () => {
  const own = aGatedRepo('commit')
  const content =
    'Title\n\n- An entry of a list with more words than fit\n\n```\ncode that is as long as it has to be\n```'
  own.run(['gza', 'add', '-'], { stdin: content })
  const terminal = onTerminal(['gza', 'show', '1'], { cwd: own.dir, env: own.env, columns: 30 })
  expect(await terminal.exited).toBe(0)
  const shown = Bun.stripANSI(terminal.written()).replaceAll('\r', '').split('\n')
  expect(shown.slice(2, 8)).toEqual([
    ...['    - An entry of a list with', '      more words than fit', ''],
    ...['    ```', '    code that is as long as it has to be', '    ```'],
  ])
  expect(own.gza('show', '1').stdout).toContain('\n    - An entry of a list with more words than fit\n')
  expect(JSON.parse(own.gza('show', '1', '--json').stdout).content).toBe(content)
})
