import { expect, test } from 'bun:test'
import { anAgentRepo } from '../support/scripted-agent.ts'

const PARTS = { '"Whole: a"': 'commit a/x.ts x', '"Whole: b"': 'test -f a/x.ts && commit b/y.ts y' }
const AFTER = 'test -f a/x.ts && test -f b/y.ts && commit after.txt x'

test('agents work through the parts with the whole in view, and tasks that depend on the whole start from their work', () => {
  const repo = anAgentRepo({ ...PARTS, After: AFTER })
  repo.add('Whole\n\nThe reason for it all', '--files-to-create', 'a/x.ts,b/y.ts')
  repo.add('After', '--after', '1')
  expect(repo.gza('split', '1', '--strategy', 'files').code).toBe(0)
  expect(repo.gza('work', '--all')).toMatchObject({ code: 0 })
  expect(repo.calls().map(({ title }) => title)).toEqual(['Whole: a', 'Whole: b', 'After'])
  expect(repo.calls()[0]?.prompt).toContain('The reason for it all')
  expect(Object.values(repo.statuses())).toEqual(['completed', 'completed', 'completed', 'completed'])
})

test('an agent may break down the task it is working on: its parts are then worked on instead', () => {
  const repo = anAgentRepo({ ...PARTS, Whole: 'git tasks split "$task" --strategy files >&2 && commit notes.txt x' })
  repo.add('Whole', '--files-to-modify', 'a/x.ts,b/y.ts')
  expect(repo.gza('split', '1', '--strategy', 'criteria').code).toBe(1)
  expect(repo.gza('work', '--all')).toMatchObject({ code: 0 })
  expect(repo.calls().map(({ title }) => title)).toEqual(['Whole', 'Whole: a', 'Whole: b'])
  expect(repo.task('1')).toMatchObject({ status: 'completed', attempts: 1 })
  expect(repo.gza('verify').code).toBe(0)
})
