import { expect, test } from 'bun:test'
import { add, aStartedRepo, show } from '../support/ledger-calls.ts'

test('done on a blocked task warns and names what it waits for, unless that is closed with it', () => {
  const repo = aStartedRepo()
  const [first, second] = [add(repo, 'first'), add(repo, 'second', '--after', '1')]
  expect(repo.gza('done', '2')).toEqual({
    code: 0,
    stdout: '✓ Task #2 completed\n',
    stderr: `Warning: #2 ${second} was closed although it is blocked by #1 ${first} (pending)\n`,
  })
  expect(show(repo, second).status).toBe('completed')
  expect(repo.gza('done', '2').stderr).toBe('')
  add(repo, 'third', '--after', '1')
  expect(repo.gza('done', '3', '1').stderr).toBe('')
})
