import { expect, test } from 'bun:test'
import { GZA } from '../../../../test/cli/displays.ts'
import type { AgentEvent } from '../../../runs/watch/logged-events.ts'
import type { LogPart } from '../../../runs/watch/read-logs.ts'
import { logReader } from './logs.ts'

function lineWith(events: AgentEvent[], record: Partial<Extract<LogPart, { kind: 'line' }>['record']> = {}): LogPart {
  const whole = {
    at: new Date(2026, 0, 2, 10, 0, 5).toISOString(),
    phase: 'implement',
    stream: 'out' as const,
    line: '',
  }
  return { kind: 'line', record: { ...whole, event: events, ...record }, events }
}

function read(parts: LogPart[]): string[] {
  const reader = logReader(GZA)
  return parts.flatMap((part) => [...reader(part)])
}

test('limits, errors and failed results stand out with their words', () => {
  const lines = read([
    lineWith([{ kind: 'limit', resetsAt: '2026-01-02T15:00:00Z', message: '5-hour limit reached' }]),
    lineWith([{ kind: 'error', code: 'auth', message: 'Invalid API key' }]),
    lineWith([{ kind: 'result', ok: false, text: 'Half\ndone', reason: 'max turns', turns: 3 }]),
  ])
  expect(lines).toEqual([
    '── implement',
    '10:00:05  usage limit: 5-hour limit reached (until 2026-01-02T15:00:00Z)',
    '10:00:05  error: Invalid API key',
    '10:00:05  failed: max turns\n          Half\n          done',
  ])
})

test('counters and unknown lines are left out, but not what came on stderr or from gza', () => {
  const lines = read([
    lineWith([{ kind: 'session', id: 's' }]),
    lineWith([{ kind: 'tokens', input: 1, output: 2 }]),
    lineWith([{ kind: 'cost', usd: 1 }]),
    lineWith([], { line: '{"type":"new"}' }),
    lineWith([], { line: 'deprecated', stream: 'err' }),
    lineWith([], { line: '2 lines could not be written here', stream: 'gza' }),
  ])
  expect(lines).toEqual(['── implement', '10:00:05  deprecated', '10:00:05  2 lines could not be written here'])
})

test('a result that repeats the last words is not shown twice, and each phase has its heading', () => {
  const result = (text: string): AgentEvent => ({ kind: 'result', ok: true, text, reason: null, turns: 1 })
  const lines = read([
    lineWith([{ kind: 'text', text: 'All done.' }]),
    lineWith([result('All done.')]),
    lineWith([{ kind: 'tool', name: 'Read', detail: '' }], { phase: 'review' }),
    lineWith([result('APPROVED')], { phase: 'review' }),
  ])
  expect(lines).toEqual([
    '── implement',
    '10:00:05  All done.',
    '10:00:05  finished',
    '── review',
    '10:00:05  → Read',
    '10:00:05  finished\n          APPROVED',
  ])
})

test('an interruption is printed once', () => {
  const run = {
    run: 'r',
    attempt: 1,
    machine: 'm',
    started_at: '2026-01-02T10:00:00Z',
    ended_at: '2026-01-02T10:01:00Z',
  }
  const lines = read([{ kind: 'end', end: { ...run, outcome: 'interrupted', reason: 'interrupted' } }])
  expect(lines).toEqual(['✗ interrupted (1m00s)'])
})
