import { expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { bin } from '../support/built-program.ts'
import { add, aStartedRepo, tipOf } from '../support/ledger-calls.ts'
import type { Repo } from '../support/repo.ts'
import { processesWith } from '../support/running-processes.ts'
import { until } from '../support/until.ts'

/** A repository whose remote takes the connection and never answers. */
function aSilentRemote(): { repo: Repo; reached: string } {
  const repo = aStartedRepo()
  add(repo, 'a task')
  repo.git('remote', 'add', 'origin', 'ssh://silent.invalid/repo')
  const reached = join(repo.env.HOME!, 'reached')
  return { repo: repo.withEnv({ GIT_SSH_COMMAND: `touch '${reached}'; sleep 600 #` }), reached }
}

const left = (repo: Repo) => processesWith(`HOME=${repo.env.HOME}`)

test('a remote that says nothing is given up, with what it left running', () => {
  const { repo } = aSilentRemote()
  const tip = tipOf(repo)
  repo.git('config', 'gza.syncTimeout', '1')
  expect(repo.gza('sync')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'Error: origin did not respond for 1 second\n' +
      '  Nothing was changed. Check that git fetch works, then run gza sync again; ' +
      'git config gza.syncTimeout SECONDS sets a longer limit.\n',
  })
  expect({ tip: tipOf(repo), left: left(repo) }).toEqual({ tip, left: [] })
})

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends the wait for a remote, and git with it', async (signal) => {
  const { repo, reached } = aSilentRemote()
  const sync = spawn(bin('gza'), ['sync'], { cwd: repo.dir, env: repo.env as NodeJS.ProcessEnv, stdio: 'ignore' })
  while (!existsSync(reached)) await Bun.sleep(5)
  sync.kill(signal)
  expect(await once(sync, 'exit')).toEqual([null, signal])
  // A process that was killed can be seen for a moment longer.
  await until(() => left(repo).length === 0)
  expect(readdirSync(join(repo.dir, '.git')).filter((name) => name.endsWith('.lock'))).toEqual([])
})

test('a limit that is not a number of seconds is refused', () => {
  const { repo } = aSilentRemote()
  repo.git('config', 'gza.syncTimeout', 'soon')
  expect(repo.gza('sync')).toMatchObject({
    code: 1,
    stderr:
      "Error: gza.syncTimeout is 'soon', which is not a number of seconds above 0\n  git config gza.syncTimeout 120\n",
  })
})
