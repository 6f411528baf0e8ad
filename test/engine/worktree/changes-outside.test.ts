import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { outsideChanges, readRepoState } from '../../../src/platform/git/repo-state.ts'
import { childProcesses } from '../../support/running-processes.ts'
import { until } from '../../support/until.ts'
import { aProject, commitIn, put } from './project-repo.ts'

test('an agent that keeps to its workplace changes nothing outside', async () => {
  const project = aProject()
  project.person.write('mine.txt', 'the person’s own\n')
  const workplace = await project.workplace('20241213-fix')
  const before = await readRepoState(project.repo)
  commitIn(project, workplace, { 'b.txt': 'two\n' })
  put(workplace, 'c.txt', 'left')
  await project.keep(workplace)
  expect(outsideChanges(before, await readRepoState(project.repo))).toEqual([])
})

test('changes in the person’s checkout are found, also in files that were dirty before', async () => {
  const project = aProject({}, { 'a.txt': 'one\n', 'gza.yaml': 'verify: {}\n' })
  project.person.write('mine.txt', 'mine\n')
  project.person.write('same.txt', 'same\n')
  const before = await readRepoState(project.repo)
  project.person.write('mine.txt', 'mine, and then an agent’s\n')
  project.person.write('gza.yaml', 'verify: { command: "true" }\n')
  project.person.write('new/b.txt', 'new\n')
  expect(outsideChanges(before, await readRepoState(project.repo))).toEqual([
    { kind: 'file', path: 'gza.yaml' },
    { kind: 'file', path: 'mine.txt' },
    { kind: 'file', path: 'new/b.txt' },
  ])
})

test('a commit or a switch in the person’s checkout is found', async () => {
  const project = aProject()
  const before = await readRepoState(project.repo)
  project.person.git('checkout', '--quiet', '-b', 'topic')
  expect(outsideChanges(before, await readRepoState(project.repo))).toEqual([
    { kind: 'head', from: 'refs/heads/main', to: 'refs/heads/topic' },
  ])
})

test('a repository that is gone fails the look once, and no rejection is left unawaited', async () => {
  const { repo } = aProject()
  const unawaited: unknown[] = []
  const note = (error: unknown): void => void unawaited.push(error)
  process.on('unhandledRejection', note)
  rmSync(join(repo.commonDir, 'HEAD'))
  const before = childProcesses()
  await expect(readRepoState(repo)).rejects.toThrow()
  // The looks that are behind: git has to end before they can fail.
  await until(() => childProcesses().every((pid) => before.includes(pid)))
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', note)
  expect(unawaited).toEqual([])
})
