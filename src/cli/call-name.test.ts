import { expect, test } from 'bun:test'
import { callName } from './call-name.ts'

test('the name is that of the executable, unless a launcher says otherwise', () => {
  expect(callName('gza', undefined)).toBe('gza')
  expect(callName('/usr/lib/git-core/git-tasks', undefined)).toBe('git-tasks')
  expect(callName('C:\\bin\\git-tasks.exe', undefined)).toBe('git-tasks')
  expect(callName('/opt/lib/gza-linux-x64', 'git-tasks')).toBe('git-tasks')
  expect(callName('git-tasks', 'gza')).toBe('gza')
  expect(callName('bun', undefined)).toBe('gza')
})
