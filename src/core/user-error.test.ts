import { expect, test } from 'bun:test'
import { command, sentence } from './sentence.ts'
import { errorWithHint, UserError } from './user-error.ts'

test('an error has its message in the name of gza, and keeps the commands as data', () => {
  const fact = sentence`${command`query`} only reads`
  const error = new UserError('READ_ONLY_QUERY', fact, { hint: command`query "SELECT 1"` })
  expect(error.message).toBe('gza query only reads')
  expect(error.fact).toEqual(fact)
})

test('a record of an error is its message and its hint', () => {
  const hint = sentence`Read it, then: ${command`trust`}`
  expect(errorWithHint(new UserError('X', 'It is not trusted', { hint }))).toBe(
    'It is not trusted Read it, then: gza trust',
  )
  expect(errorWithHint(new UserError('X', 'It is not trusted', { hint }), '. ')).toBe(
    'It is not trusted. Read it, then: gza trust',
  )
  expect(errorWithHint(new UserError('X', 'No hint'))).toBe('No hint')
  expect(errorWithHint(new Error('A bug'))).toBe('A bug')
})
