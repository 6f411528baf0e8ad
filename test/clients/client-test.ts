import { test } from 'bun:test'
import { appendFileSync } from 'node:fs'
import type { Client } from './clients.ts'
import { pairName, strongestPair } from './pairs.ts'
import { passedLine } from './table/make-table.ts'
import { type ClientName, isForLevel, lacks, ROWS, type Row } from './table/rows.ts'

/** Some clients try again for minutes before they give up, and opencode needs a minute a call on a busy machine. */
export const TIME_LIMIT_MS = 360_000

/**
 * A test of a real client for rows of the table. None is defined for a client that lacks what the rows are about, or
 * that is tested for other rows. Tests that mostly wait for the client to give up run side by side.
 */
export function testRows(client: Client, rows: readonly Row[], body: () => Promise<void>, isWaiting = false): void {
  const name = client.name as ClientName
  const { pair = strongestPair() } = client
  if (rows.every((row) => lacks(name, row) || !isForLevel(row, pair.level))) return
  if (client.rows && !client.rows.some((row) => rows.includes(row as Row))) return
  const title = `${name} (${pairName(pair)}): ${rows.map((row) => ROWS[row]).join('; ')}`
  const define = isWaiting ? test.concurrent : test
  define(title, async () => {
    await body()
    for (const row of rows) record(passedLine(name, row, pair))
  })
}

function record(line: string): void {
  const file = process.env.GZA_CLIENT_RESULTS
  if (file !== undefined) appendFileSync(file, line)
}
