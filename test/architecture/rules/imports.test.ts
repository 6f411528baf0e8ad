import { expect, test } from 'bun:test'
import { brokenImports } from './imports.ts'

test('an import against the table is named with file and line, however it is written', () => {
  expect(broken('src/core/a.ts', "import { git } from '../platform/git.ts'")).toEqual([
    'src/core/a.ts:1: core may not import platform (../platform/git.ts): a folder imports only from folders with a lower step (CONTRIBUTING.md, "Who may import whom")',
  ])
  expect(broken('src/ledger/a/b.ts', "import type {\n  X,\n} from '../../state/x.ts'")).toEqual([
    'src/ledger/a/b.ts:3: ledger may not import state (../../state/x.ts): a folder imports only from folders with a lower step (CONTRIBUTING.md, "Who may import whom")',
  ])
  expect(broken('src/cli/a.ts', "export * from '../ledger/x.ts'")).toEqual([
    'src/cli/a.ts:1: cli may not import ledger (../ledger/x.ts): a face calls a use case in the folder of its subject',
  ])
  expect(broken('src/state/a.ts', "  const x = await import('../engine/x.ts')")).toEqual([
    'src/state/a.ts:1: state may not import engine (../engine/x.ts): a folder imports only from folders with a lower step (CONTRIBUTING.md, "Who may import whom")',
  ])
  expect(broken('src/planning/a.ts', "import '../landing/x.ts'")).toEqual([
    'src/planning/a.ts:1: planning may not import landing (../landing/x.ts): a folder imports only from folders with a lower step (CONTRIBUTING.md, "Who may import whom")',
  ])
  expect(broken('src/odd/a.ts', "import '../core/task.ts'")).toEqual([
    'src/odd/a.ts:1: src/odd is not a folder of the table (CONTRIBUTING.md, "Who may import whom")',
  ])
})

test('only platform and the entry point import what reaches files, processes and the network', () => {
  const text = "import { spawn } from 'node:child_process'"
  expect(broken('src/engine/a.ts', text)).toEqual([
    'src/engine/a.ts:1: only platform imports node:child_process: call a function of src/platform, in a folder that may import it',
  ])
  expect(broken('src/platform/a.ts', text)).toEqual([])
  expect(broken('src/main.ts', text)).toEqual([])
  expect(broken('src/cli/other.ts', "import { writeSync } from 'node:fs'")).toEqual([
    'src/cli/other.ts:1: only platform imports node:fs: call a function of src/platform, in a folder that may import it',
  ])
})

test('core imports no packages', () => {
  expect(broken('src/core/a.ts', "import { z } from 'zod'")).toEqual([
    'src/core/a.ts:1: core may not import zod: it is pure, so take the value as an argument',
  ])
})

function broken(path: string, text: string): string[] {
  return brokenImports([{ path, text }])
}
