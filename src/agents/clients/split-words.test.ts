import { expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { splitWords } from './split-words.ts'

test('spaces separate words, quotes and backslashes join them', () => {
  expect(splitWords('aider --yes')).toEqual(['aider', '--yes'])
  expect(splitWords('  goose\trun\n-i  ')).toEqual(['goose', 'run', '-i'])
  expect(splitWords(`node 'my agent.js' --name "a b" c\\ d`)).toEqual(['node', 'my agent.js', '--name', 'a b', 'c d'])
  expect(splitWords(`--a='x y'"z"w`)).toEqual(['--a=x yzw'])
  expect(splitWords('')).toEqual([])
})

test('an empty pair of quotes is a word', () => {
  expect(splitWords(`agent '' "" x`)).toEqual(['agent', '', '', 'x'])
})

test('double quotes keep backslashes that escape nothing', () => {
  expect(splitWords(String.raw`"a\n\"b\\ \$c"`)).toEqual([String.raw`a\n"b\ $c`])
})

test('a continued line is one line', () => {
  expect(splitWords('aider \\\n --yes "a\\\nb"')).toEqual(['aider', '--yes', 'ab'])
})

test('nothing is expanded', () => {
  expect(splitWords('agent $HOME ~ *.ts {a,b} #x')).toEqual(['agent', '$HOME', '~', '*.ts', '{a,b}', '#x'])
})

test('an unclosed quote, or anything that needs a shell, is refused', () => {
  for (const command of [`a 'b`, `a "b`, 'a "b\\"', 'a \\'])
    expect(() => splitWords(command)).toThrow(expect.objectContaining({ code: 'BAD_COMMAND' }))
  for (const command of ['a | b', 'a; b', 'a && b', 'a > b', 'a < b', 'a $(b)', 'a `b`', 'a &'])
    expect(() => splitWords(command)).toThrow('needs a shell')
})

test('the words are the same as in a shell', () => {
  const piece = fc.constantFrom(
    'a',
    'é',
    ' ',
    '\t',
    '\\',
    '\\\\',
    '\\"',
    `'x y'`,
    '"x y"',
    '"',
    "'",
    '-',
    '=',
    '\n',
    '%',
    '\\n',
  )
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      (command) => {
        const words = tryToSplit(command)
        // Outside quotes, a line break ends the command of a shell.
        if (words === null || /\n/.test(command)) return
        expect(words).toEqual(wordsOfShell(command))
      },
    ),
    { numRuns: 60 },
  )
})

function tryToSplit(command: string): string[] | null {
  try {
    return splitWords(command)
  } catch {
    return null
  }
}

function wordsOfShell(command: string): string[] {
  const script = `set -- ${command}\nfor word in "$@"; do printf '%s\\000' "$word"; done`
  const printed = execFileSync('/bin/sh', ['-c', script], { env: {}, encoding: 'utf8' })
  return printed.split('\0').slice(0, -1)
}
