import { expect, test } from 'bun:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { estimateTokens } from './estimate-tokens.ts'

const TEXTS = [
  '- [x] Task 1: Add user model (@backend, completed)\n- [ ] Task 2: Add login endpoint (pending)  <-- current\n',
  'In this order: #1, #2, #13, #144; task-16fc, task-3578, task-1732\n',
  'src/core/documents/estimate-tokens.ts and 9af3bc91d, deadbeef0',
  'Написать разбор выражений и проверить крайние случаи',
  '编写解析器并检查所有的边界情况',
  'पार्सर लिखें और परीक्षण करें',
  '🚀🎉 ship it 👩‍👩‍👧 ✅',
]

test.each(TEXTS)('%s has at most as many tokens as estimated, and not less than a sixth of them', (text) => {
  const estimated = estimateTokens(text)
  expect(estimated).toBeGreaterThanOrEqual(countTokens(text))
  expect(estimated).toBeLessThan(6 * countTokens(text))
})

test('an empty text has no tokens', () => {
  expect(estimateTokens('')).toBe(0)
})
