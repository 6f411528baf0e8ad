import { expect, test } from 'bun:test'
import { brokenImports } from './imports.ts'

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
  expect(broken('src/planning/a.ts', "import '../landing/x.ts'")).toEqual([
    'src/planning/a.ts:1: planning may not import landing (../landing/x.ts)',
  ])
  expect(broken('src/odd/a.ts', "import '../core/task.ts'")).toEqual([
    'src/odd/a.ts:1: src/odd is not a folder of the table',
  ])
})

test('only platform and the entry point import what reaches files, processes and the network', () => {
  const text = "import { spawn } from 'node:child_process'"
  expect(broken('src/engine/a.ts', text)).toEqual(['src/engine/a.ts:1: only platform imports node:child_process'])
  expect(broken('src/platform/a.ts', text)).toEqual([])
  expect(broken('src/main.ts', text)).toEqual([])
  expect(broken('src/cli/other.ts', "import { writeSync } from 'node:fs'")).toEqual([
    'src/cli/other.ts:1: only platform imports node:fs',
  ])
})

test('core imports no packages', () => {
  expect(broken('src/core/a.ts', "import { z } from 'zod'")).toEqual(['src/core/a.ts:1: core may not import zod'])
})

function broken(path: string, text: string): string[] {
  return brokenImports([{ path, text }])
}
