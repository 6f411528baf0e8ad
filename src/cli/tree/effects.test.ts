import { expect, test } from 'bun:test'
import { ALL_COMMANDS } from './all-commands.ts'
import { effectOf, mayPropose, mayProposeFlag } from './effects.ts'
import { meantBy, otherWords } from './other-words.ts'

test('src/cli/tree/effects.ts says what every command does, and only those that read or write are proposed', () => {
  const unclassified = ALL_COMMANDS.filter(({ name }) => effectOf(name) === undefined)
  expect(unclassified.map(({ name }) => name)).toEqual([])
  for (const { name, hidden } of ALL_COMMANDS) if (hidden) expect([name, mayPropose(name)]).toEqual([name, false])
  const never = [
    'work',
    'run',
    'retry',
    'review',
    'improve',
    'merge',
    'resolve',
    'delete',
    'prune',
    'kill',
    'undo',
    'trust',
  ]
  for (const name of never) expect([name, mayPropose(name)]).toEqual([name, false])
})

test('a flag that confirms or discards is never proposed', () => {
  expect(mayProposeFlag('merge', 'yes')).toBe(false)
  expect(mayProposeFlag('work', 'all')).toBe(false)
  expect(mayProposeFlag('list', 'all')).toBe(true)
  expect(mayProposeFlag('list', 'status')).toBe(true)
})

test('no word of other tools is a command, and each has one meaning', () => {
  const names = new Set(ALL_COMMANDS.map(({ name }) => name))
  const words = otherWords()
  expect(words.filter((word) => names.has(word))).toEqual([])
  expect(new Set(words).size).toBe(words.length)
  for (const word of words) expect([word, meantBy(word)]).not.toEqual([word, null])
})
