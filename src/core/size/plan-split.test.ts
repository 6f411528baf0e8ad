import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { anySized } from '../../../test/support/arbitrary-sized.ts'
import { BUILT_IN } from '../config/built-in.ts'
import { filesOf, hasCriteria, type Sized, scoreTask } from './complexity.ts'
import { type Part, planSplit, type SplitOptions } from './plan-split.ts'
import { STRATEGIES } from './strategies.ts'

const limits = BUILT_IN.task_size_limits

function split(task: Sized & { key?: string }, options: Partial<SplitOptions> = {}) {
  const all = { limits, ...options }
  return planSplit({ key: 'T1', ...task }, scoreTask(task, all), all)
}

function partsOf(task: Sized & { key?: string }, options: Partial<SplitOptions> = {}): Part[] {
  const plan = split(task, options)
  return plan.kind === 'split' ? plan.parts : []
}

const files = (count: number, folder = 'src') => Array.from({ length: count }, (_, n) => `${folder}/f${n}.ts`)

const T1 = {
  title: 'Discounts for orders',
  content:
    'An async job with an algorithm for discounts, behind authentication; integrate the price service in one transaction. ' +
    'Make it robust, for various customers.',
  acceptance_criteria: [
    'C1: discounts are stored in a table of their own',
    'C2: a discount is calculated once for each order and validated',
    'C3: a unique column names the discount',
    'C4: the page shows the discount',
  ],
  files_to_create: ['src/models/discount.ts', 'src/services/discount.ts', 'src/views/discount.ts'],
  files_to_modify: ['src/models/order.ts', 'src/services/order.ts', 'src/views/order.ts'],
}

test('a large task becomes a chain of parts by layer, from data to presentation', () => {
  const score = scoreTask(T1, { limits })
  expect(score).toMatchObject({
    ...{ total: 8.5, level: 'HIGH' },
    components: { file_scope: 3, cross_file_deps: 2, semantic_complexity: 2.5, requirement_uncertainty: 1 },
  })
  const plan = split(T1)
  expect(plan).toMatchObject({ kind: 'split', strategy: 'layers', dominant: 'cross_file_deps' })
  const criteria = (part: Part) => part.acceptance_criteria?.map((text) => text.slice(0, 2))
  expect(partsOf(T1).map((part) => [part.key, part.title, filesOf(part), criteria(part), part.after])).toEqual([
    [
      ...['T1-a', 'Discounts for orders: data layer', ['src/models/discount.ts', 'src/models/order.ts']],
      ...[['C1', 'C3'], []],
    ],
    [
      ...['T1-b', 'Discounts for orders: business layer', ['src/services/discount.ts', 'src/services/order.ts']],
      ...[['C2'], ['T1-a']],
    ],
    [
      ...['T1-c', 'Discounts for orders: presentation layer', ['src/views/discount.ts', 'src/views/order.ts']],
      ...[['C4'], ['T1-b']],
    ],
  ])
})

test('a part names its whole and the command that shows it', () => {
  expect(partsOf(T1)[1]?.content).toBe(
    `Discounts for orders: business layer

Part 2 of 3 of T1: Discounts for orders
Do this part alone. gza show T1 prints the whole.`,
  )
})

describe('what is kept whole', () => {
  test('a task at the threshold', () => {
    expect(split({ title: 'x', acceptance_criteria: ['y'], files_to_create: files(10) })).toEqual({ kind: 'keep' })
  })

  test('a task that cannot be divided', () => {
    const content = 'async jwt algorithm migration webhooks caching, maybe somehow'
    expect(split({ title: 'x', content, files_to_modify: ['a.ts'] })).toEqual({
      kind: 'unsplittable',
      why: 'it has fewer than two files and fewer than two acceptance criteria',
    })
  })

  test('a task whose title alone is too much: no part would be smaller', () => {
    const title = 'Maybe async jwt algorithm migration webhooks caching, somehow better etc'
    expect(split({ title, files_to_modify: files(3), acceptance_criteria: ['a', 'b'] })).toEqual({
      kind: 'unsplittable',
      why: 'each of its parts would still score above 5',
    })
  })
})

