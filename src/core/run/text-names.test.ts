import { expect, test } from 'bun:test'
import { compareTexts, readTextName, type TextName, textName } from './text-names.ts'

test.each<[string, TextName]>([
  ['20261117-plan-it-1.md', { stem: '20261117-plan-it', attempt: 1, edition: 0 }],
  ['20261117-plan-it-2-10.md', { stem: '20261117-plan-it-2', attempt: 10, edition: 0 }],
  ['20261117-plan-it-2.text-3.md', { stem: '20261117-plan-it', attempt: 2, edition: 3 }],
])('%s is read and written', (name, parsed) => {
  expect(readTextName(name)).toEqual(parsed)
  expect(textName(parsed)).toBe(name)
})

test('the name that a join gave a second text is read, and other names are not', () => {
  expect(readTextName('20261117-plan-it-1.md~0123456789ab')?.stem).toBe('20261117-plan-it')
  for (const name of ['notes.md', 'plan-2.md', '20261117-plan.md', '20261117-plan-1.txt']) {
    expect(readTextName(name)).toBeNull()
  }
})

test('later attempts and later editions come last, by number', () => {
  const names = ['20261117-p-10.md', '20261117-p-2.text-1.md', '20261117-p-2.md', '20261117-p-9.md']
  const texts = names.flatMap((name) => readTextName(name) ?? []).sort(compareTexts)
  expect(texts.map(textName)).toEqual([names[2]!, names[1]!, names[3]!, names[0]!])
})
