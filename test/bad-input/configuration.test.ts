import { describe, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { add, aStartedRepo, contents, gza } from '../support/ledger-calls.ts'
import { refusalOf } from './refused-command.ts'

const BOMB = [
  'a: &a [x, x, x]',
  ...'bcdefgh'.split('').map((name, at) => {
    const above = 'abcdefgh'.charAt(at)
    return `${name}: &${name} [${Array(9).fill(`*${above}`).join(', ')}]`
  }),
  'ledger: main',
].join('\n')

describe('a gza.yaml that is broken', () => {
  test.each([
    ['a list that is not closed', 'name: x\nledger: [a\n', '3:1'],
    ['a quote that is not closed', 'ledger: "main\n', '2:1'],
    ['a tab for indentation', 'a:\n\tledger: x\n', '2:1'],
    ['a key given twice', 'ledger: a\nname: b\nledger: c\n', '3:1'],
    ['a number for a name', 'name: x\nledger: 5\n', '2:9'],
    ['a list for a name', 'ledger:\n  - main\n', '2:3'],
    ['an empty name', 'ledger: ""\n', '1:9'],
    ['two documents', 'ledger: a\n---\nledger: b\n', '2:1'],
    ['an alias without an anchor', 'ledger: *nowhere\n', '1:9'],
    ['an unknown tag', 'ledger: !!js/function "x"\n', '1:9'],
    ['aliases that multiply without end', BOMB, '1:1'],
    ['escapes in a key', '"\\e[2J": 1\n"\\e[2J": 2\nledger: x\n', '2:1'],
  ])('%s is an error with line and column', (_, text, place) => {
    const repo = aStartedRepo()
    repo.write('gza.yaml', text)
    for (const argv of [['list'], ['add', 'x']]) {
      const refusal = refusalOf(repo, argv)
      expect(refusal).toMatchObject({
        exit: 1,
        code: 'BAD_CONFIG',
        hint: `Correct gza.yaml at line ${place.split(':')[0]}.`,
      })
      expect(refusal.message).toStartWith(`gza.yaml:${place}: `)
    }
    // With the ledger named no configuration is needed to find it.
    expect(repo.gza('list', '--branch', 'main').code).toBe(0)
  })

  test('is among doctor’s findings beside all others', () => {
    const repo = aStartedRepo()
    add(repo, 'one')
    repo.write('gza.yaml', 'broken: [\n')
    const { code, stdout } = repo.gza('doctor')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^ok {4}ledger main /m)
    expect(stdout).toMatch(/^fail {2}configuration {2}gza\.yaml:2:1: /m)
  })
})

describe('a gza.yaml that is not a file', () => {
  test.each([
    ['a folder', (path: string) => mkdirSync(path)],
    ['a link to /dev/zero, which never ends', (path: string) => symlinkSync('/dev/zero', path)],
    ['a pipe, on which nothing ever comes', (path: string) => Bun.spawnSync(['mkfifo', path])],
    ['a link to itself', (path: string) => symlinkSync('gza.yaml', path)],
  ])('(%s) is an error, at once', (_, make) => {
    const repo = aStartedRepo()
    make(join(repo.dir, 'gza.yaml'))
    for (const argv of [['list'], ['add', 'x'], ['trust', '--show']])
      expect(refusalOf(repo, argv, { timeout: 10_000 })).toMatchObject({
        exit: 1,
        message: expect.stringContaining(join(repo.dir, 'gza.yaml')),
      })
    expect(repo.run(['gza', 'list', '--branch', 'main'], { timeout: 10_000 }).code).toBe(0)
  })

  test('(a link to nothing) counts as none', () => {
    const repo = aStartedRepo()
    symlinkSync('nowhere', join(repo.dir, 'gza.yaml'))
    add(repo, 'one')
    expect(contents(repo)).toEqual(['one'])
  })
})

test('what a repository’s files may want to run is not run by any command of the ledger', () => {
  const repo = aStartedRepo()
  const mark = join(repo.env.HOME ?? '', 'ran')
  const command = `touch ${mark}`
  repo.write('gza.yaml', `ledger: main\nverify:\n  commands: ["${command}"]\nrunner: ${command}\n`)
  repo.write('.project-config.json', JSON.stringify({ commands: { test: command }, verification: { test: command } }))
  repo.write('.gza/prompts/task.md', `$(${command})`)
  repo.write('.env', `GZA_AGENT=evil\nGIT_DIR=/nowhere\nPATH=/nowhere\nGIT_SSH_COMMAND=${command}\n`)
  repo.write(
    'bunfig.toml',
    `preload = ["./preload.ts"]\n[run]\npreload = ["./preload.ts"]\n[test]\npreload = ["./preload.ts"]\n`,
  )
  repo.write('preload.ts', `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`)
  repo.write('package.json', '{"type":"commonjs","scripts":{"preinstall":"false"},"imports":{"#x":"./preload.ts"}}')
  repo.write('tsconfig.json', '{"compilerOptions":{"paths":{"*":["./preload.ts"]}}}')
  repo.write('node_modules/yaml/index.js', `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`)
  repo.write('.gitattributes', '* filter=evil diff=evil merge=evil\n')
  repo.commit('hostile')
  add(repo, 'one')
  gza(repo, 'edit', '1', '--title', 'still a person')
  for (const args of [['list'], ['show', '1'], ['log', '1'], ['verify'], ['pr'], ['trust', '--show'], ['done', '1']])
    expect({ args, code: repo.gza(...args).code }).toEqual({ args, code: 0 })
  expect(repo.run(['test', '-e', mark]).code).toBe(1)
})

test('the runtime’s own variables mean nothing', () => {
  const repo = aStartedRepo()
  const id = add(repo, 'one')
  const preload = repo.write('.git/preload.ts', 'console.log("RAN")')
  const variables = [
    ...[{ BUN_BE_BUN: '1' }, { BUN_OPTIONS: '--version' }, { BUN_OPTIONS: `--preload ${preload}` }],
    ...[{ BUN_OPTIONS: '--print 1' }, { BUN_INSPECT: 'ws://127.0.0.1:0/x?break=1' }, { BUN_INSPECT_PRELOAD: preload }],
    ...[{ NODE_OPTIONS: `--require ${preload}` }, { BUN_CONFIG_FILE: preload }, { NODE_PATH: '/nowhere' }],
  ]
  for (const env of variables) {
    for (const name of ['gza', 'git-tasks'] as const) {
      const result = repo.run([name, 'list'], { env, timeout: 10_000 })
      const stdout = name === 'gza' ? `#1 ${id}: one\n` : `${id}: one\n`
      expect({ env, ...result }).toEqual({ env, code: 0, stdout, stderr: '' })
    }
  }
})
