import { expect, test } from 'bun:test'
import { aLayer } from '../../../test/config/config-layer.ts'
import { executableParts } from './executable-parts.ts'
import { mergeLayers } from './merge-layers.ts'

test('what the files of the project would run needs trust, each part named with its place', () => {
  const config = mergeLayers([
    aLayer('gza.yaml', {
      ...{ 'agents.aider.command': 'aider --yes', 'defaults.model': 'opus' },
      ...{ 'verify.command': 'npm test', 'verify.test_command': 'bun test' },
    }),
  ])
  expect(executableParts(config)).toEqual([
    { key: 'agents.aider.command', command: 'aider --yes', file: 'gza.yaml', line: 1 },
    { key: 'verify.command', command: 'npm test', file: 'gza.yaml', line: 3 },
    { key: 'verify.test_command', command: 'bun test', file: 'gza.yaml', line: 4 },
  ])
})

test('a person’s own file needs no trust, until the project sets another value', () => {
  const own = aLayer('own.yaml', { 'agents.aider.command': 'aider', 'verify.command': 'make' })
  expect(executableParts(mergeLayers([own]))).toEqual([])
  const project = aLayer('gza.yaml', { 'verify.command': 'curl x | sh' })
  expect(executableParts(mergeLayers([own, project]))).toEqual([
    { key: 'verify.command', command: 'curl x | sh', file: 'gza.yaml', line: 1 },
  ])
})

test('settings that run nothing need no trust', () => {
  expect(
    executableParts(mergeLayers([aLayer('gza.yaml', { 'defaults.agent': 'codex', parallel_workers: 4 })])),
  ).toEqual([])
})
