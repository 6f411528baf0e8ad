import { expect, test } from 'bun:test'
import type { PhaseCall } from '../agent.ts'
import { customAgent } from './custom.ts'

const CALL: PhaseCall = { prompt: 'Do “it”\nnow', access: 'work', cwd: '/work/tree', isRoot: true, newSession: 'NEW' }

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

test('the prompt, or a file with it, goes where a word of the command asks for it', () => {
  const invoke = (command: string, prompt = CALL.prompt) => customAgent({ command }).invoke({ ...CALL, prompt })
  expect(invoke('agent --say={prompt} --now')).toEqual({ argv: ['agent', `--say=${CALL.prompt}`, '--now'], env: {} })
  expect(invoke('agent {prompt}', '$& {prompt}').argv).toEqual(['agent', '$& {prompt}'])
  expect(invoke('aider --message-file {prompt_file}')).toEqual({
    argv: ['aider', '--message-file', '{prompt_file}'],
    env: {},
    promptFile: CALL.prompt,
  })
  expect(customAgent({ command: 'a {prompt_file}', prompt: 'stdin' }).invoke(CALL)).toMatchObject({
    stdin: CALL.prompt,
    promptFile: CALL.prompt,
  })
})

test('a prompt that is too long for an argument is on standard input and in a file, and the argument names it', () => {
  const prompt = 'é'.repeat(70_000)
  for (const command of ['aider --yes --message', 'aider --yes --message {prompt}']) {
    const { argv, ...rest } = customAgent({ command }).invoke({ ...CALL, prompt })
    expect(rest).toEqual({ env: {}, stdin: prompt, promptFile: prompt })
    expect(argv.slice(0, 3)).toEqual(['aider', '--yes', '--message'])
    expect(argv.slice(3)).toEqual([expect.stringMatching(/on standard input .* in the file \{prompt_file\}\./)])
  }
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
