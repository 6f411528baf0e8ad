import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { anySized } from '../../../test/support/arbitrary-sized.ts'
import { BUILT_IN } from '../config/built-in.ts'
import { filesOf, hasCriteria, type Sized, scoreTask } from './complexity.ts'
import { planSplit } from './plan-split.ts'
import { type FiledPart, partsMatchWhole, type RemakeOptions, remakeParts } from './remake-parts.ts'
import { STRATEGIES } from './strategies.ts'

const limits = BUILT_IN.task_size_limits

const WHOLE = {
  key: 'T1',
  title: 'Async sync with caching',
  acceptance_criteria: ['rows are kept', 'the page shows it'],
  files_to_create: [
    ...['src/db/a.ts', 'src/db/b.ts', 'src/services/c.ts', 'src/services/d.ts', 'src/ui/e.tsx', 'src/ui/f.tsx'],
  ],
}

function filedAs(whole: Sized & { key: string }, strategy?: RemakeOptions['strategy']): FiledPart[] {
  const plan = planSplit(whole, scoreTask(whole, { limits }), { limits, strategy })
  return plan.kind === 'split' ? plan.parts.map((part) => ({ ...part, isFixed: false })) : []
}

function remake(whole: typeof WHOLE, filed: readonly FiledPart[], before: Sized & { key: string } = WHOLE) {
  const taken = new Set(filed.map(({ key }) => key))
  return remakeParts(whole, filed, { limits, before, isKeyTaken: (key) => taken.has(key) })
}

const brief = ({ parts, superseded }: ReturnType<typeof remake>) => [
  parts.map(({ key, isReused, after, ...part }) => [key, isReused, filesOf(part), after]),
  superseded,
]

describe('a split task that changed', () => {
  const filed = filedAs(WHOLE)

  test('has its open parts remade like a new split, under their old keys', () => {
    expect(filed.map(({ key }) => key)).toEqual(['T1-a', 'T1-b', 'T1-c'])
    const more = { ...WHOLE, files_to_create: [...WHOLE.files_to_create, 'src/services/g.ts'] }
    const anew = filedAs(more)
    expect(remake(more, filed).parts.map(({ key, title, content }) => [key, title, content])).toEqual(
      anew.map(({ key, title = '', content = '' }) => [key, title, content]),
    )
  })

  test('loses parts without remaining work, and is whole again if it is small', () => {
    const less = { ...WHOLE, files_to_create: WHOLE.files_to_create.slice(0, 2) }
    expect(brief(remake(less, filed))).toEqual([[], ['T1-a', 'T1-b', 'T1-c']])
  })

  test('keeps started parts; new work goes to new parts after them', () => {
    const started = filed.map((part) => ({ ...part, isFixed: true }))
    const files_to_create = [...WHOLE.files_to_create.slice(1), 'src/api/g.ts']
    const remade = remake({ ...WHOLE, files_to_create }, started)
    expect(brief(remade)).toEqual([[['T1-d', false, ['src/api/g.ts'], []]], []])
    expect(remade.parts[0]?.content).toContain('Part 4 of 4 of T1: ')
    expect(remade.leftovers).toEqual([{ key: 'T1-a', scope: ['src/db/a.ts'] }])
  })

  test('gives what no started part has to the open ones', () => {
    const half = filed.map((part, at) => ({ ...part, isFixed: at === 0 }))
    const more = { ...WHOLE, files_to_create: [...WHOLE.files_to_create, 'src/db/g.ts'] }
    const { parts, superseded } = remake(more, half)
    expect(parts.flatMap(filesOf).toSorted()).toEqual(
      ['src/db/g.ts', 'src/services/c.ts', 'src/services/d.ts', 'src/ui/e.tsx', 'src/ui/f.tsx'].toSorted(),
    )
    expect([parts.every(({ isReused, key }) => isReused || key === 'T1-d'), superseded]).toEqual([true, []])
  })

  test('that was split on request stays split in the same way', () => {
    const small = { ...WHOLE, title: 'Sync', files_to_create: ['src/db/a.ts', 'src/ui/e.tsx'] }
    const more = { ...small, files_to_create: [...small.files_to_create, 'src/ui/f.tsx'] }
    const byWish = filedAs(small, 'layers')
    expect(brief(remake(more, byWish, small))).toEqual([
      [
        ['T1-a', true, ['src/db/a.ts'], []],
        ['T1-b', true, ['src/ui/e.tsx', 'src/ui/f.tsx'], ['T1-a']],
      ],
      [],
    ])
  })
})

test('for any change and any started parts, the union of the parts is the whole, and nothing is in two of them', () => {
  const strategy = fc.option(fc.constantFrom(...STRATEGIES), { nil: undefined })
  let remade = 0
  fc.assert(
    fc.property(anySized, anySized, strategy, fc.nat(63), (old, next, asked, started) => {
      const [before, whole] = [
        { ...old, key: 'T1' },
        { ...next, key: 'T1' },
      ]
      const filed = filedAs(before, asked).map((part, at) => ({ ...part, isFixed: ((started >> at) & 1) === 1 }))
      if (filed.length === 0) return
      const taken = new Set(filed.map(({ key }) => key))
      const { parts, superseded } = remakeParts(whole, filed, { limits, before, isKeyTaken: (key) => taken.has(key) })
      const fixed = filed.filter(({ isFixed }) => isFixed)
      const keys = parts.map(({ key }) => key)
      expect(new Set([...keys, ...superseded, ...fixed.map(({ key }) => key)]).size).toBe(
        keys.length + superseded.length + fixed.length,
      )
      const all: FiledPart[] = [...fixed, ...parts.map((part) => ({ ...part, isFixed: false }))]
      if (all.length === 0) return
      remade++
      expect(partsMatchWhole(whole, all)).toBe(true)
      const shared = new Set(filesOf({ files_to_modify: whole.files_to_modify ?? [] }))
      const files = parts.flatMap(filesOf).filter((file) => !shared.has(file))
      expect(new Set(files).size).toBe(files.length)
      expect(files.filter((file) => fixed.some((part) => filesOf(part).includes(file)))).toEqual([])
      expect(parts.map(({ after }) => after)).toEqual(keys.map((_, at) => keys.slice(Math.max(0, at - 1), at)))
      for (const { unsplittable, ...part } of parts) {
        const { total } = scoreTask(part, { limits, isPartOfClear: hasCriteria(whole) })
        expect(unsplittable === null).toBe(total <= limits.complexity_threshold)
      }
    }),
    { numRuns: 150 },
  )
  expect(remade).toBeGreaterThan(0)
})
