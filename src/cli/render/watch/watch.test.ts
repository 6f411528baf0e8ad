import { expect, test } from 'bun:test'
import { GZA } from '../../../../test/cli/displays.ts'
import { aName } from '../../../../test/cli/task-view.ts'
import type { WatchState } from '../../../reports/watch-state.ts'
import { widthOf } from '../../terminal/fit-to.ts'
import { renderScreen } from './watch.ts'

const NOW = Date.parse('2026-01-02T10:00:00Z')

function aState(counts: { runs: number; inbox: number; queue: number }): WatchState {
  const numbers = (count: number, from: number) => Array.from({ length: count }, (_, at) => from + at)
  const elsewhere = { title: '漢字 '.repeat(30), holder: 'codex', started_at: '2026-01-02T09:00:00Z' }
  return {
    ledger: 'main',
    counts: { in_progress: counts.runs, ready: counts.queue, blocked: 0, completed: 7, failed: counts.inbox },
    runs: [],
    elsewhere: numbers(counts.runs, 1).map((number) => ({ number, id: 'task-a3f8', ...elsewhere })),
    inbox: numbers(counts.inbox, 100).map((number) => ({
      task: aName({ number }),
      code: 'VERIFY_FAILED',
      detail: 'npm test exited with 1',
      commands: [],
    })),
    queue: numbers(counts.queue, 200).map((number) => ({
      ...aName({ number }),
      key: null,
      type: 'task',
      blocked_by: [],
      on_hold: false,
      asks: false,
    })),
  }
}

test('a screen has as many lines as the terminal, and none is wider than it, whatever its size', () => {
  const states = [aState({ runs: 0, inbox: 0, queue: 0 }), aState({ runs: 9, inbox: 9, queue: 90 })]
  for (const state of states) {
    for (const columns of [4, 7, 20, 80, 200]) {
      for (const rows of [1, 2, 3, 8, 24, 100]) {
        const lines = renderScreen(state, GZA, { columns, rows }, NOW)
        expect({ rows, count: lines.length }).toEqual({ rows, count: rows })
        expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns)
      }
    }
  }
})

test('where there is too little room the sections share it, and say what they leave out', () => {
  const lines = renderScreen(aState({ runs: 2, inbox: 3, queue: 50 }), GZA, { columns: 60, rows: 17 }, NOW)
  expect(lines.slice(1)).toEqual([
    '',
    'Running',
    '  #1  codex  elsewhere  1h00m  漢字 漢字 漢字 漢字 漢字 漢…',
    '  #2  codex  elsewhere  1h00m  漢字 漢字 漢字 漢字 漢字 漢…',
    '',
    'Needs you',
    '  VERIFY_FAILED #100 Refactor auth: npm test exited with 1',
    '  VERIFY_FAILED #101 Refactor auth: npm test exited with 1',
    '  VERIFY_FAILED #102 Refactor auth: npm test exited with 1',
    '',
    'Queue',
    '  #200 Refactor auth',
    '  #201 Refactor auth',
    '  #202 Refactor auth',
    '  … 47 more',
    'q quits',
  ])
})
