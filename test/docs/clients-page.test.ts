import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { VERSIONS } from '../../scripts/install-clients.ts'
import { makeTable, passedLine, putTable, wholeTable } from '../clients/table/make-table.ts'

const page = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8')

test('docs/clients.md has the table of a run in which every client passed everything', () => {
  expect(putTable(page, wholeTable())).toBe(page)
  expect(wholeTable()).not.toContain('✗')
})

test('what a client did not pass is a ✗ in the table, and the rest of the page stays', () => {
  const table = makeTable(passedLine('codex', 'work') + passedLine('qwen', 'lost'))
  expect(table.match(/✓/g)?.length).toBe(2)
  expect(table.split('\n').find((row) => row.includes('works and commits'))).toEndWith('| ✗ | ✓ | ✗ | ✗ | ✗ | ✗ |')
  const changed = putTable(page, table)
  expect(changed).not.toBe(page)
  expect(putTable(changed, wholeTable())).toBe(page)
})

test('docs/clients.md names the versions that are installed', () => {
  const named = [...page.matchAll(/^\| \w+ \| `([^`]+)` \| ([\d.]+) \|$/gm)].map(([, name, version]) => [name, version])
  const clients = Object.entries(VERSIONS).filter(([name]) => !/^node(?:-bin)?-/.test(name))
  expect(named.toSorted()).toEqual(clients.toSorted())
})
