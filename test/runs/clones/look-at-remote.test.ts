import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { outputOf } from '../../support/ledger-answers.ts'
import { aSecondClone, aSharedRepo, dieAtWork, remoteOf, show } from './clone-repos.ts'

test('a machine that restarts before it syncs does not repeat what another clone has finished and pushed', async () => {
  const repo = await dieAtWork(aSharedRepo(), { synced: true })
  const other = aSecondClone(repo)
  outputOf(other.gza('sync'))
  repo.write('../go', '')
  outputOf(other.gza('work', '1', '--take-over'))
  outputOf(other.gza('sync'))
  outputOf(repo.gza('work', '--all'))
  expect(show(repo, '1')).toMatchObject({
    status: 'completed',
    runs: [{ outcome: 'interrupted' }, { outcome: 'completed' }],
  })
  expect([repo.calls().length, repo.worktrees(), repo.gza('ps').stdout]).toEqual([2, [], ''])
})

for (const [name, ...args] of [
  ['work', '--all'],
  ['claim', '1'],
] as const) {
  test(`gza ${name} does not repeat a task that another clone has finished since its last run here`, () => {
    const repo = aSharedRepo()
    repo.add('quick')
    outputOf(repo.gza('claim', '1'))
    outputOf(repo.gza('release', '1'))
    outputOf(repo.gza('sync'))
    const other = aSecondClone(repo)
    outputOf(other.gza('sync'))
    outputOf(other.gza('work', '--all'))
    outputOf(other.gza('sync'))
    const again = repo.gza(name, ...args)
    expect([again.code, show(repo, '1').status, repo.calls().length]).toEqual([name === 'work' ? 0 : 1, 'completed', 1])
  })
}

test('a remote that does not answer is given up in time and without questions, and the work continues', async () => {
  const shared = aSharedRepo()
  // Answers like a server on this disk, and no longer once a file is there.
  const log = `echo "$@ $GIT_TERMINAL_PROMPT $GIT_ASKPASS" >>${shared.beside('asked')}`
  const ssh = shared.write(
    '../ssh',
    `#!/bin/sh\nif [ -e ${shared.beside('silent')} ]; then ${log}; exec sleep 60; fi\nfor asked; do :; done\nexec sh -c "$asked"\n`,
  )
  shared.run(['chmod', '+x', ssh])
  shared.git('config', 'core.sshCommand', ssh)
  shared.git('remote', 'set-url', 'origin', `ssh://far.invalid${remoteOf(shared)}`)
  const repo = await dieAtWork(shared, { synced: true })
  for (const signal of ['../go', '../silent']) repo.write(signal, '')
  const { stdout } = repo.gza('work', '--all')
  expect(stdout).toStartWith(
    'Could not look for newer tasks first: origin did not respond for 8 seconds. Another clone may have done the same work.\n' +
      'The run of task #1 was interrupted',
  )
  expect(readFileSync(repo.beside('asked'), 'utf8')).toMatch(
    /^-o BatchMode=yes .*git-upload-pack '.*\/remote\.git' 0 \n$/,
  )
  expect(show(repo, '1').runs.map(({ outcome }) => outcome)).toEqual(['interrupted', 'completed'])
})

test('several remotes without a default one are reported', async () => {
  const repo = await dieAtWork(aSharedRepo(), { synced: true })
  repo.write('../go', '')
  repo.git('remote', 'rename', 'origin', 'here')
  repo.git('remote', 'add', 'there', repo.beside('nowhere'))
  expect(repo.gza('work', '--all').stdout).toStartWith(
    'Could not look for newer tasks first: There are several remotes, and none is named origin.',
  )
})
