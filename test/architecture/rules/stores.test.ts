import { expect, test } from 'bun:test'
import { mixedStores } from './stores.ts'

test('a store may not import another one, and may import what they share', () => {
  const text = "import { inLock } from '../write-lock.ts'\nimport type { State } from '../index/open-state.ts'\n"
  expect(mixedStores([{ path: 'src/state/live/leases.ts', text }])).toEqual([
    'src/state/live/leases.ts:2: state/live does not import src/state/index/open-state.ts: what stores share is in src/state itself',
  ])
  expect(mixedStores([{ path: 'src/state/index/schema.ts', text }])).toEqual([])
})
