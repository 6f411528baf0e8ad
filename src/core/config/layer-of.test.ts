import { expect, test } from 'bun:test'
import { inFile } from '../../../test/config/config-layer.ts'
import { contradiction, type Leaf, layerOf } from './layer-of.ts'

const leaf = (key: string, value: Leaf['value'], line: number): Leaf => ({
  key,
  value,
  origin: inFile('gza.yaml', line),
})

test('values nest by their keys and keep their positions', () => {
  const leaves = [leaf('verify.command', 'make', 2), leaf('verify.timeout_minutes', 1.5, 3), leaf('land', 'merge', 4)]
  expect(layerOf(leaves)).toEqual({
    values: { verify: { command: 'make', timeout_minutes: 1.5 }, land: 'merge' },
    origins: new Map(leaves.map(({ key, origin }) => [key, origin])),
  })
})

test('a name that every object has is a name like any other', () => {
  const { values } = layerOf([leaf('agents.constructor.command', 'x', 1)])
  expect(Object.entries(values.agents ?? {})).toEqual([['constructor', { command: 'x' }]])
})

test('two names of one setting contradict each other only if their values differ', () => {
  const [one, same, other] = [
    leaf('retry.max_attempts', 2, 1),
    leaf('defaults.max_attempts', 2, 2),
    leaf('defaults.max_attempts', 3, 2),
  ] as const
  expect(contradiction([one, same])).toBeNull()
  expect(contradiction([one, other])).toEqual([one, other])
})
