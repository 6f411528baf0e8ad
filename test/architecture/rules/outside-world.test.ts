import { expect, test } from 'bun:test'
import { outsideWorldUses } from './outside-world.ts'

test('only platform and the entry point see the environment, processes and files', () => {
  const text = "const home = process.env.HOME\nBun.spawn(['true'])"
  expect(uses('src/engine/a.ts', text)).toEqual([
    'src/engine/a.ts:1: only platform reads the environment; use ws.env',
    'src/engine/a.ts:2: only platform spawns processes and touches files',
  ])
  expect(uses('src/platform/a.ts', text)).toEqual([])
  expect(uses('src/main.ts', text)).toEqual([])
})

test('there is one clock, that of platform; durations may be measured anywhere', () => {
  for (const line of ['Date.now()', 'new Date()', `at(\`\${new Date().getTime()}\`)`]) {
    expect(uses('src/scheduler/a.ts', line)).toEqual([
      'src/scheduler/a.ts:1: only platform reads the clock; use ws.now()',
    ])
    expect(uses('src/platform/a.ts', line)).toEqual([])
  }
  expect(uses('src/scheduler/a.ts', 'new Date(at)\nperformance.now()\n// Date.now() is for platform')).toEqual([])
})

test('core has neither a clock nor randomness', () => {
  const lines = ['Date.now()', 'new Date()', 'Math.random()', 'crypto.randomUUID()', 'performance.now()']
  for (const line of lines) {
    expect(uses('src/core/a.ts', line)).toEqual(['src/core/a.ts:1: core takes time and randomness as arguments'])
  }
  expect(uses('src/core/a.ts', "new Date(at)\n/* Date.now() */ say('new Date()')")).toEqual([])
})

function uses(path: string, text: string): string[] {
  return outsideWorldUses([{ path, text }])
}
