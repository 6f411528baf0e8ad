import { describe, expect, test } from 'bun:test'
import { readFlagLine } from './flag-line.ts'

describe('a line of words and flags', () => {
  test.each([
    ['', { all: false }],
    ['parser  unicode', { text: 'parser unicode', all: false }],
    ['parser --agent codex --priority high', { text: 'parser', agent: 'codex', priority: 'high', all: false }],
    ['--agent=codex --file=src/a.ts', { agent: 'codex', file: 'src/a.ts', all: false }],
    ['--agent ""', { agent: '', all: false }],
    ['--group "two words" rest', { group: 'two words', text: 'rest', all: false }],
    ["--file 'src/**/*.ts'", { file: 'src/**/*.ts', all: false }],
    ["'title:pars* status:open'", { text: 'title:pars* status:open', all: false }],
    ['"syntax error" title:"a b" -legacy', { text: '"syntax error" title:"a b" -legacy', all: false }],
    ['"not closed', { text: '"not closed', all: false }],
    ["don't --since 2d", { text: "don't", since: '2d', all: false }],
    ['--not lexer --not group:later', { not: ['lexer', 'group:later'], all: false }],
    ['--not --milestone m1 --all', { not: ['milestone:"m1"'], all: true }],
    ['--not --group "two words"', { not: ['group:"two words"'], all: false }],
    ['one --text two', { text: 'one two', all: false }],
    ['--view urgent', { view: 'urgent', all: false }],
    ['-- --agent', { text: '--agent', all: false }],
  ])('%s', (line, given) => {
    expect(readFlagLine(line)).toEqual(given)
  })

  test.each([
    ['--agent', '--agent needs a value'],
    ['--agent --all', '--agent needs a value'],
    ['--not', '--not needs a value'],
    ['--not --text parser', '--not needs a value'],
    ['--agent a --agent b', '--agent is given twice'],
    ['--priorty high', 'Unknown flag --priorty'],
    ['--constructor x', 'Unknown flag --constructor'],
    ['--limit 5', '--limit cannot be used in this filter'],
  ])('%s is refused', (line, message) => {
    expect(() => readFlagLine(line)).toThrow(message)
  })
})
