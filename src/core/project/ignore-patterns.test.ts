import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMatched, namesSomethingIn, patternFor, readPatterns } from './ignore-patterns.ts'

const PATHS = [
  ...[
    '.env',
    '.env.local',
    'a/.env',
    'a/b/.env',
    'env',
    'config/local.json',
    'config/dev/local.json',
    'x/config/local.json',
  ],
  ...[
    'data/one.db',
    'data/deep/two.db',
    'keep me',
    'keep ',
    '#note',
    '!bang',
    'a[1].txt',
    'a1.txt',
    'ab.txt',
    'star*.txt',
  ],
  ...['log/debug0.log', 'log/a/b/debug.log', 'build/out.js', 'src/build/out.js', 'secrets/key', 'a/secrets/key'],
]

const FILES = [
  ...['.env', '.env*', '/.env', 'a/.env', '**/.env', 'a/**/.env', 'config/local.json', '/config/*.json', 'config/**'],
  ...['*.db', 'data/', 'data/*', 'keep\\ ', 'keep me', '\\#note', '\\!bang', 'a\\[1\\].txt', 'a[1b].txt', 'a[!1].txt'],
  ...['star\\*.txt', '?ey', 'log/**/*.log', 'build', 'build/', '/build/', 'secrets/**', '# a comment', '  ', '/', 'a/'],
  ...[
    '.env*\n!.env.local',
    'data/**\n!data/deep/',
    '*\n!*.txt',
    '*.txt\n!/a1.txt\na?.txt',
    'config/\n!config/local.json',
  ],
]

test('patterns match what git itself matches', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gza-patterns-'))
  const git = (...args: string[]) =>
    Bun.spawnSync(['git', ...args], { cwd: folder, stdin: Buffer.from(PATHS.join('\0')) })
  git('init', '--quiet')
  for (const text of FILES) {
    writeFileSync(join(folder, '.gitignore'), `${text}\n`)
    const found = git('check-ignore', '--no-index', '-z', '--stdin').stdout.toString().split('\0').filter(Boolean)
    const patterns = readPatterns(text.split('\n'))
    expect([text, PATHS.filter((path) => isMatched(patterns, path, 'file'))]).toEqual([text, found])
  }
  rmSync(folder, { recursive: true })
})

test('a pattern made for a path matches that path alone', () => {
  for (const path of PATHS) {
    const patterns = readPatterns([patternFor(path) ?? ''])
    expect(PATHS.filter((other) => isMatched(patterns, other, 'file'))).toEqual([path])
  }
  expect(patternFor('two\nlines')).toBeNull()
})

test('only a pattern that names a place searches an ignored folder', () => {
  const names = (...lines: string[]) => namesSomethingIn(readPatterns(lines), 'node_modules')
  expect([names('.env*'), names('**/.env'), names('/config/x'), names('*/x')]).toEqual([false, false, false, false])
  expect([names('node_modules/.cache'), names('/node_modules/a/*.json'), names('!node_modules/x')]).toEqual([
    true,
    true,
    false,
  ])
})
