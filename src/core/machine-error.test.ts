import { expect, test } from 'bun:test'
import { asUserError } from './machine-error.ts'
import { UserError } from './user-error.ts'

const systemError = (facts: object) => Object.assign(new Error('EACCES: permission denied'), facts)

test('what the machine forbids is reported with its path, and is not a defect', () => {
  const refused = asUserError(systemError({ code: 'EACCES', syscall: 'mkdir', path: '/home/ann/.local' })) as UserError
  expect(refused).toBeInstanceOf(UserError)
  expect({ ...refused }).toMatchObject({ code: 'UNUSABLE_PATH', exitCode: 1 })
  expect(refused.message).toBe('/home/ann/.local cannot be used: permission denied')
  const missing = asUserError(systemError({ code: 'ENOENT', syscall: 'mkdtemp', path: '/nowhere/gza-x' })) as UserError
  expect(missing.message).toBe('/nowhere/gza-x cannot be used: its folder does not exist')
})

test('a repository that may not be written is named as that, and not as a folder of the person', () => {
  const path = '/srv/shop/.git/gza'
  const refused = asUserError(systemError({ code: 'EROFS', syscall: 'mkdir', path })) as UserError
  expect({ ...refused }).toMatchObject({
    code: 'READ_ONLY',
    hint: 'The repository cannot be written by this user: work in a clone of your own.',
  })
})

test('every other error stays as it is', () => {
  const others = [
    new Error('a defect'),
    systemError({ code: 'ENOENT', syscall: 'open', path: '/x' }),
    systemError({ code: 'EACCES' }),
    new UserError('X', 'x'),
    'a text',
  ]
  expect(others.map(asUserError)).toEqual(others)
})
