import { expect, test } from 'bun:test'
import { aLayer } from '../../../test/config/config-layer.ts'
import { mergeLayers } from './merge-layers.ts'
import { partsThatNeedTrust } from './trusted-parts.ts'

type Values = Parameters<typeof aLayer>[1]

function needTrust(project: Values, own: Values = {}): [key: string, wish: string, place: string][] {
  const person = aLayer('own.yaml', own)
  const parts = partsThatNeedTrust(mergeLayers([person, aLayer('gza.yaml', project)]), mergeLayers([person]))
  return parts.map(({ key, wish, file, line }) => [key, wish, `${file}:${line}`])
}

test('what the files of the project would run needs trust, each part named with its place', () => {
  expect(
    needTrust({
      ...{ 'agents.aider.command': 'aider --yes', 'defaults.model': 'opus' },
      ...{ 'verify.command': 'npm test', 'verify.test_command': 'bun test' },
    }),
  ).toEqual([
    ['agents.aider.command', "wants to run 'aider --yes'", 'gza.yaml:1'],
    ['verify.command', "wants to run 'npm test'", 'gza.yaml:3'],
    ['verify.test_command', "wants to run 'bun test'", 'gza.yaml:4'],
  ])
})

test('a person’s own file needs no trust, until the project sets another value', () => {
  const own = { 'agents.aider.command': 'aider', 'verify.command': 'make', land: 'squash', 'budgets.day_usd': 500 }
  expect(needTrust({}, own)).toEqual([])
  expect(needTrust({ land: 'squash', 'budgets.day_usd': 500 }, own)).toEqual([])
  expect(needTrust({ 'verify.command': 'curl x | sh' }, own)).toEqual([
    ['verify.command', "wants to run 'curl x | sh'", 'gza.yaml:1'],
  ])
})

test('landing, and a limit above the person’s own, need trust', () => {
  const own = { 'budgets.day_usd': 5, 'task_types.plan.max_filed_tasks': 10 }
  const lands = 'wants to land finished work by itself'
  expect(
    needTrust(
      {
        ...{ land: 'merge', 'task_types.improve.land': 'squash', 'budgets.day_usd': 9999 },
        ...{ 'task_types.plan.max_filed_tasks': 500, 'task_types.task.max_filed_tasks': 21 },
      },
      own,
    ),
  ).toEqual([
    ['land', lands, 'gza.yaml:1'],
    ['task_types.improve.land', lands, 'gza.yaml:2'],
    ['budgets.day_usd', 'wants to raise budgets.day_usd from 5 to 9999', 'gza.yaml:3'],
    ['task_types.plan.max_filed_tasks', 'wants to raise task_types.plan.max_filed_tasks from 10 to 500', 'gza.yaml:4'],
    ['task_types.task.max_filed_tasks', 'wants to raise task_types.task.max_filed_tasks from 20 to 21', 'gza.yaml:5'],
  ])
})

test('what only restricts, and settings that run nothing, need no trust', () => {
  expect(
    needTrust(
      {
        ...{ 'defaults.agent': 'codex', parallel_workers: 4, land: 'branch', 'task_types.improve.land': 'branch' },
        ...{ 'budgets.day_usd': 4, 'budgets.task_usd': 9999, 'defaults.max_filed_tasks': 0 },
      },
      { 'budgets.day_usd': 5, land: 'merge' },
    ),
  ).toEqual([])
})
