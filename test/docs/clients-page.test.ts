import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { VERSIONS } from '../../scripts/install-clients.ts'
import { ALL_PAIRS } from '../clients/pairs.ts'
import { BOX_ROWS, chosenRows } from '../clients/table/choose-rows.ts'
import { allPassed, BEGINS, makeBoxTable, makeTable, passedLine, putTable } from '../clients/table/make-table.ts'
import { CLIENT_NAMES } from '../clients/table/rows.ts'

const page = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8')
const [strongest] = ALL_PAIRS
const PAIR = strongest ?? { level: 'none', user: 'root' }
const whole = makeTable(allPassed(), PAIR)

test('docs/clients.md has the table of a run in which every client passed everything', () => {
  expect(putTable(page, BEGINS.rows, whole)).toBe(page)
  expect(whole + makeBoxTable(allPassed())).not.toContain('✗')
})

test('what a client did not pass is a ✗ in the table, and the rest of the page stays', () => {
  const table = makeTable(passedLine('codex', 'work', PAIR) + passedLine('qwen', 'lost', PAIR), PAIR)
  expect(table.match(/✓/g)?.length).toBe(2)
  expect(table.split('\n').find((row) => row.includes('works and commits'))).toEndWith('| ✗ | ✓ | ✗ | ✗ | ✗ | ✗ |')
  const changed = putTable(page, BEGINS.rows, table)
  expect(changed).not.toBe(page)
  expect(putTable(changed, BEGINS.rows, whole)).toBe(page)
})

test('a client that did not pass at one level is named there', () => {
  const line = passedLine('gemini', 'killed', { level: 'unshare', user: 'user' })
  const table = makeBoxTable(allPassed().replace(line, ''))
  expect(table.match(/✗ gemini/g)?.length).toBe(1)
})

test('without --all-levels, each client is tested for every row of the boxes somewhere, and each level by every row', () => {
  const rowsOf = (pairs: readonly (typeof PAIR)[], clients: readonly (typeof CLIENT_NAMES)[number][]) =>
    new Set(pairs.flatMap((pair) => clients.flatMap((client) => chosenRows(client, pair, false))))
  for (const client of CLIENT_NAMES) expect([...rowsOf(ALL_PAIRS, [client])].toSorted()).toEqual(BOX_ROWS.toSorted())
  for (const pair of ALL_PAIRS) expect([...rowsOf([pair], CLIENT_NAMES)].toSorted()).toEqual(BOX_ROWS.toSorted())
})

test('docs/clients.md names the versions that are installed', () => {
  const named = [...page.matchAll(/^\| \w+ \| `([^`]+)` \| ([\d.]+) \|$/gm)].map(([, name, version]) => [name, version])
  const clients = Object.entries(VERSIONS).filter(([name]) => !/^node(?:-bin)?-/.test(name))
  expect(named.toSorted()).toEqual(clients.toSorted())
})
