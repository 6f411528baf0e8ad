import { ALL_PAIRS, type Pair, pairName } from '../pairs.ts'
import { BOX_ROWS } from './choose-rows.ts'
import { CLIENT_NAMES, type ClientName, isForLevel, lacks, ROWS, type Row } from './rows.ts'

/** One line of results for each scenario that a client has passed. */
export function passedLine(client: ClientName, row: Row, pair: Pair): string {
  return `${client} ${row} ${pairName(pair)}\n`
}

/** Which scenarios were passed, from the lines of all tests that passed. */
function reader(passed: string): (client: ClientName, row: Row, pair: Pair) => boolean {
  const lines = new Set(passed.split('\n'))
  return (client, row, pair) => lines.has(passedLine(client, row, pair).trimEnd())
}

/** The table of docs/clients.md with all rows, of the clients at one level. */
export function makeTable(passed: string, pair: Pair): string {
  const isPassed = reader(passed)
  const cell = (client: ClientName, row: Row): string => {
    if (lacks(client, row)) return '–'
    return isPassed(client, row, pair) ? '✓' : '✗'
  }
  const rows = (Object.keys(ROWS) as Row[]).map((row) => [ROWS[row], ...CLIENT_NAMES.map((name) => cell(name, row))])
  return markdown(['', ...CLIENT_NAMES], rows)
}

/** The table of docs/clients.md with all levels and users. A cell names the clients that did not pass. */
export function makeBoxTable(passed: string): string {
  const isPassed = reader(passed)
  const cell = (row: Row, pair: Pair): string => {
    if (!isForLevel(row, pair.level)) return '–'
    const failed = CLIENT_NAMES.filter((name) => !lacks(name, row) && !isPassed(name, row, pair))
    return failed.length === 0 ? '✓' : `✗ ${failed.join(', ')}`
  }
  const rows = BOX_ROWS.map((row) => [ROWS[row], ...ALL_PAIRS.map((pair) => cell(row, pair))])
  return markdown(['', ...ALL_PAIRS.map(({ level, user }) => `${level}, ${user}`)], rows)
}

function markdown(head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`.replace(/^\| {2}\|/, '| |')).join('\n')
}

/** The lines of a run in which every client passed everything. */
export function allPassed(): string {
  const rows = Object.keys(ROWS) as Row[]
  const lines = ALL_PAIRS.flatMap((pair) =>
    CLIENT_NAMES.flatMap((name) => rows.map((row) => passedLine(name, row, pair))),
  )
  return lines.join('')
}

/** The line of the page before each table. */
export const BEGINS = {
  rows: '<!-- the next table is made by `npm run test:agents -- --write` -->\n',
  boxes: '<!-- the next table is made by `npm run test:agents -- --all-levels --write` -->\n',
} as const

/** The page with another table. */
export function putTable(page: string, begins: string, table: string): string {
  const start = page.indexOf(begins)
  if (start === -1) throw new Error(`the page lacks the line ${begins}`)
  const from = start + begins.length
  const length = /^(?:\n|\|.*\n)*/.exec(page.slice(from))?.[0].length ?? 0
  return `${page.slice(0, from)}\n${table}\n\n${page.slice(from + length)}`
}
