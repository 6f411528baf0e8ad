import { CLIENT_NAMES, type ClientName, lacks, ROWS, type Row } from './rows.ts'

/** One line of results for each scenario that a client has passed. */
export function passedLine(client: ClientName, row: Row): string {
  return `${client} ${row}\n`
}

/** The table of docs/clients.md, from the lines of all tests that passed. */
export function makeTable(passed: string): string {
  const lines = new Set(passed.split('\n'))
  const cell = (client: ClientName, row: Row): string => {
    if (lacks(client, row)) return '–'
    return lines.has(passedLine(client, row).trimEnd()) ? '✓' : '✗'
  }
  const rows = (Object.keys(ROWS) as Row[]).map((row) => [ROWS[row], ...CLIENT_NAMES.map((name) => cell(name, row))])
  const head = [['', ...CLIENT_NAMES], Array.from({ length: CLIENT_NAMES.length + 1 }, () => '---')]
  return [...head, ...rows].map((cells) => `| ${cells.join(' | ')} |`.replace(/^\| {2}\|/, '| |')).join('\n')
}

/** The table when every client passes everything. */
export function wholeTable(): string {
  const rows = Object.keys(ROWS) as Row[]
  return makeTable(CLIENT_NAMES.flatMap((name) => rows.map((row) => passedLine(name, row))).join(''))
}

const BEGINS = '<!-- the next table is made by `npm run test:agents -- --write` -->\n'

/** The page with another table. */
export function putTable(page: string, table: string): string {
  const start = page.indexOf(BEGINS)
  if (start === -1) throw new Error(`the page lacks the line ${BEGINS}`)
  const from = start + BEGINS.length
  const length = /^(?:\n|\|.*\n)*/.exec(page.slice(from))?.[0].length ?? 0
  return `${page.slice(0, from)}\n${table}\n\n${page.slice(from + length)}`
}
