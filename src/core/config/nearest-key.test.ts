import { expect, test } from 'bun:test'
import { KNOWN_KEYS } from './known-keys.ts'
import { keysBelow, nearestKey } from './nearest-key.ts'

test.each([
  ['defaults.modle', 'defaults.model'],
  ['defaults.Model', 'defaults.model'],
  ['defaults.timeout', 'defaults.timeout_minutes'],
  ['default', 'defaults'],
  ['task_type', 'task_types'],
  ['task_types.implment', 'task_types.implement'],
  ['task_types.review.max_turn', 'task_types.review.max_turns'],
  ['agents.aider.cmmand', 'agents.aider.command'],
  ['workers', 'parallel_workers'],
  ['verify.test_comand', 'verify.test_command'],
])('%s was probably meant to be %s', (wrong, right) => {
  expect(nearestKey(wrong, KNOWN_KEYS)).toBe(right)
})

test.each([
  ['model', 'defaults.model'],
  ['modle', 'defaults.model'],
  ['budgets.max_attempts', 'defaults.max_attempts'],
  ['defaults.land', 'land'],
  ['defaults.backoff_seconds', 'retry.backoff_seconds'],
])('%s is in the wrong section: %s', (wrong, right) => {
  expect(nearestKey(wrong, KNOWN_KEYS)).toBe(right)
})

test('a name unlike any key has no nearest key', () => {
  expect(nearestKey('colour', KNOWN_KEYS)).toBeNull()
  expect(nearestKey('x', KNOWN_KEYS)).toBeNull()
  expect(nearestKey('__proto__', KNOWN_KEYS)).toBeNull()
})

test('the keys of a section, also below a name that the user chose', () => {
  expect(keysBelow(['verify'], KNOWN_KEYS)).toEqual(['command', 'test_command', 'timeout_minutes', 'locks', 'network'])
  expect(keysBelow(['agents', 'aider'], KNOWN_KEYS)).toEqual(['command', 'stdin', 'env'])
  expect(keysBelow(['agents', 'aider', 'env'], KNOWN_KEYS)).toEqual([])
})
