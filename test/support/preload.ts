import { afterAll, setDefaultTimeout } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plugin } from 'bun'
import { chooseBoxes } from './boxed-folders.ts'
import { removeRepos } from './repo.ts'

/** For a test that hangs. One that works ends long before, also on a busy machine. */
const TIME_LIMIT_MS = 120_000

/** All that a test sees of the caller's environment: a shell may hold agents' markers, git variables and keys. */
const PASSED_ON = [
  'PATH',
  'TMPDIR',
  'TERM',
  'CI',
  'NODE_ENV',
  'BUN_TEST_WORKER_ID',
  'GZA_BIN',
  'GZA_CLIENTS',
  'GZA_CLIENT_LEVELS',
  'GZA_CLIENT_PAIRS',
  'GZA_CLIENT_RESULTS',
  'GZA_NPM_PACKAGE',
  'GZA_CHAOS_SEED',
]

/**
 * Loaded before the tests (bunfig.toml), so that plain `bun test` runs them as `npm test` does.
 *
 * Without --parallel all files share one process. Bun then loads this file once, forgets the time limit after the first
 * test file and runs hooks of this file after the last, so what each file needs is done when that file is loaded.
 */
for (const name of Object.keys(process.env)) if (!PASSED_ON.includes(name)) delete process.env[name]

plugin({
  name: 'prepare each test file',
  setup: (build) =>
    void build.onLoad({ filter: /\.test\.ts$|\/test\/clients\/runs\/[^/]+\.ts$/ }, ({ path }) => {
      prepareFile()
      chooseBoxes(path)
      return { contents: readFileSync(path, 'utf8'), loader: 'ts' }
    }),
})

function prepareFile(): void {
  const home = mkdtempSync(join(tmpdir(), 'gza-home-'))
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Test\n\temail = test@example.com\n')
  Object.assign(process.env, { HOME: home, GIT_CONFIG_NOSYSTEM: '1', TZ: 'Etc/UTC' })
  setDefaultTimeout(TIME_LIMIT_MS)
  afterAll(() => {
    removeRepos()
    rmSync(home, { recursive: true, force: true })
  })
}
