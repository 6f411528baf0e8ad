import { describe, expect, test } from 'bun:test'
import { readLabel } from './label.ts'

const short = (text: string, where: 'heading' | 'item' = 'heading') => {
  const label = readLabel(text, where)
  const name = 'key' in label ? label.key : 'number' in label ? label.number : 'id' in label ? label.id : null
  return [label.kind, name, label.title, ...(label.done ? ['done'] : [])]
}

describe('milestones', () => {
  test.each([
    ['Phase 1: Core', 'M1', 'Core'],
    ['M1 — Core Features', 'M1', 'Core Features'],
    ['Milestone 2', 'M2', 'Milestone 2'],
    ['Phase III - Rollout', 'M3', 'Rollout'],
    ['[M4] Polish', 'M4', 'Polish'],
    ['🚀 Phase 5: Launch', 'M5', 'Launch'],
    ['Epic: Checkout', '', 'Checkout'],
    ['Phase 3 (optional): Search', 'M3', 'Search (optional)'],
    ['Phase 4 [P2] - Search', 'M4', 'Search (P2)'],
    ['Sprint 2.1 – Search', 'M2.1', 'Search'],
    ['Sprint 12/2026: Search', 'M12.2026', 'Search'],
    ['Milestone Alpha', '', 'Milestone Alpha'],
    ['Phase Beta: Search', '', 'Search'],
  ])('%s', (text, id, title) => expect(short(text)).toEqual(['milestone', id, title]))

  test.each([
    'Alpha',
    'Stage beta builds',
    'Phase-out of the old API',
    'Part of the plan',
    'Track a package',
    'Stage changes before a commit',
  ])('%s is not a milestone', (text) => expect(readLabel(text, 'heading').kind).toBe('plain'))

  test('a list item is not a milestone', () => expect(short('Phase 1: Core', 'item')[0]).toBe('plain'))
})

describe('tasks', () => {
  test.each([
    ['T1: Title', 'keyed', 'T1', 'Title'],
    ['[T3] Title', 'keyed', 'T3', 'Title'],
    ['**T4**: Title', 'keyed', 'T4', 'Title'],
    ['**T5: Title**', 'keyed', 'T5', 'Title'],
    ['`T6` Title', 'keyed', 'T6', 'Title'],
    ['T001 Title', 'keyed', 'T001', 'Title'],
    ['AUTH-12 - Title', 'keyed', 'AUTH-12', 'Title'],
    ['T2-a: Title', 'keyed', 'T2-a', 'Title'],
    ['Task T7: Title', 'keyed', 'T7', 'Title'],
    ['Task 2.1 - Title', 'numbered', '2.1', 'Title'],
    ['Step 3. Title', 'numbered', '3', 'Title'],
    ['Task #4: Title', 'numbered', '4', 'Title'],
    ['Task 5', 'numbered', '5', 'Task 5'],
    ['Task 6 (optional): Title', 'numbered', '6', 'Title (optional)'],
    ['T7 (after T1): Title', 'keyed', 'T7', 'Title (after T1)'],
    ['Version 2 (beta): Title', 'plain', null, 'Version 2 (beta): Title'],
    ['1.2 Title', 'outline', '1.2', 'Title'],
    ['3) Title', 'outline', '3', 'Title'],
    ['Add OAuth2 support', 'plain', null, 'Add OAuth2 support'],
    ['[Link](https://example.com)', 'plain', null, '[Link](https://example.com)'],
  ])('%s', (text, kind, name, title) => expect(short(text)).toEqual([kind, name, title]))

  test.each([
    '[x] T1: Title',
    '✅ T1: Title',
    'T1 (done): Title',
    'T1: Title ✅',
    'T1: Title (done)',
    '~~T1: Title~~',
    'T1: Title — Completed',
  ])('%s is done', (text) => expect(short(text)).toEqual(['keyed', 'T1', 'Title', 'done']))
})
