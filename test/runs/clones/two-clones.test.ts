import { expect, test } from 'bun:test'
import { outputOf } from '../../support/ledger-answers.ts'
import { aSecondClone, aSharedRepo, cloneId, HOST, isRunning, show, workInBackground } from './clone-repos.ts'

test('a second clone on the same host neither ends nor repeats what an agent of the first one works on', async () => {
  const repo = aSharedRepo()
  repo.add('slow')
  const { ended, agent } = await workInBackground(repo)
  outputOf(repo.gza('sync'))
  const other = aSecondClone(repo)
  outputOf(other.gza('sync'))
  expect(other.gza('status').stdout).toContain(`in_progress (${HOST})`)
  const work = other.gza('work', '--all')
  expect([work.code, work.stdout + work.stderr]).toEqual([0, expect.not.stringContaining('interrupted')])
  const named = other.gza('work', '1')
  expect([named.code, named.stderr]).toEqual([
    1,
    `Error: Task #1 is in progress on ${HOST}\n  gza work 1 --take-over\n`,
  ])
  expect(other.gza('kill', '1').stderr).toContain(`is not running here, but in another clone, on ${HOST}`)
  expect(other.gza('release', '1').stderr).toContain(`is being worked on in another clone, on ${HOST}`)
  expect(isRunning(agent)).toBe(true)
  repo.write('../go', '')
  expect(await ended).toBe(0)
  outputOf(repo.gza('sync'))
  outputOf(other.gza('sync'))
  expect([show(other, '1').status, repo.calls().length]).toEqual(['completed', 1])
  expect(show(other, '1').runs.map(({ clone }) => clone)).toEqual([cloneId(repo)])
})

test('a claim of one clone keeps the others on its host away', () => {
  const repo = aSharedRepo()
  repo.add('claimed')
  outputOf(repo.withEnv({ GZA_AGENT: 'helena' }).gza('claim', '1'))
  outputOf(repo.gza('sync'))
  const other = aSecondClone(repo)
  outputOf(other.gza('sync'))
  outputOf(other.gza('work', '--all'))
  const claim = other.gza('claim', '1')
  expect([claim.code, claim.stderr]).toEqual([
    1,
    `Error: Task #1 is in progress on ${HOST}\n  gza claim 1 --take-over\n`,
  ])
  expect(show(other, '1')).toMatchObject({ status: 'in_progress', running_on: HOST, assigned_agent: 'helena' })
  expect(repo.calls()).toEqual([])
})

test('a person may take a run over from another clone, whose agent is left alone', async () => {
  const repo = aSharedRepo()
  repo.add('slow')
  const { ended, agent } = await workInBackground(repo)
  outputOf(repo.gza('sync'))
  const other = aSecondClone(repo)
  outputOf(other.gza('sync'))
  const taken = other.gza('claim', '1', '--take-over')
  expect([taken.code, isRunning(agent)]).toEqual([0, true])
  repo.write('../go', '')
  await ended
  expect(show(other, '1').runs.map(({ outcome }) => outcome ?? 'open')).toEqual(['interrupted', 'open'])
})
