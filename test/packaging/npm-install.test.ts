import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { version } from '../../package.json'
import { bin } from '../support/built-program.ts'
import { type Env, type Result, runProcess } from '../support/run-process.ts'

const ROOT = join(import.meta.dir, '../..')
const SLOW = 120_000

let root: string
let prefix: string
let env: Env

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'gza-install-'))
  prefix = join(root, 'prefix')
  env = {
    PATH: process.env.PATH,
    HOME: root,
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  }
  const packed = run([join(ROOT, 'scripts/bun'), join(ROOT, 'scripts/pack.ts'), join(root, 'packs')])
  const packages = packed.stdout.trim().split('\n')
  expect({ code: packed.code, packages: packages.length, stderr: packed.stderr }).toEqual({
    code: 0,
    packages: 2,
    stderr: '',
  })
  const installed = run(['npm', 'install', '--global', '--prefix', prefix, '--ignore-scripts', ...packages])
  expect({ code: installed.code, stderr: installed.stderr }).toEqual({ code: 0, stderr: '' })
}, SLOW)

afterAll(() => rmSync(root, { recursive: true, force: true }))

test('after `npm i -g` without install scripts both names run, also as `git tasks`, and no Node starts', () => {
  const marker = join(root, 'node-was-started')
  const trap = join(root, 'trap')
  mkdirSync(trap)
  writeFileSync(join(trap, 'node'), `#!/bin/sh\n: > '${marker}'\nexit 1\n`)
  chmodSync(join(trap, 'node'), 0o755)
  const PATH = [join(prefix, 'bin'), trap, env.PATH].join(delimiter)

  expect(run(['sh', '-c', 'gza --version'], { PATH })).toEqual(said(`gza ${version}\n`))
  expect(run(['sh', '-c', 'git-tasks --version'], { PATH })).toEqual(said(`git-tasks ${version}\n`))
  expect(run(['sh', '-c', 'git tasks --version'], { PATH })).toEqual(said(`git-tasks ${version}\n`))
  expect(existsSync(marker)).toBe(false)
  run(['sh', '-c', 'node'], { PATH })
  expect(existsSync(marker)).toBe(true)
})

test('the manual pages are installed where man looks', () => {
  expect(readdirSync(join(prefix, 'share/man/man1')).sort()).toEqual(['git-tasks.1', 'gza.1'])
})

test('the launcher finds the executable in the modules of its own package, and hands over arguments and exit code', () => {
  const copy = copyLauncher('nested')
  const modules = join(copy, 'node_modules/@git-tasks', platform(), 'bin')
  mkdirSync(modules, { recursive: true })
  symlinkSync(bin('gza'), join(modules, 'gza'))
  symlinkSync(join(copy, 'bin/git-tasks'), join(root, 'linked name'))
  symlinkSync('linked name', join(root, 'git-tasks'))

  expect(run([join(root, 'git-tasks'), '--version'])).toEqual(said(`git-tasks ${version}\n`))
  const refused = run([join(copy, 'bin/gza'), '--no-such-flag', 'a b'])
  expect(refused).toEqual(run([bin('gza'), '--no-such-flag', 'a b']))
  expect(refused.code).not.toBe(0)
})

test('without the package of this platform the launcher names it and the next step', () => {
  expect(run([join(copyLauncher('alone'), 'bin/git-tasks'), 'list'])).toEqual({
    code: 1,
    stdout: '',
    stderr:
      `git-tasks: no executable for this machine: the package @git-tasks/${platform()} is not installed\n` +
      'hint: npm i -g git-tasks (without --omit=optional)\n',
  })
})

test('in a checkout the launcher runs the build', () => {
  expect(run([join(ROOT, 'bin/git-tasks'), '--version'])).toEqual(said(`git-tasks ${version}\n`))
})

function copyLauncher(name: string): string {
  const copy = join(root, name, 'node_modules/git-tasks')
  cpSync(join(prefix, 'lib/node_modules/git-tasks'), copy, { recursive: true })
  return copy
}

function platform(): string {
  return `${process.platform}-${process.arch}`
}

function said(stdout: string): Result {
  return { code: 0, stdout, stderr: '' }
}

function run(argv: string[], more: Env = {}): Result {
  return runProcess(argv, { cwd: root, env: { ...env, ...more } })
}
