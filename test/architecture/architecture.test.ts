import { expect, test } from 'bun:test'
import { NOT_YET } from './not-yet.ts'
import { RULES } from './rules/all-rules.ts'
import { readSources } from './source.ts'

const sources = readSources()

test('there are sources to look at', () => {
  expect(sources.length).toBeGreaterThan(100)
})

for (const [name, rule] of Object.entries(RULES)) {
  test(name, () => {
    const known: readonly string[] = NOT_YET[name as keyof typeof RULES] ?? []
    const isNew = (finding: string): boolean => !known.some((beginning) => finding.startsWith(beginning))
    expect(rule(sources).filter(isNew)).toEqual([])
  })
}
