import { expect, test } from 'bun:test'
import { readCallLine } from './call-line.ts'

test('-C and --cwd before the command are folders, each relative to the one before', () => {
  expect(readCallLine(['-C', 'a', '--cwd=b', '--cwd', 'c', 'list', '--all'])).toEqual({
    words: ['list', '--all'],
    folders: ['a', 'b', 'c'],
    json: false,
    isPaged: true,
  })
})

test('--json and --branch before the command belong to it', () => {
  expect(readCallLine(['--json', '--branch', 'x', 'note', '3', '--', '--all'])).toEqual({
    words: ['note', '--json', '--branch=x', '3', '--', '--all'],
    folders: [],
    json: true,
    isPaged: true,
  })
})

test('--no-pager before the command is for every command, and no command gets it', () => {
  expect(readCallLine(['--no-pager', 'show', '3'])).toEqual({
    words: ['show', '3'],
    folders: [],
    json: false,
    isPaged: false,
  })
})

test('an empty value and a value with several lines become separate words', () => {
  expect(readCallLine(['edit', '5', '--group=', '--content=a\nb', '--title=a=b']).words).toEqual([
    'edit',
    '5',
    '--group',
    '',
    '--content',
    'a\nb',
    '--title=a=b',
  ])
})

test('after -- nothing is changed, and --json there has no effect', () => {
  expect(readCallLine(['guard', '--', 'cmd', '--x=', '--json'])).toEqual({
    words: ['guard', '--', 'cmd', '--x=', '--json'],
    folders: [],
    json: false,
    isPaged: true,
  })
})
