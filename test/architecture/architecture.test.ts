import { expect, test } from 'bun:test'
import { RULES } from './rules/all-rules.ts'
import { readSources } from './source.ts'

const sources = readSources()

test('there are sources to look at', () => {
  expect(sources.length).toBeGreaterThan(100)
})

test.each(Object.entries(RULES))('%s', (_, rule) => {
  expect(rule(sources)).toEqual([])
})
