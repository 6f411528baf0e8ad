import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brokenRules, type Source } from './rules.ts'

const ROOT = join(import.meta.dir, '../..')

test('every file of src keeps to the import table, leaves the outside world to platform and has at most 400 lines', () => {
  const paths = [...new Bun.Glob('src/**/*.ts').scanSync(ROOT)].sort()
  const sources = paths.map((path): Source => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
  expect(sources.length).toBeGreaterThan(0)
  expect(brokenRules(sources)).toEqual([])
})

test('an import against the table is named with file and line, however it is written', () => {
  expect(broken('src/core/a.ts', "import { git } from '../platform/git.ts'")).toEqual([
    'src/core/a.ts:1: core may not import platform (../platform/git.ts)',
  ])
  expect(broken('src/ledger/a/b.ts', "import type {\n  X,\n} from '../../state/x.ts'")).toEqual([
    'src/ledger/a/b.ts:3: ledger may not import state (../../state/x.ts)',
  ])
  expect(broken('src/cli/a.ts', "export * from '../ledger/x.ts'")).toEqual([
    'src/cli/a.ts:1: cli may not import ledger (../ledger/x.ts)',
  ])
  expect(broken('src/state/a.ts', "  const x = await import('../engine/x.ts')")).toEqual([
    'src/state/a.ts:1: state may not import engine (../engine/x.ts)',
  ])
  expect(broken('src/odd/a.ts', "import '../core/task.ts'")).toEqual([
    'src/odd/a.ts:1: src/odd is not a folder of the table',
  ])
})

test('only platform and the entry point see files, processes and the environment', () => {
  const text = "import { spawn } from 'node:child_process'\nconst home = process.env.HOME\nBun.spawn(['true'])"
  expect(broken('src/engine/a.ts', text)).toEqual([
    'src/engine/a.ts:1: only platform imports node:child_process',
    'src/engine/a.ts:2: only platform reads the environment',
    'src/engine/a.ts:3: only platform spawns processes and touches files',
  ])
  expect(broken('src/platform/a.ts', text)).toEqual([])
  expect(broken('src/main.ts', text)).toEqual([])
  expect(broken('src/cli/other.ts', "import { writeSync } from 'node:fs'")).toEqual([
    'src/cli/other.ts:1: only platform imports node:fs',
  ])
})

test('core has no clock, no dice and no packages', () => {
  const lines = ['Date.now()', 'new Date()', 'Math.random()', 'crypto.randomUUID()', 'performance.now()']
  for (const line of lines) {
    expect(broken('src/core/a.ts', line)).toEqual(['src/core/a.ts:1: core takes time and randomness as arguments'])
  }
  expect(broken('src/core/a.ts', 'new Date(at)\n// Date.now() is for the edges')).toEqual([])
  expect(broken('src/core/a.ts', "import { z } from 'zod'")).toEqual(['src/core/a.ts:1: core may not import zod'])
})

test('a file of 401 lines is too long, and tests beside the sources are exempt', () => {
  const long = 'x()\n'.repeat(401)
  expect(broken('src/tasks/a.ts', long)).toEqual([
    'src/tasks/a.ts:401: the file has 401 lines, at most 400 are allowed',
  ])
  expect(broken('src/core/a.test.ts', `import { readFileSync } from 'node:fs'\n${long}`)).toEqual([])
})

function broken(path: string, text: string): string[] {
  return brokenRules([{ path, text }])
}
