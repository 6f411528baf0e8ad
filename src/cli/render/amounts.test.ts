import { expect, test } from 'bun:test'
import { costWords, dollars, elapsed, shortCount } from './amounts.ts'

test('times are as long as they need to be', () => {
  expect([-1, 0, 59.9, 60, 3599, 3600, 90_061].map(elapsed)).toEqual([
    '0s',
    '0s',
    '59s',
    '1m00s',
    '59m59s',
    '1h00m',
    '25h01m',
  ])
})

test('tokens are counted in thousands and millions', () => {
  expect([0, 999, 1000, 12_345, 999_949, 999_950, 4_500_000].map(shortCount)).toEqual([
    '0',
    '999',
    '1.0k',
    '12.3k',
    '999.9k',
    '1.0M',
    '4.5M',
  ])
})

test('a cheap run was not free', () => {
  expect([0, 0.004, 0.01, 12.345].map(dollars)).toEqual(['$0.00', '$0.0040', '$0.01', '$12.35'])
})

test('a cost that was not reported is unknown, beside what was reported', () => {
  const costs = [
    { usd: 0, isUnknown: false },
    { usd: 0, isUnknown: true },
    { usd: 0.5, isUnknown: true },
  ]
  expect(costs.map(costWords)).toEqual(['$0.00', 'unknown', '$0.50 + unknown'])
})
