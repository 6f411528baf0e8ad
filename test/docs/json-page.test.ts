import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { ALL_COMMANDS } from '../../src/cli/tree/all-commands.ts'
import { makePage } from '../json/make-page.ts'
import { OUTPUTS, WITHOUT_OUTPUT } from '../json/outputs.ts'

test('docs/json.md is current; scripts/bun scripts/make-json-page.ts writes it', () => {
  expect(readFileSync(new URL('../../docs/json.md', import.meta.url), 'utf8')).toBe(makePage())
})

test('test/json/outputs.ts has every command of the help, and no other', () => {
  const names = new Set(ALL_COMMANDS.filter(({ hidden }) => !hidden).map(({ name }) => name))
  const described = new Set([...Object.keys(OUTPUTS), ...WITHOUT_OUTPUT])
  expect({ missing: [...names.difference(described)], unknown: [...described.difference(names)] }).toEqual({
    missing: [],
    unknown: [],
  })
})

test('every field is in snake case, except those of the clients’ own hooks', () => {
  const fields = [...makePage().matchAll(/^\| `(\w+)` \| .* \| .*\|$/gm)].map(([, field]) => field)
  expect(fields.length).toBeGreaterThan(300)
  const other = new Set(fields.filter((field) => !/^[a-z][a-z0-9_]*$/.test(field ?? '')))
  expect([...other].toSorted()).toEqual(['additionalContext', 'hookEventName', 'hookSpecificOutput'])
})
