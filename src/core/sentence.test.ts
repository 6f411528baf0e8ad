import { expect, test } from 'bun:test'
import { command, commandLine, sentence, sentenceText } from './sentence.ts'

test('a command is printed in the name that the program was called by', () => {
  const hint = sentence`Read it, then: ${command`trust`}`
  expect(hint).toEqual(['Read it, then: ', { command: ['trust'] }])
  expect(sentenceText(hint)).toBe('Read it, then: gza trust')
  expect(sentenceText(hint, 'git tasks')).toBe('Read it, then: git tasks trust')
  expect(sentenceText(command`edit ${3} --reopen`, 'git tasks')).toBe('git tasks edit 3 --reopen')
})

test('a value is never taken for a command, even if it looks like one', () => {
  const title = 'Explain gza done'
  expect(sentenceText(sentence`${title} is open: ${command`done ${1}`}`, 'git tasks')).toBe(
    'Explain gza done is open: git tasks done 1',
  )
  expect(sentenceText('gza done 1', 'git tasks')).toBe('gza done 1')
})

test('a command is the list of its words, whatever is in them', () => {
  const refs = ["it's", 'a b', '']
  expect(command`done ${refs} --at ${'--'}`).toEqual({ command: ['done', "it's", 'a b', '', '--at', '--'] })
  expect(sentenceText(command`done ${refs}`)).toBe(`gza done 'it'\\''s' 'a b' ''`)
  expect(sentenceText(command`edit ${1}${[]}`)).toBe('gza edit 1')
})

test('what the reader fills in or chooses from is not quoted', () => {
  expect(sentenceText(command`add "What is to be done" --group ${'v 2'}`)).toBe(
    `gza add "What is to be done" --group 'v 2'`,
  )
  expect(command`resolve ${3} --fixed|--skip`).toEqual({ command: ['resolve', '3', { unquoted: '--fixed|--skip' }] })
})

test('a sentence can be part of another', () => {
  const inner = sentence`#${2} has failed; ${command`retry ${2}`} opens it again`
  expect(sentenceText(sentence`${inner}. ${command`sync`} tries again`, 'git tasks')).toBe(
    '#2 has failed; git tasks retry 2 opens it again. git tasks sync tries again',
  )
})

test('a record has no caller: its commands are those of gza', () => {
  expect(commandLine`edit ${2} ${['--after', { unquoted: '""' }]}`).toBe('gza edit 2 --after ""')
})
