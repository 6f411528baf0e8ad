import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { anySized } from '../../../test/support/arbitrary-sized.ts'
import { BUILT_IN } from '../config/built-in.ts'
import { COMPONENTS, dominantComponent, MAXIMA, type Sized, scoreTask } from './complexity.ts'

const limits = BUILT_IN.task_size_limits
const score = (task: Sized, imports?: Map<string, string[]>) => scoreTask(task, { limits, imports })
const files = (count: number, folder = 'src') => Array.from({ length: count }, (_, n) => `${folder}/f${n}.ts`)
const clear: Sized = { title: 'Add a command', acceptance_criteria: ['It prints its version'] }

test('a clear task that touches no files scores nothing', () => {
  expect(score(clear)).toEqual({
    total: 0,
    threshold: 5,
    level: 'LOW',
    action: 'Safe for autonomous execution',
    components: {
      file_scope: 0,
      cross_file_deps: 0,
      semantic_complexity: 0,
      requirement_uncertainty: 0,
      token_penalty: 0,
    },
    reasons: {
      file_scope: [],
      cross_file_deps: [],
      semantic_complexity: [],
      requirement_uncertainty: [],
      token_penalty: [],
    },
    estimated_tokens: 9,
  })
})

describe('file_scope', () => {
  test('each file is half a point, however often it is named and however it is spelled', () => {
    const task = { ...clear, files_to_create: ['src/a.ts'], files_to_modify: ['./src/a.ts', 'src//b.ts'] }
    expect(score({ ...task, test_files: ['src/a.test.ts'] }).components.file_scope).toBe(1.5)
  })

  test('more than ten files are five points', () => {
    const { components, reasons } = score({ ...clear, files_to_create: files(14) })
    expect([components.file_scope, reasons.file_scope]).toEqual([5, ['+7.0 14 files', 'at most 5.0']])
  })
})

describe('cross_file_deps', () => {
  const coupling = (paths: string[], imports?: Map<string, string[]>) => {
    const { components, reasons } = score({ ...clear, files_to_modify: paths }, imports)
    return [components.cross_file_deps, ...reasons.cross_file_deps]
  }

  test('files of one folder that do not import each other are not coupled', () => {
    expect(coupling(files(6))).toEqual([0])
  })

  test('two folders are half a point, three a whole one; layers as well', () => {
    expect(coupling(['a/x.ts', 'b/x.ts'])).toEqual([0.5, '+0.5 2 folders: a, b'])
    expect(coupling(['src/models/a.ts', 'src/services/a.ts', 'src/views/a.ts'])).toEqual([
      ...[2, '+1.0 3 folders: src/models, src/services, src/views'],
      '+1.0 3 layers: data, business, presentation',
    ])
  })

  test('a file and its test elsewhere are not coupled', () => {
    expect(coupling(['src/a.ts', 'test/a.test.ts'])).toEqual([0])
  })

  test('imports between files of the task count, others do not', () => {
    const imports = new Map([['src/f0.ts', ['src/f1.ts', 'src/else.ts']]])
    expect(coupling(files(2), imports)).toEqual([0.5, '+0.5 1 import: src/f0.ts → src/f1.ts'])
  })
})

test('semantic_complexity: half a point for each idea, once, and three at most', () => {
  const of = (content: string) => score({ ...clear, content })
  expect(of('An async, asynchronous and parallel thing').reasons.semantic_complexity).toEqual([
    '+0.5 concurrency: async, asynchronous, parallel',
  ])
  expect(of('Authors write a profile; run the integration tests').components.semantic_complexity).toBe(0)
  const all = of('async algorithm, jwt, migrations, webhooks, transactions, caching, a parser, a rewrite')
  expect(all.components.semantic_complexity).toBe(3)
})

test('requirement_uncertainty: a point without criteria, half a point for each vague word, two at most', () => {
  const of = (task: Sized) => score(task).reasons.requirement_uncertainty
  expect(of({ title: 'Fix it' })).toEqual(['+1.0 no acceptance criteria'])
  expect(of({ ...clear, content: 'Make it better, somehow' })).toEqual(['+0.5 vague: better', '+0.5 vague: somehow'])
  expect(of({ title: 'Fix it', acceptance_criteria: ['TBD', '?'] })).toEqual([
    ...['+1.0 no acceptance criteria', '+0.5 vague: tbd', '+0.5 vague: ?'],
  ])
  expect(of({ title: 'Fix it', acceptance_criteria: ['It is red', '?'] })).toEqual(['+0.5 vague: ?'])
  expect(of({ title: 'Maybe better, etc.', acceptance_criteria: ['  '] })).toEqual([
    ...['+1.0 no acceptance criteria', '+0.5 vague: maybe', '+0.5 vague: better', '+0.5 vague: etc', 'at most 2.0'],
  ])
})

test('token_penalty: half a point above the budget, a whole one from half as much again', () => {
  const of = (tokens: number) => score({ ...clear, content: 'x'.repeat(tokens * 4) }).components.token_penalty
  expect([of(5900), of(6100), of(8900), of(9100)]).toEqual([0, 0.5, 0.5, 1])
})

test('levels begin at 5, 8 and 11', () => {
  const ideas = ['async', 'jwt', 'algorithm', 'migrations', 'webhooks', 'caching']
  const at = (count: number, hard: number) =>
    score({ ...clear, files_to_create: files(count), content: ideas.slice(0, hard).join(' ') })
  expect([at(9, 0), at(10, 0), at(10, 5), at(10, 6)].map(({ total, level }) => `${total} ${level}`)).toEqual([
    ...['4.5 LOW', '5 MEDIUM', '7.5 MEDIUM', '8 HIGH'],
  ])
  expect(score({ title: 'Maybe, somehow', content: ideas.join(' '), files_to_create: files(12) })).toMatchObject({
    ...{ total: 10, level: 'HIGH', action: 'Consider decomposition' },
  })
  const worst = { title: `Maybe, somehow ${ideas.join(' ')}`, files_to_modify: [...files(6), ...files(6, 'db')] }
  expect(score(worst)).toMatchObject({ total: 11.5, level: 'CRITICAL', action: 'Must decompose' })
})

test('the dominant component is the one nearest its own maximum', () => {
  const components = { file_scope: 3, cross_file_deps: 2, semantic_complexity: 2.5, requirement_uncertainty: 1 }
  expect(dominantComponent({ components: { ...components, token_penalty: 0 } })).toBe('cross_file_deps')
})

test('any task has the same score every time, no component above its maximum, and their sum as its total', () => {
  fc.assert(
    fc.property(anySized, (task) => {
      const { components, total, reasons } = score(task)
      expect(score(structuredClone(task))).toEqual(score(task))
      expect(total).toBe(COMPONENTS.reduce((sum, name) => sum + components[name], 0))
      for (const name of COMPONENTS) {
        expect(components[name]).toBeWithin(0, MAXIMA[name] + 0.1)
        expect(reasons[name].length > 0).toBe(components[name] > 0)
      }
    }),
    { numRuns: 200 },
  )
})
