import { expect, test } from 'bun:test'
import { buildApplication, buildCommand, buildRouteMap, run } from '@stricli/core'
import fc from 'fast-check'
import type { CliCommand, Parameters } from './command.ts'
import { type ParsedArguments, readPlainArguments } from './plain-arguments.ts'
import { ALL_COMMANDS } from './tree/all-commands.ts'

test('accepted calls are read in the same way as stricli reads them', async () => {
  const calls = fc.constantFrom(...ALL_COMMANDS).chain((command) => fc.tuple(fc.constant(command), wordsFor(command)))
  await fc.assert(
    fc.asyncProperty(calls, async ([command, words]) => {
      const plain = readPlainArguments(command.parameters(), words)
      if (plain !== null) expect(given(plain)).toEqual(given(await readWithStricli(command.parameters(), words)))
    }),
    { numRuns: 5000 },
  )
})

test('plain calls are read', () => {
  expect(read('next')).toEqual({ flags: { all: false, 'no-pager': false, json: false }, args: [] })
  expect(read('next', '--all', '--json')).toEqual({ flags: { all: true, 'no-pager': false, json: true }, args: [] })
  expect(read('show', '7')).toEqual({ flags: { json: false, text: false }, args: ['7'] })
  expect(read('list', '-n', '5', '--group=a')?.flags).toMatchObject({ limit: 5, group: 'a', all: false })
  expect(read('done', '4', '5', '--note', 'Both')?.args).toEqual(['4', '5'])
})

test.each([
  ['an unknown flag', ['list', '--statsu', 'done']],
  ['a flag that every object has', ['list', '--constructor', 'x']],
  ['help', ['list', '--help']],
  ['several letters', ['tree', '-an']],
  ['a value that is missing', ['list', '--group']],
  ['a value that looks like a flag', ['list', '--group', '-a']],
  ['a value that is no number', ['list', '--limit', 'many']],
  ['a value that is not allowed', ['import', 'TODO.md', '--format', 'xml']],
  ['a flag that is given twice', ['list', '--group', 'a', '--group', 'b']],
  ['a flag that may repeat', ['add', 'A task', '--after', '1']],
  ['a switch with a value', ['list', '--all=yes']],
  ['an argument that is missing', ['show']],
  ['an argument too many', ['show', '1', '2', '3']],
  ['the end of flags', ['guard', '--', 'make']],
  ['standard input', ['import', '-']],
])('%s is left to stricli', (_what, words) => {
  expect(read(...words)).toBeNull()
})

function read(...[name, ...words]: string[]): ParsedArguments | null {
  const command = ALL_COMMANDS.find((one) => one.name === name) as CliCommand
  return readPlainArguments(command.parameters(), words)
}

/** Words near what the command takes: its flags in all forms, values of every kind, and others. */
function wordsFor(command: CliCommand): fc.Arbitrary<string[]> {
  const { flags, aliases } = command.parameters()
  const values = ['1', '0.5', '7', 'a', 'a,b', 'a=b', '', '-', '-1', '--', ...Object.values(flags).flatMap(valuesOf)]
  const names = Object.keys(flags)
  const forms = names.flatMap((name) => [`--${name}`, `--${name}=1`, `--${name}=`, `--no-${name}`])
  const letters = Object.keys(aliases).flatMap((letter) => [`-${letter}`, `-${letter}=1`, `-${letter}x`])
  return fc.array(fc.constantFrom(...values, ...values, ...forms, ...letters, '-h', '--help', '--json'), {
    maxLength: 6,
  })
}

function valuesOf({ values = [] }: Parameters['flags'][string]): readonly string[] {
  return values
}

/** A flag that was not given may be absent or undefined, and so may an argument at the end. */
function given(parsed: ParsedArguments | null): ParsedArguments | null {
  if (parsed === null) return null
  const { flags, args } = parsed
  const last = args.findLastIndex((value) => value !== undefined)
  return {
    flags: Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)),
    args: args.slice(0, last + 1),
  }
}

async function readWithStricli(parameters: Parameters, words: string[]): Promise<ParsedArguments | null> {
  let read: ParsedArguments | null = null
  const command = buildCommand<Record<string, unknown>, string[]>({
    func(flags, ...args) {
      read = { flags, args }
    },
    parameters: parameters as never,
    docs: { brief: 'It keeps what it was called with' },
  })
  const root = buildRouteMap({ routes: { command }, docs: { brief: 'One command' } })
  const app = buildApplication(root, { name: 'gza', scanner: { allowArgumentEscapeSequence: true } })
  const nowhere = { write() {} }
  await run(app, ['command', ...words], { process: { stdout: nowhere, stderr: nowhere } })
  return read
}
