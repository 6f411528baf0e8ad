import { expect, test } from 'bun:test'
import { readPlanLines } from '../plan-markdown/lines/plan-lines.ts'
import { readFields } from './read-fields.ts'

const read = (text: string) => readFields(readPlanLines(text))

test('a dependency needs no colon if it names tasks and nothing else', () => {
  const waits = (text: string) => read(text).waitsFor.map((wait) => wait.text)
  expect(waits('- Depends on T1 and T2.')).toEqual(['T1 and T2.'])
  expect(waits('**Blocked by** Task 3')).toEqual(['Task 3'])
  expect(waits('After T4')).toEqual(['T4'])
  for (const prose of ['Depends on the weather', 'After 5', 'Requires Node 20 or later'])
    expect(waits(prose)).toEqual([])
})

test('a label alone on its line needs no colon if a list follows', () => {
  expect(read('Acceptance Criteria\n\n- It is sorted\n- It is fast').acceptance_criteria).toEqual([
    ...['It is sorted', 'It is fast'],
  ])
  expect(read('**Files to create**\n- `a.ts`').files_to_create).toEqual(['a.ts'])
  expect(read('Acceptance criteria\nare for others.').body).toBe('Acceptance criteria\nare for others.')
})

test('what the line of a file says overrides the label above it', () => {
  const { files_to_create, files_to_modify } = read(
    'Files to create:\n- `a.ts`\n- Update `b.ts` — one more field\nFiles to modify:\n- `c.ts` (new)\n- `d.ts` — add to it',
  )
  expect([files_to_create, files_to_modify]).toEqual([
    ['a.ts', 'c.ts'],
    ['b.ts', 'd.ts'],
  ])
})

test('notes indented deeper than the files stay in the text', () => {
  const { test_files, body, warnings } = read('**Tests:**\n- `a.test.ts`\n  - returns a draft\n  - refuses others')
  expect([test_files, warnings]).toEqual([['a.test.ts'], []])
  expect(body).toContain('- refuses others')
})

test('an unknown status is reported, and the task is open', () => {
  const status = (text: string) => {
    const { done, skipped = false, warnings } = read(`Status: ${text}`)
    return [done, skipped, ...warnings.map(({ line, why }) => `${line}: ${why}`)]
  }
  for (const open of ['⏳', 'Not started', 'in-progress', 'To do', 'In progress (60%)', 'done | pending'])
    expect(status(open)).toEqual([false, false])
  expect(status('✅ Done')).toEqual([true, false])
  expect(status('Cancelled')).toEqual([false, true])
  expect(status('weird')).toEqual([false, false, "1: 'weird' is not a known status; the task counts as open"])
})
