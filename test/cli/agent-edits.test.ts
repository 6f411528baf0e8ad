import { expect, test } from 'bun:test'
import { aRepo } from '../support/repo.ts'

test('an agent may not edit a task', () => {
  const repo = aRepo()
  repo.commit('first')
  repo.tasks('add', 'Write the parser')
  const edit = repo.withEnv({ GZA_AGENT: 'claude-code' }).tasks('edit', '1', '--content', 'Write the lexer')
  expect(edit.code).toBe(1)
  expect(edit.stderr).toContain('edit is blocked in agent mode')
})
