import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { aStage } from '../support/scripted-agent.ts'

test('a run whose end could not be written down is no success: the command says so, and the next one goes on', () => {
  const stage = aStage({ one: 'commit a.txt a; touch "$stage/repo/.git/refs/tasks/main.lock"' })
  stage.add('one')
  const { code, stdout } = stage.gza('work', '--json')
  expect({ code, report: JSON.parse(stdout) }).toMatchObject({
    code: 1,
    report: { completed: [], interrupted: [{ number: 1 }], refused: [{ number: 1, code: 'REF_LOCKED' }] },
  })
  rmSync(join(stage.dir, '.git/refs/tasks/main.lock'))
  expect(stage.gza('work').code).toBe(0)
  expect(stage.statuses()).toEqual({ one: 'completed' })
})
