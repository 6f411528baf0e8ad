import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentNamed } from '../registry.ts'
import { matters, mayMatter } from './skim-lines.ts'

const FOLDER = join(import.meta.dir, '../../../test/fixtures/transcripts')

test('every recorded line in which a client’s reader finds something is read in a flood, too', () => {
  const missed = readdirSync(FOLDER).flatMap((name) => {
    const client = name.split('.')[0] ?? ''
    if (!name.endsWith('.jsonl')) return []
    const read = agentNamed(client).reader()
    const lines = readFileSync(join(FOLDER, name), 'utf8').split('\n')
    return lines.filter((line) => read(line).length > 0 && !(matters(line) && mayMatter(Buffer.from(line))))
  })
  expect(missed).toEqual([])
})

test.each([
  'Claude AI usage limit reached|1790000000',
  '5-hour limit reached ∙ resets 3pm',
  'You’ve hit your limit · resets 3pm (UTC)',
  'You have exhausted your daily quota on this model.',
  '402 You have no quota',
  'Credit balance is too low',
  'Invalid API key · Please run /login',
  'Not logged in · Please run /login',
  'Please set an Auth method in your settings',
  'Attempt 3 failed with status 429. Retrying with backoff...',
  'Retrying in 60s (attempt 1/10): [API Error: 429 You exceeded your current quota',
  'timestamp=2026-11-17T00:00:00Z level=ERROR run=1 message="stream error" small=false',
  '  {"type":"result"}',
])('a client’s own words are read in a flood: %s', (line) => {
  expect([matters(line), mayMatter(Buffer.from(`x\n${line}\nx`))]).toEqual([true, true])
})

test('other lines are not', () => {
  const line = 'compiling module 17 of 4711'
  expect([matters(line), mayMatter(Buffer.from(line))]).toEqual([false, false])
  expect(matters(`a {brace} and more`)).toBe(false)
  expect(matters(`limit ${'x'.repeat(10_000)}`)).toBe(false)
})
