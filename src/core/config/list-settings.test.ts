import { expect, test } from 'bun:test'
import { aLayer, inFile } from '../../../test/config/config-layer.ts'
import { SHOWN_KEYS } from './known-keys.ts'
import { findSettings, listSettings } from './list-settings.ts'
import { mergeLayers } from './merge-layers.ts'
import { canonicalKey } from './same-setting.ts'

const config = mergeLayers([
  aLayer('gza.yaml', {
    ...{ 'defaults.model': 'opus', 'task_types.review.model': 'sonnet', 'task_types.review.review_model': 'haiku' },
    ...{ 'agents.aider.command': 'aider', 'agents.aider.env.API_KEY': 'secret', 'agents.bare.command': 'bare' },
  }),
])

test('every key that can be configured is shown, and the same one only once', () => {
  const shown = listSettings(mergeLayers([])).map(({ key }) => key)
  expect(new Set(shown).size).toBe(shown.length)
  expect(
    SHOWN_KEYS.filter((key) => !key.startsWith('task_types.'))
      .map(canonicalKey)
      .filter((key) => !shown.includes(key)),
  ).toEqual([])
})

test('a type is listed if it differs', () => {
  expect(listSettings(config).filter(({ key }) => key.startsWith('task_types.'))).toEqual([
    { key: 'task_types.plan.max_filed_tasks', value: 200, origin: { kind: 'built-in' } },
    { key: 'task_types.review.model', value: 'sonnet', origin: inFile('gza.yaml', 2) },
    { key: 'task_types.review.review_model', value: 'haiku', origin: inFile('gza.yaml', 3) },
  ])
})

test('only the names of the variables of an agent are shown', () => {
  expect(findSettings(config, 'agents.aider.env')).toEqual([
    { key: 'agents.aider.env', value: ['API_KEY'], origin: inFile('gza.yaml', 5) },
  ])
  expect(findSettings(config, 'agents.bare.env')).toEqual([
    { key: 'agents.bare.env', value: [], origin: { kind: 'built-in' } },
  ])
  expect(JSON.stringify(listSettings(config))).not.toContain('secret')
})

test('a setting is found by its key, its section, its name, and its other name', () => {
  const keys = (asked: string) => findSettings(config, asked).map(({ key }) => key)
  expect(keys('defaults.model')).toEqual(['defaults.model'])
  expect(keys('verify')).toEqual([
    'verify.command',
    'verify.test_command',
    'verify.timeout_minutes',
    'verify.locks',
    'verify.network',
  ])
  expect(keys('model')).toEqual(['defaults.model', 'task_types.review.model'])
  expect(keys('retry.max_attempts')).toEqual(['defaults.max_attempts'])
  expect(keys('verif')).toEqual([])
})

test('for a type, all settings of its tasks are shown, inherited or not', () => {
  const review = findSettings(config, 'task_types.review')
  expect(review).toHaveLength(17)
  expect(findSettings(config, 'task_types.plan.model')).toEqual([
    { key: 'task_types.plan.model', value: 'opus', origin: inFile('gza.yaml', 1) },
  ])
})
