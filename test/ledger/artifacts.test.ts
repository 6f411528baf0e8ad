import { expect, test } from 'bun:test'
import { aRepo } from '../support/repo.ts'

test('a text attached to a note is kept in the ledger, and a second of that name does not replace it', () => {
  const repo = aRepo()
  repo.commit('first')
  repo.gza('add', 'Plan it')
  repo.write('plan.md', '# One\n')
  const noted = JSON.parse(repo.gza('note', '1', 'the plan', '--attach', 'plan.md', '--json').stdout)
  repo.write('plan.md', '# Two\n')
  repo.gza('note', '1', 'a better plan', '--attach', 'plan.md')
  const { artifacts } = JSON.parse(repo.gza('show', '1', '--json').stdout)
  const folder = `artifacts/${noted.uid}`
  expect(artifacts).toEqual([`${folder}/plan-2.md`, `${folder}/plan.md`])
  expect(repo.git('show', `refs/tasks/main:${folder}/plan.md`)).toBe('# One')
  expect(repo.git('show', `refs/tasks/main:${folder}/plan-2.md`)).toBe('# Two')
  expect(repo.gza('verify').code).toBe(0)
  expect(repo.gza('note', '1', 'x', '--attach', 'missing.md').code).toBe(2)
})