describe('by files', () => {
  test('folders stay whole, and a file stays with its test, wherever the test is', () => {
    const sources = [...files(4, 'a'), ...files(4, 'b'), ...files(4, 'c')]
    const task = { title: 'x', acceptance_criteria: ['y'], files_to_create: sources, test_files: ['test/f3.test.ts'] }
    const parts = partsOf(task, { strategy: 'files' })
    expect(parts.map(({ title }) => title)).toEqual(['x: a', 'x: b and c'])
    expect(parts[0]?.test_files).toEqual(['test/f3.test.ts'])
  })

  test('a folder with too many files is divided, and its parts are numbered', () => {
    const parts = partsOf({ title: 'x async', acceptance_criteria: ['y'], files_to_create: files(24) })
    expect(parts.map(({ title }) => title)).toEqual([1, 2, 3].map((n) => `x async: src (${n})`))
  })

  test('a task with a low score is split on request', () => {
    const parts = partsOf({ title: 'x', files_to_create: ['a/b.ts', 'c/d.ts'] }, { strategy: 'files' })
    expect(parts.map(filesOf)).toEqual([['a/b.ts'], ['c/d.ts']])
  })
})

/** What an agent's plan looks like: ten files in five folders, and criteria that name none of them. */
const ACCOUNTS = {
  title: 'User accounts',
  files_to_create: [
    ...['src/ui/LoginPage.tsx', 'src/ui/SignupPage.tsx', 'src/ui/Profile.tsx', 'src/api/users.ts', 'src/api/auth.ts'],
    ...['src/db/schema.ts', 'src/db/migrations/001_users.sql', 'src/models/user.ts', 'src/services/mail.ts'],
  ],
  test_files: ['tests/user.test.ts', 'tests/auth.test.ts'],
  acceptance_criteria: [
    ...['The database keeps rows', 'POST /users returns 201', 'The page shows an error', 'A mail is sent at once'],
    'All of it is documented',
  ],
}

describe('criteria', () => {
  const shapeOf = (part: Part) => [part.title, part.acceptance_criteria]

  test('go to the part that they mention, both by files and by layers, and the parts are in the order of building', () => {
    const tight = { ...limits, complexity_threshold: 3 }
    expect(partsOf(ACCOUNTS, { strategy: 'files', limits: tight }).map(shapeOf)).toEqual([
      ['User accounts: src/db and src/models', ['The database keeps rows']],
      ['User accounts: src/services and src/api', ['POST /users returns 201', 'A mail is sent at once']],
      ['User accounts: src/ui', ['The page shows an error', 'All of it is documented']],
    ])
    expect(partsOf(ACCOUNTS, { strategy: 'layers' }).map(shapeOf)).toEqual([
      ['User accounts: data layer', ['The database keeps rows']],
      ['User accounts: business layer', ['A mail is sent at once']],
      [
        'User accounts: presentation layer',
        ['POST /users returns 201', 'The page shows an error', 'All of it is documented'],
      ],
    ])
  })

  test('that fit several parts equally go to the one with the fewest', () => {
    const task = { title: 'x', acceptance_criteria: ['p', 'q', 'r'], files_to_create: ['m/b', 'n/d', 'o/f'] }
    const tight = { ...limits, complexity_threshold: 0.5 }
    const parts = partsOf(task, { strategy: 'files', limits: tight })
    expect(parts.map((part) => part.acceptance_criteria?.length)).toEqual([1, 1, 1])
  })

  test('of the whole apply to a part that received none: the split does not make it less clear', () => {
    const task = { title: 'x', acceptance_criteria: ['No call is left'], files_to_modify: files(12) }
    expect(partsOf(task).map((part) => [part.acceptance_criteria?.length, part.isUnsplittable])).toEqual([
      [0, false],
      [1, false],
    ])
  })
})

test('a folder is divided if another comes between its files, and the entry that connects all of them comes last', () => {
  const parts = partsOf(
    {
      title: 'Orders',
      acceptance_criteria: ['y'],
      files_to_create: [
        ...['cmd/main.go', 'orders/OrderController.go', 'orders/OrderService.go', 'orders/OrderRepository.go'],
        ...['db/002.sql', 'docs/api.md'],
      ],
      test_files: ['orders/OrderService_test.go'],
    },
    { strategy: 'files', limits: { ...limits, complexity_threshold: 2 } },
  )
  expect(parts.map((part) => [part.title, filesOf(part)])).toEqual([
    ['Orders: orders (1) and db', ['orders/OrderRepository.go', 'db/002.sql']],
    ['Orders: orders (2)', ['orders/OrderController.go', 'orders/OrderService.go', 'orders/OrderService_test.go']],
    ['Orders: cmd and docs', ['cmd/main.go', 'docs/api.md']],
  ])
})

