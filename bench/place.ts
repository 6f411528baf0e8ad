import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runQuietly } from './probe.ts'

export type Env = Record<string, string>

/** A separate folder for one run, with a home, an environment and the executable that is measured. */
export interface Place {
  root: string
  env: Env
  gza: string
  remove(): void
}

export function openPlace(): Place {
  build()
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'gza-bench-')))
  const env = cleanEnv(root)
  return { root, env, gza: freezeExecutable(root), remove: () => rmSync(root, { recursive: true, force: true }) }
}

/** A repository with one commit. */
export function makeRepo(place: Place, name: string): string {
  const dir = join(place.root, name)
  mkdirSync(dir)
  for (const args of [
    ['init', '--quiet'],
    ['commit', '--quiet', '--allow-empty', '--message', 'First'],
  ])
    runQuietly({ argv: ['git', ...args], cwd: dir, env: place.env })
  return dir
}

const PROJECT = dirname(import.meta.dir)

function build(): void {
  const { PATH = '' } = process.env
  runQuietly({ argv: [process.execPath, join(PROJECT, 'scripts/build.ts')], cwd: PROJECT, env: { PATH } })
}

/** A copy: a build that finishes during the run must not change what is measured. */
function freezeExecutable(root: string): string {
  const copy = join(root, 'bin', 'gza')
  mkdirSync(dirname(copy))
  copyFileSync(join(PROJECT, 'dist/gza'), copy)
  return copy
}

/** Without the machine's git configuration and without agent markers. gc would rewrite the objects that are counted. */
function cleanEnv(root: string): Env {
  const home = join(root, 'home')
  mkdirSync(home)
  const config =
    '[user]\n\tname = Bench\n\temail = bench@example.com\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n'
  writeFileSync(join(home, '.gitconfig'), config)
  const { PATH = '' } = process.env
  return { PATH, HOME: home, TZ: 'UTC', LC_ALL: 'C.UTF-8', GIT_CONFIG_NOSYSTEM: '1', TMPDIR: tmpdir() }
}
