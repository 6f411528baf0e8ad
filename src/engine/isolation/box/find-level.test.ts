import { expect, test } from 'bun:test'
import type { Level } from '../../../core/isolation/levels.ts'
import { findLevel, type Machine } from './find-level.ts'

function aMachine(...levels: Level[]): Machine {
  return (level) => (levels.includes(level) ? null : `no ${level}`)
}

test('the strongest level of the machine is chosen, and the stronger ones have a reason', () => {
  expect(findLevel('auto', aMachine('bubblewrap', 'unshare'))).toEqual({ level: 'bubblewrap', missing: [] })
  expect(findLevel('strict', aMachine('landlock'))).toEqual({
    level: 'landlock',
    missing: [
      { level: 'bubblewrap', why: 'no bubblewrap' },
      { level: 'unshare', why: 'no unshare' },
    ],
  })
  expect(findLevel('auto', aMachine()).level).toBe('none')
})

test('off tries nothing', () => {
  const machine = () => {
    throw new Error('tried')
  }
  expect(findLevel('off', machine)).toEqual({ level: 'none', missing: [] })
})

test('required refuses a machine without a box, with the reasons', () => {
  expect(findLevel('required', aMachine('unshare', 'landlock')).level).toBe('unshare')
  expect(() => findLevel('required', aMachine('landlock'))).toThrow(
    'isolation is required, but this machine can make no box (bubblewrap: no bubblewrap; unshare: no unshare)',
  )
})
