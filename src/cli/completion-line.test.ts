import { expect, test } from 'bun:test'
import { readCompletionLine } from './completion-line.ts'

test('the last word is the one being typed, and folders before the command are entered', () => {
  expect(readCompletionLine(['-C', 'sub', 'show', 'ta'], '/repo')).toEqual({
    inputs: ['show'],
    partial: 'ta',
    cwd: '/repo/sub',
  })
  expect(readCompletionLine([], '/repo')).toEqual({ inputs: [], partial: '', cwd: '/repo' })
})

test("bash's lone = between a flag and its value is no word", () => {
  expect(readCompletionLine(['list', '--type', '=', 'pl'], '/')).toEqual({
    inputs: ['list', '--type'],
    partial: 'pl',
    cwd: '/',
  })
  expect(readCompletionLine(['list', '--type', '='], '/').partial).toBe('')
})