test('a part that cannot be divided is marked', () => {
  const task = { title: 'Async jwt', acceptance_criteria: ['a', 'b'], files_to_create: ['m/b', 'n/d'] }
  const plan = partsOf(task, { strategy: 'files', limits: { ...limits, complexity_threshold: 1 } })
  expect(plan.map(({ unsplittable }) => unsplittable)).toEqual(
    Array(2).fill('it has fewer than two files and fewer than two acceptance criteria'),
  )
})

test('by criteria: an existing file is in each part that has no other file, because each changes it', () => {
  const task = { title: 'Take it apart', acceptance_criteria: ['users are out', 'orders are out'] }
  const parts = (scope: Sized) => partsOf({ ...task, ...scope }, { strategy: 'criteria' }).map(filesOf)
  expect(parts({ files_to_modify: ['src/god.ts'] })).toEqual([['src/god.ts'], ['src/god.ts']])
  expect(parts({ files_to_create: ['src/god.ts'] })).toEqual([['src/god.ts'], []])
})

test('by criteria: each goes with the files it mentions, and files that none mentions are done first', () => {
  const parts = partsOf(
    {
      title: 'Shop',
      acceptance_criteria: ['the cart has a sum', 'orders can be cancelled'],
      files_to_create: ['src/config.ts', 'src/cart.ts', 'src/orders.ts'],
    },
    { strategy: 'criteria' },
  )
  expect(parts.map((part) => [part.title, filesOf(part)])).toEqual([
    ['Shop: the cart has a sum', ['src/config.ts', 'src/cart.ts']],
    ['Shop: orders can be cancelled', ['src/orders.ts']],
  ])
})

test('names of other tasks are skipped, and aa comes after z', () => {
  const task = { title: 'x', acceptance_criteria: Array.from({ length: 30 }, (_, n) => `async jwt ${n}`) }
  const keys = partsOf(
    { title: 'x', files_to_create: ['a/b', 'c/d'] },
    {
      strategy: 'files',
      isKeyTaken: (key) => key === 'T1-a',
    },
  ).map(({ key }) => key)
  expect(keys).toEqual(['T1-b', 'T1-c'])
  const tight = { ...limits, complexity_threshold: 0.5 }
  expect(partsOf(task, { limits: tight, strategy: 'criteria' }).at(-1)?.key).toBe('T1-ad')
})

const anyOptions = fc.record({
  strategy: fc.option(fc.constantFrom(...STRATEGIES), { nil: undefined }),
  limits: fc.record({ complexity_threshold: fc.constantFrom(0, 1, 2, 5), max_input_tokens: fc.constantFrom(50, 6000) }),
})

test('in any split the union of the parts is the whole, nothing is there twice, the parts form one chain, and each is small enough or marked', () => {
  let splits = 0
  fc.assert(
    fc.property(anySized, anyOptions, (task, { strategy, limits: own }) => {
      const options = { strategy, limits: { ...limits, ...own } }
      const plan = split(task, options)
      expect(split(structuredClone(task), options)).toEqual(plan)
      if (plan.kind !== 'split') return
      splits++
      const { parts } = plan
      expect(parts.length).toBeGreaterThan(1)
      const shared = new Set(filesOf({ files_to_modify: task.files_to_modify ?? [] }))
      const once = (files: string[]) => files.filter((file) => !shared.has(file)).toSorted()
      expect(once(parts.flatMap(filesOf))).toEqual(once(filesOf(task)))
      expect(new Set(parts.flatMap(filesOf))).toEqual(new Set(filesOf(task)))
      for (const list of ['files_to_create', 'files_to_modify', 'test_files'] as const)
        expect(new Set(parts.flatMap((part) => part[list] ?? []))).toEqual(new Set(filesOf({ [list]: task[list] })))
      const criteria = parts.flatMap((part) => part.acceptance_criteria ?? [])
      expect(criteria.toSorted()).toEqual((task.acceptance_criteria ?? []).toSorted())
      expect(new Set(parts.map(({ key }) => key)).size).toBe(parts.length)
      expect(parts.map(({ after }) => after)).toEqual([[], ...parts.slice(0, -1).map(({ key }) => [key])])
      for (const part of parts) {
        const { total } = scoreTask(part, { ...options, isPartOfClear: hasCriteria(task) })
        expect(total > options.limits.complexity_threshold).toBe(part.isUnsplittable)
        expect(part.unsplittable === null).toBe(!part.isUnsplittable)
        expect([...part.title].length).toBeLessThanOrEqual(80)
      }
    }),
    { numRuns: 100 },
  )
  expect(splits).toBeGreaterThan(0)
})
