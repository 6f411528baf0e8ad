import { expect, test } from 'bun:test'
import type { Source } from '../source.ts'
import { heavyCommands, heavyStart, heavyTree, largeCommands } from './loads.ts'

test('a fast command may not load a slow module, however far away the import is', () => {
  const next = file('cli/commands/look/next.ts', "import { pack } from '../../../core/pack.ts'\npack()")
  const pack = file('core/pack.ts', "import { gzip } from 'node:zlib'\nexport const pack = () => gzip")
  expect(heavyCommands([next, pack])).toEqual([
    'src/cli/commands/look/next.ts loads node:zlib, which takes long: load what few calls need with import()',
  ])
})

test('a command that only reads may not load node:fs, one that writes may', () => {
  const text = "import { readFileSync } from 'node:fs'\nreadFileSync('x')"
  const sources = [file('cli/commands/look/show.ts', text), file('cli/commands/work/done.ts', text)]
  expect(heavyCommands(sources)).toEqual([
    'src/cli/commands/look/show.ts loads node:fs, which takes long: load what few calls need with import()',
  ])
})

test('a type and an import at run time load nothing', () => {
  const text = "import type { Gzip } from 'node:zlib'\nexport const pack = (): Promise<Gzip> => import('node:zlib')"
  expect(heavyCommands([file('cli/commands/look/next.ts', text)])).toEqual([])
})

test('a reading command may not load more code than its limit; types, comments and lazy imports are free', () => {
  const sources = [
    file('main.ts', '/** Starts. */\nexport const main = 1'),
    file('cli/tree/look.ts', "export const LOOK = [() => import('../commands/look/next.ts')]"),
    file('cli/commands/look/next.ts', "import { rows } from '../../../core/rows.ts'\nrows()"),
    file('core/rows.ts', `export interface Row { uid: string }\nexport const rows = () => '${'x'.repeat(1000)}'`),
  ]
  const within = (most: number) => largeCommands(sources, { 'look/next': { definition: 'look', most } })
  expect(within(1.3)).toEqual([])
  expect(within(1.1)).toEqual([
    'a call of look/next loads 1.2 thousand characters of code, at most 1.1 are allowed: load what few calls need with import()',
  ])
})

test('the command tree may not load code for the sake of a list of names', () => {
  const plan = file(
    'cli/tree/plan.ts',
    "import { STRATEGIES } from '../../core/size/split-groups.ts'\nSTRATEGIES.at(0)",
  )
  const groups = file('core/size/split-groups.ts', "import { join } from 'node:path'\nexport const STRATEGIES = [join]")
  expect(heavyTree([plan, groups])).toEqual([
    'src/cli/tree/plan.ts loads src/core/size/split-groups.ts',
    'src/cli/tree/plan.ts loads node:path',
  ])
})

test('the command tree may load names and its own parts, and commands at run time', () => {
  const plan = file(
    'cli/tree/plan.ts',
    "import { STRATEGIES } from '../../core/size/strategies.ts'\nimport { text } from '../flags/flags.ts'\n" +
      "export const split = [text, STRATEGIES, () => import('../commands/plan/split.ts')]",
  )
  const flags = file('cli/flags/flags.ts', 'export const text = 1')
  expect(heavyTree([plan, flags, file('core/size/strategies.ts', 'export const STRATEGIES = []')])).toEqual([])
})

test('the entry point may not load definitions of commands, nor the parser', () => {
  const main = file('main.ts', "import { runCli } from './cli/run-cli.ts'\nrunCli()")
  const runCli = (text: string) => [
    main,
    file('cli/run-cli.ts', text),
    file('cli/tree/look.ts', 'export const LOOK = 1'),
  ]
  expect(
    heavyStart(runCli("import { run } from '@stricli/core'\nimport { LOOK } from './tree/look.ts'\nrun(LOOK)")),
  ).toEqual(['src/main.ts loads src/cli/tree/look.ts', 'src/main.ts loads @stricli/core'])
  expect(heavyStart(runCli("export const runCli = () => import('./tree/look.ts')"))).toEqual([])
})

function file(path: string, text: string): Source {
  return { path: `src/${path}`, text }
}
