import { expect, test } from 'bun:test'
import type { PhaseCall } from '../agent.ts'
import { customAgent } from './custom.ts'

const CALL: PhaseCall = { prompt: 'Do “it”\nnow', access: 'work', cwd: '/work/tree', isRoot: true }

test('the prompt is the last argument, whole', () => {
  const agent = customAgent({ command: `aider --yes --message` })
  expect(agent.name).toBe('aider')
  expect(agent.invoke(CALL)).toEqual({ argv: ['aider', '--yes', '--message', CALL.prompt], env: {} })
  expect(agent.invoke({ ...CALL, prompt: '-x' }).argv.at(-1)).toBe('-x')
  expect(agent.invoke({ ...CALL, prompt: 'a\0b' }).argv.at(-1)).toBe('ab')
})

test('the prompt goes to standard input if the configuration asks for it', () => {
  const agent = customAgent({ command: '"/opt/my tools/goose" run -i -', prompt: 'stdin' })
  expect(agent.name).toBe('goose')
  expect(agent.invoke(CALL)).toEqual({ argv: ['/opt/my tools/goose', 'run', '-i', '-'], env: {}, stdin: CALL.prompt })
})

test('a prompt that is too long for an argument is refused, with the solution', () => {
  const agent = customAgent({ command: 'aider --yes' })
  expect(() => agent.invoke({ ...CALL, prompt: 'é'.repeat(70_000) })).toThrow(
    expect.objectContaining({
      code: 'PROMPT_TOO_LONG',
      message: 'The prompt has 140 KB, but an argument can have at most 120 KB',
      hint: expect.stringContaining('`stdin: true`'),
    }),
  )
})

test('an empty command is refused', () => {
  for (const command of ['', '  ', `''`])
    expect(() => customAgent({ command })).toThrow(expect.objectContaining({ code: 'BAD_COMMAND' }))
})

test('its output is text, and the limit message of a client is a limit', () => {
  const read = customAgent({ command: 'wrapper' }).reader()
  expect(read('working on it  \r')).toEqual([{ kind: 'text', text: 'working on it' }])
  expect(read('')).toEqual([])
  expect(read('Claude AI usage limit reached|1730000000')).toEqual([
    { kind: 'text', text: 'Claude AI usage limit reached|1730000000' },
    { kind: 'limit', resetsAt: '2024-10-27T03:33:20.000Z', message: 'Claude AI usage limit reached|1730000000' },
    { kind: 'error', code: 'limit', message: 'Claude AI usage limit reached|1730000000' },
  ])
  expect(read('I made the test "usage limit reached" pass')).toHaveLength(1)
})
