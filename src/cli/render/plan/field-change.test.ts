import { expect, test } from 'bun:test'
import { fieldChange } from './field-change.ts'

const WORDS = 'The login page asks for a name and a password, and then for the code that was sent'

test.each([
  ['priority', 'low', 'high', 'low → high'],
  ['user_story', null, 'As a user', 'nothing → As a user'],
  ['test_files', ['a.ts', 'b.ts'], ['b.ts', 'c.ts'], '+ c.ts, - a.ts'],
  ['test_files', null, ['a.ts'], '+ a.ts'],
  ['test_files', ['a.ts'], null, '- a.ts'],
  ['depends_on', ['T1', 'T2'], ['T2', 'T1'], 'the same values in another order or number'],
  ['test_files', [], [...'abcdefgh'], '+ a, + b, + c, + d, + e, + f, 2 more'],
  ['content', `${WORDS} by mail`, `${WORDS}\nby phone`, '…code that was sent by mail → …code that was sent\\nby phone'],
  ['content', 'a'.repeat(99), 'b', `${'a'.repeat(59)}… → b`],
])('%s: %p and %p', (field, from, to, expected) =>
  expect(fieldChange({ field, from, to })).toBe(`${field}: ${expected}`),
)
