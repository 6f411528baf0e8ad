import { expect, test } from 'bun:test'
import { aLayer, inFile } from '../../../test/config/config-layer.ts'
import { TASK_TYPES } from '../task/task.ts'
import { commonSettings, effective, effectiveFor, typesThatDiffer } from './effective.ts'
import { mergeLayers } from './merge-layers.ts'

test('a type’s own value beats the common one, which beats the built-in one, whatever the sources', () => {
  const files = ['own.yaml', '.project-config.json', 'gza.yaml']
  const keys = ['defaults.model', 'task_types.plan.model']
  for (let chosen = 0; chosen < 1 << 6; chosen++) {
    const entries = files.map((file, at) =>
      keys.filter((_, key) => chosen & (1 << (at * 2 + key))).map((key) => ({ file, key })),
    )
    const layers = files.map((file, at) =>
      aLayer(file, Object.fromEntries(entries[at]!.map(({ key }) => [key, `${file} ${key}`]))),
    )
    const strongest = (key: string) => entries.flat().findLast((one) => one.key === key)
    const expected = strongest('task_types.plan.model') ?? strongest('defaults.model')
    const { model, origins } = effective(mergeLayers(layers), 'plan')
    expect(model).toBe(expected === undefined ? null : `${expected.file} ${expected.key}`)
    expect(origins.model).toMatchObject(expected === undefined ? { kind: 'built-in' } : { file: expected.file })
  }
})

test('a type that sets nothing, or is not there at all, gets the common values', () => {
  const config = mergeLayers([
    aLayer('gza.yaml', { 'defaults.max_turns': 50, land: 'squash', 'task_types.plan.land': 'merge' }),
  ])
  expect(effective(config, 'implement')).toEqual(commonSettings(config))
  expect(effective(config, 'implement')).toMatchObject({
    ...{ max_turns: 50, land: 'squash', timeout_minutes: 60 },
    origins: { max_turns: inFile('gza.yaml', 1), land: inFile('gza.yaml', 2), timeout_minutes: { kind: 'built-in' } },
  })
  expect(effective(config, 'plan')).toMatchObject({ land: 'merge', origins: { land: inFile('gza.yaml', 3) } })
})

test('a reviewer is the agent with its model, unless another is named: the model of one client means nothing to another', () => {
  const model = { 'defaults.model': 'opus' }
  const reviewer = (values: Record<string, string>) => {
    const { review_agent, review_model } = effective(mergeLayers([aLayer('gza.yaml', { ...model, ...values })]), 'task')
    return [review_agent, review_model]
  }
  expect(reviewer({})).toEqual(['claude', 'opus'])
  expect(reviewer({ 'defaults.review_model': 'sonnet' })).toEqual(['claude', 'sonnet'])
  expect(reviewer({ 'defaults.review_agent': 'codex' })).toEqual(['codex', null])
  expect(reviewer({ 'defaults.review_agent': 'codex', 'defaults.review_model': 'gpt' })).toEqual(['codex', 'gpt'])
  expect(reviewer({ 'task_types.task.agent': 'codex' })).toEqual(['codex', 'opus'])
  expect(reviewer({ 'defaults.review_agent': 'claude' })).toEqual(['claude', 'opus'])
})

test('an agent called in place of the usual one also reviews its own work, unless a reviewer is named, even the usual one', () => {
  const reviewer = (values: Record<string, string>, called: { agent: string; model?: string }) => {
    const config = mergeLayers([aLayer('gza.yaml', { 'defaults.model': 'opus', ...values })])
    const { agent, model, review_agent, review_model } = effectiveFor(config, 'task', called)
    return [agent, model, review_agent, review_model]
  }
  const codex = { agent: 'codex', model: 'gpt' }
  expect(reviewer({}, codex)).toEqual(['codex', 'gpt', 'codex', 'gpt'])
  expect(reviewer({}, { agent: 'codex' })).toEqual(['codex', 'opus', 'codex', 'opus'])
  expect(reviewer({ 'defaults.review_model': 'gpt-review' }, codex)).toEqual(['codex', 'gpt', 'codex', 'gpt-review'])
  expect(reviewer({ 'defaults.review_agent': 'claude' }, codex)).toEqual(['codex', 'gpt', 'claude', null])
  expect(reviewer({ 'task_types.task.review_agent': 'codex' }, codex)).toEqual(['codex', 'gpt', 'codex', 'gpt'])
})

test('types differ in what they set themselves and in what follows from it', () => {
  const config = mergeLayers([
    aLayer('gza.yaml', { 'task_types.review.model': 'sonnet', 'task_types.plan.max_attempts': 3 }),
  ])
  expect(typesThatDiffer(config, 'model')).toEqual(['review'])
  expect(typesThatDiffer(config, 'review_model')).toEqual(['review'])
  expect(typesThatDiffer(config, 'max_attempts')).toEqual(['plan'])
  expect(typesThatDiffer(config, 'land')).toEqual([])
  expect(TASK_TYPES.map((type) => effective(config, type).max_attempts)).toEqual([3, 3, 3, 3, 3, 3])
})
