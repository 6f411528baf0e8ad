import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { anAgentRepo } from '../support/scripted-agent.ts'

test('a run whose end could not be recorded is not a success: the command reports it, and the next one continues', () => {
  // In a box it could not reach the lock.
  const act = 'commit a.txt a; touch "$beside/repo/.git/refs/tasks/main.lock"'
  const repo = anAgentRepo({ one: act }, { isolation: 'off' })
  repo.add('one')
  const { code, stdout } = repo.gza('work', '--json')
  expect({ code, report: JSON.parse(stdout) }).toMatchObject({
    code: 1,
    report: { completed: [], interrupted: [{ number: 1 }], refused: [{ number: 1, code: 'REF_LOCKED' }] },
  })
  rmSync(join(repo.dir, '.git/refs/tasks/main.lock'))
  expect(repo.gza('work').code).toBe(0)
  expect(repo.statuses()).toEqual({ one: 'completed' })
})
