import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Check, nextCheck } from './next-check.ts'

test('the whole batch is verified first, and lands when it is green', () => {
  expect(nextCheck(8, new Map())).toEqual({ kind: 'verify', length: 8 })
  expect(nextCheck(8, new Map([[8, true]]))).toEqual({ kind: 'land', length: 8 })
})

test('the branch that turns a green tree red is found by bisection, and the branches before it may land', () => {
  expect(nextCheck(8, new Map([[8, false]]))).toEqual({ kind: 'verify', length: 4 })
  const halves: [number, boolean][] = [
    [8, false],
    [4, true],
    [6, false],
    [5, true],
  ]
  expect(nextCheck(8, new Map(halves))).toEqual({ kind: 'failing', index: 5 })
})

test('the first branch is refused only after the base was verified as green', () => {
  expect(nextCheck(1, new Map([[1, false]]))).toEqual({ kind: 'verify', length: 0 })
  const red: [number, boolean] = [1, false]
  expect(nextCheck(1, new Map([red, [0, true]]))).toEqual({ kind: 'failing', index: 0 })
  expect(nextCheck(1, new Map([red, [0, false]]))).toEqual({ kind: 'base-red' })
})

interface World {
  branches: number
  batch: number
  red: number[]
  clashes: [number, number][]
}

const anyWorld: fc.Arbitrary<World> = fc.integer({ min: 1, max: 24 }).chain((branches) => {
  const any = fc.nat(branches - 1)
  return fc.record({
    branches: fc.constant(branches),
    batch: fc.integer({ min: 1, max: 9 }),
    red: fc.uniqueArray(any, { maxLength: 3 }),
    clashes: fc.array(fc.tuple(any, any), { maxLength: 8 }),
  })
})

test('for any conflicts, each landed tree was verified, every other branch lands, and few checks are needed', () => {
  fc.assert(
    fc.property(anyWorld, (world) => {
      const { landed, returned, checks, tips } = landAll(world)
      expect([...landed, ...returned].toSorted((a, b) => a - b)).toEqual([...Array(world.branches).keys()])
      for (const tip of tips) expect(isGreen(world, tip)).toBe(true)
      const suspects = new Set([...world.red, ...world.clashes.flat()])
      expect(returned.filter((branch) => !suspects.has(branch))).toEqual([])
      for (const branch of returned) expect(isGreen(world, [...landed, branch])).toBe(false)
      const halvings = Math.ceil(Math.log2(world.batch)) + 2
      expect(checks).toBeLessThanOrEqual(Math.ceil(world.branches / world.batch) + returned.length * (halvings + 1) + 1)
    }),
    { numRuns: 500 },
  )
})

/** Green unless a branch is red by itself, or two conflicting branches are both in it. */
function isGreen({ red, clashes }: World, tree: readonly number[]): boolean {
  const has = (branch: number) => tree.includes(branch)
  return !red.some(has) && !clashes.some(([a, b]) => a !== b && has(a) && has(b))
}

/** The queue as the engine runs it, with trees that are sets of works. */
function landAll(world: World) {
  const queue = [...Array(world.branches).keys()]
  const landed: number[] = []
  const returned: number[] = []
  const tips: number[][] = []
  let checks = 0
  while (queue.length > 0) {
    const batch = queue.slice(0, world.batch)
    const verified = new Map<number, boolean>()
    const step = (): Check => {
      const check = nextCheck(batch.length, verified)
      if (check.kind !== 'verify') return check
      checks++
      verified.set(check.length, isGreen(world, [...landed, ...batch.slice(0, check.length)]))
      return step()
    }
    const end = step()
    if (end.kind !== 'land' && end.kind !== 'failing') throw new Error('the base is never red here')
    const length = end.kind === 'land' ? end.length : end.index
    landed.push(...queue.splice(0, length))
    if (length > 0) tips.push([...landed])
    if (end.kind === 'failing') returned.push(...queue.splice(0, 1))
  }
  return { landed, returned, checks, tips }
}
