import { expect, test } from 'bun:test'
import { linesOfOneSide, type Versions } from './differing-lines.ts'

/** What the function must give, by splitting everything. */
function bySplitting(files: readonly Versions[]) {
  const lines = (side: keyof Versions) =>
    new Set(files.flatMap((file) => file[side].toString().split('\n').filter(Boolean)))
  const [before, after] = [lines('before'), lines('after')]
  return { before: [...before.difference(after)].sort(), after: [...after.difference(before)].sort() }
}

function sorted({ before, after }: { before: string[]; after: string[] }) {
  return { before: before.sort(), after: after.sort() }
}

test('lines that were changed, added, removed, moved or doubled are found as if all lines were compared', () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed % below
  }
  const aLine = () => ['a', 'ab', 'b', 'ba', 'aab', 'é', '', 'line '.repeat(random(30))][random(8)] ?? ''
  const aText = (lines: string[]) => Buffer.from(lines.join('\n') + (random(3) === 0 ? '' : '\n'))
  for (let round = 0; round < 3000; round++) {
    const files = Array.from({ length: 1 + random(3) }, () => {
      const lines = Array.from({ length: random(12) }, aLine)
      const changed = lines.slice()
      for (let step = random(4); step > 0; step--) changed.splice(random(changed.length + 1), random(2), aLine())
      return { before: aText(lines), after: aText(changed) }
    })
    expect(sorted(linesOfOneSide(files))).toEqual(bySplitting(files))
  }
})

test('a line with bytes that are not UTF-8 counts as the same where it moved', () => {
  const odd = Buffer.from([0x61, 0xff, 0x0a])
  const other = Buffer.from('b\n')
  const moved = { before: Buffer.concat([odd, other]), after: Buffer.concat([other, odd]) }
  expect(linesOfOneSide([moved])).toEqual({ before: [], after: [] })
})
