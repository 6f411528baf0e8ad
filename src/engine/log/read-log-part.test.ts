import { afterAll, expect, test } from 'bun:test'
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readLogPart } from './read-log-part.ts'

const folder = mkdtempSync(join(tmpdir(), 'gza-log-'))
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0
const aLog = (): string => join(folder, `${count++}.jsonl`)
const record = (order: number, line = `line ${order}`): string =>
  `${JSON.stringify({ at: '2026-01-01T00:00:00Z', order, phase: 'task', stream: 'out', line, event: [] })}\n`
const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => record(from + index)).join('')
const texts = ({ records }: ReturnType<typeof readLogPart>): string[] => records.map(({ line }) => line)

test('only what was added since is read, and only whole lines', () => {
  const path = aLog()
  writeFileSync(path, lines(1, 3))
  const first = readLogPart(path, null)
  expect(texts(first)).toEqual(['line 1', 'line 2', 'line 3'])
  expect(texts(readLogPart(path, first.next))).toEqual([])
  const half = record(5).slice(0, 20)
  appendFileSync(path, record(4) + half)
  const second = readLogPart(path, first.next)
  expect(texts(second)).toEqual(['line 4'])
  appendFileSync(path, record(5).slice(20))
  expect(texts(readLogPart(path, second.next))).toEqual(['line 5'])
})

test('a log that does not exist yet is read from its start when it does', () => {
  const path = aLog()
  const none = readLogPart(path, null)
  expect(none).toEqual({ records: [], next: null, hasGap: false })
  writeFileSync(path, record(1))
  expect(texts(readLogPart(path, none.next))).toEqual(['line 1'])
})

test('of a long log its end is read, and the gap is known', () => {
  const path = aLog()
  writeFileSync(path, lines(1, 20_000))
  const part = readLogPart(path, null)
  expect(part.hasGap).toBe(true)
  expect(texts(part).at(-1)).toBe('line 20000')
  expect(part.records.length).toBeLessThan(5000)
  appendFileSync(path, lines(20_001, 40_000))
  const later = readLogPart(path, part.next)
  expect(later.hasGap).toBe(true)
  expect(texts(later).at(-1)).toBe('line 40000')
})

test('of a log that was replaced by a shorter one, what was read is not read again', () => {
  const path = aLog()
  writeFileSync(path, lines(1, 100))
  const { next } = readLogPart(path, null)
  writeFileSync(`${path}.new`, record(1) + record(99) + lines(100, 102))
  renameSync(`${path}.new`, path)
  const part = readLogPart(path, next)
  expect(texts(part)).toEqual(['line 101', 'line 102'])
  expect(part.hasGap).toBe(false)
})

test('a record that is longer than all that is read at once is passed over', () => {
  const path = aLog()
  writeFileSync(path, record(1))
  const { next } = readLogPart(path, null)
  appendFileSync(path, record(2, 'x'.repeat(600_000)))
  let place = next
  for (let at = 0; at < 4; at++) place = readLogPart(path, place).next
  appendFileSync(path, record(3))
  expect(texts(readLogPart(path, place))).toEqual(['line 3'])
})
