import { expect, test } from 'bun:test'
import { aLayer, inFile } from '../../../test/config/config-layer.ts'
import { BUILT_IN } from './built-in.ts'
import { mergeLayers } from './merge-layers.ts'
import { originOf } from './settings.ts'

test('without any source everything is built in, and no model is chosen', () => {
  const config = mergeLayers([])
  expect(config).toEqual(BUILT_IN)
  expect(config.defaults.model).toBeNull()
  expect(originOf(config, 'defaults.agent')).toEqual({ kind: 'built-in' })
})

test('sources are merged key by key, the last one wins', () => {
  const config = mergeLayers([
    aLayer('own.yaml', { parallel_workers: 2, 'verify.command': 'make', 'task_types.plan.model': 'small' }),
    aLayer('gza.yaml', { 'verify.timeout_minutes': 0.5, 'verify.command': 'npm test', 'task_types.plan.max_turns': 9 }),
  ])
  expect(config.verify).toEqual({ ...BUILT_IN.verify, command: 'npm test', timeout_minutes: 0.5 })
  expect(config.task_types).toEqual({ plan: { max_filed_tasks: 200, model: 'small', max_turns: 9 } })
  expect(config.parallel_workers).toBe(2)
  expect(originOf(config, 'verify.command')).toEqual(inFile('gza.yaml', 2))
  expect(originOf(config, 'task_types.plan.model')).toEqual(inFile('own.yaml', 3))
})

test('a network that one source has turned off stays off', () => {
  const off = aLayer('own.yaml', { 'verify.network': 'off' })
  for (const layers of [
    [off, aLayer('gza.yaml', { 'verify.network': 'on' })],
    [aLayer('gza.yaml', {}), off],
  ]) {
    const config = mergeLayers(layers)
    expect(config.verify.network).toBe('off')
    expect(originOf(config, 'verify.network')).toEqual(inFile('own.yaml', 1))
  }
})

test('an agent comes from the strongest source only: no variable of another file reaches its command', () => {
  const config = mergeLayers([
    aLayer('own.yaml', { 'agents.aider.command': 'aider', 'agents.aider.stdin': true, 'agents.aider.env.KEY': 'k' }),
    aLayer('gza.yaml', { 'agents.aider.command': 'aider --yes' }),
  ])
  expect(config.agents.get('aider')).toEqual({ command: 'aider --yes', stdin: false, env: {} })
  expect([...config.origins]).toEqual([['agents.aider.command', inFile('gza.yaml', 1)]])
})

test('both names of a setting are one setting', () => {
  const config = mergeLayers([
    aLayer('own.yaml', { 'defaults.max_attempts': 5, 'task_size_limits.max_criteria_per_task': 9 }),
    aLayer('gza.yaml', { 'retry.max_attempts': 2, 'task_size_limits.max_acceptance_criteria': 4 }),
  ])
  expect(config.defaults.max_attempts).toBe(2)
  expect(config.task_size_limits.max_criteria_per_task).toBe(4)
  expect(originOf(config, 'defaults.max_attempts')).toEqual(inFile('gza.yaml', 1))
})
