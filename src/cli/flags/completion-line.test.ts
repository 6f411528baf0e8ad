import { expect, test } from 'bun:test'
import { readCompletionLine } from './completion-line.ts'

test('the last word is the one being typed, and folders before the command are entered', () => {
  expect(readCompletionLine(['-C', 'sub', 'show', 'ta'], '/repo')).toEqual({
    inputs: ['show'],
    partial: 'ta',
    before: '',
    cwd: '/repo/sub',
  })
  expect(readCompletionLine([], '/repo')).toEqual({ inputs: [], partial: '', before: '', cwd: '/repo' })
})

test("bash's separate = between a flag and its value is not a word", () => {
  expect(readCompletionLine(['list', '--type', '=', 'pl'], '/')).toEqual({
    inputs: ['list', '--type'],
    partial: 'pl',
    before: '',
    cwd: '/',
  })
  expect(readCompletionLine(['list', '--type', '='], '/').partial).toBe('')
})

test('other shells give a flag and its value as one word', () => {
  expect(readCompletionLine(['list', '--type=pl'], '/')).toEqual({
    inputs: ['list', '--type'],
    partial: 'pl',
    before: '--type=',
    cwd: '/',
  })
})

test('a folder below ~ is in the home folder', () => {
  expect(readCompletionLine(['-C', '~/sub', 'show', ''], '/repo', '/home/ann').cwd).toBe('/home/ann/sub')
  expect(readCompletionLine(['-C', '~', 'show', ''], '/repo', '/home/ann').cwd).toBe('/home/ann')
})
