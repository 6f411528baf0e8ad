import { expect, test } from 'bun:test'
import { command, sentence } from '../../core/sentence.ts'
import { UserError } from '../../core/user-error.ts'
import { errorLines, exitCodeOf, warningText } from './error.ts'

const blocked = new UserError('TASK_BLOCKED', 'Task #2 is blocked by task #1 (pending)', { hint: command`done ${1}` })

test("a user's error is its message and the next step", () => {
  expect(errorLines(blocked, { json: false, name: 'gza' })).toEqual({
    out: '',
    err: 'Error: Task #2 is blocked by task #1 (pending)\n  gza done 1\n',
  })
  expect(exitCodeOf(blocked)).toBe(1)
})

test('with --json it is one line with code, message and hint', () => {
  const error = new UserError('X', 'no\u202e hint', { exitCode: 2 })
  expect(errorLines(error, { json: true, name: 'gza' })).toEqual({
    out: '{"error":{"code":"X","message":"no\\u202e hint","hint":null}}\n',
    err: '',
  })
  expect(exitCodeOf(error)).toBe(2)
})

test('commands have the name that the program was called by, and other words stay', () => {
  const error = new UserError('X', sentence`'gza list' is not ${command`list`}`, { hint: command`show ${1}` })
  expect(errorLines(error, { json: false, name: 'git-tasks' }).err).toBe(
    "Error: 'gza list' is not git tasks list\n  git tasks show 1\n",
  )
  expect(errorLines(error, { json: true, name: 'git-tasks' }).out).toBe(
    `{"error":{"code":"X","message":"'gza list' is not git tasks list","hint":"git tasks show 1"}}\n`,
  )
})

test('a bug shows its stack and asks for a report', () => {
  const bug = new Error('boom \x1b[31m')
  const { out, err } = errorLines(bug, { json: true, name: 'gza' })
  expect(err).toContain('boom \\x1b[31m\n    at ')
  expect(err).toEndWith('Please report it with the lines above and the command that was run.\n')
  expect(JSON.parse(out).error).toMatchObject({ code: 'INTERNAL', message: 'boom \x1b[31m' })
  expect(exitCodeOf(bug)).toBe(70)
})

test('a warning is printed once', () => {
  expect(warningText(['a\x07', sentence`see ${command`show ${1}`}`, 'a\x07'], 'git-tasks')).toBe(
    'Warning: a\\x07\nWarning: see git tasks show 1\n',
  )
})
