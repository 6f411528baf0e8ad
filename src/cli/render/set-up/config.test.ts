import { expect, test } from 'bun:test'
import { GZA } from '../../../../test/cli/displays.ts'
import { COLOURED } from '../../terminal/style.ts'
import { renderSettings } from './config.ts'

test('key, value and origin in columns; what is not set is a dash', () => {
  const lines = renderSettings(
    [
      { key: 'ledger', value: null, origin: { kind: 'built-in' } },
      { key: 'defaults.model', value: 'opus', origin: { kind: 'user', file: '/home/x/config.yaml', line: 3 } },
      { key: 'agents.a.env', value: ['A', 'B'], origin: { kind: 'project', file: 'gza.yaml', line: 1 } },
      { key: 'agents.b.env', value: [], origin: { kind: 'environment', name: 'GZA_X' } },
    ],
    GZA,
  )
  expect([...lines]).toEqual([
    'ledger          -     built in',
    'defaults.model  opus  /home/x/config.yaml:3',
    'agents.a.env    A, B  gza.yaml:1',
    'agents.b.env    -     GZA_X',
  ])
})

test('one long value moves only its own origin, and no escape reaches the terminal', () => {
  const lines = renderSettings(
    [
      {
        key: 'verify.command',
        value: `\x1b[2J${'x'.repeat(60)}`,
        origin: { kind: 'project', file: 'gza.yaml', line: 1 },
      },
      { key: 'land', value: 'branch', origin: { kind: 'built-in' } },
    ],
    GZA,
  )
  expect([...lines]).toEqual([
    `verify.command  \\x1b[2J${'x'.repeat(60)}  gza.yaml:1`,
    `land            branch${' '.repeat(42)}  built in`,
  ])
})

test('with colour, what is built in steps back', () => {
  const [line] = renderSettings([{ key: 'land', value: 'branch', origin: { kind: 'built-in' } }], {
    ...GZA,
    style: COLOURED,
  })
  expect(line).toBe('\x1b[2mland  branch  built in\x1b[22m')
})
