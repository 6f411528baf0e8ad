import { expect, test } from 'bun:test'
import { selectBatch } from './select-batch.ts'
import { takeDisjoint } from './take-disjoint.ts'

const READY = [
  { uid: 'a', files: ['x.ts'] },
  { uid: 'b', files: [] },
  { uid: 'c', files: ['./y.ts', 'x.ts'] },
  { uid: 'd', files: ['y.ts'] },
  { uid: 'e', files: ['z.ts'] },
]

test('taken one by one, the tasks are those of a batch', () => {
  for (const busy of [[], ['x.ts'], ['y.ts', 'z.ts'], ['x.ts', 'y.ts', 'z.ts']]) {
    expect(taken({ known: [], look: () => busy })).toEqual(selectBatch(READY, busy, 5).map(({ uid }) => uid))
  }
})

test('the busy files are read again only for a task that does not want one of the known busy files', () => {
  let looks = 0
  const look = () => {
    looks++
    return []
  }
  expect(taken({ known: ['x.ts', 'y.ts', 'z.ts'], look })).toEqual(['b'])
  expect(looks).toBe(0)
  expect(taken({ known: ['x.ts'], look })).toEqual(['b', 'a', 'd', 'e'])
  expect(looks).toBe(1)
})

test('no more candidates are read than needed', () => {
  const read: string[] = []
  const ready = READY.values().map((candidate) => {
    read.push(candidate.uid)
    return candidate
  })
  takeDisjoint(ready, ({ files }) => files, { known: [], look: () => [] }).next()
  expect(read).toEqual(['a'])
})

function taken(busy: Parameters<typeof takeDisjoint>[2]): string[] {
  return [...takeDisjoint(READY, ({ files }) => files, busy)].map(({ uid }) => uid)
}
