import { expect, test } from 'bun:test'
import { sentenceText } from '../sentence.ts'
import { UserError } from '../user-error.ts'
import { assertAllowed, detectActor } from './agent-mode.ts'

const gitUserName = () => 'Ada'

test('a person has the name that git knows', () => {
  expect(detectActor({ PATH: '/bin', ZAGI_AGENT: '' }, gitUserName)).toEqual({
    name: 'Ada',
    mode: 'human',
    source: 'git',
  })
})

test('GZA_AGENT or ZAGI_AGENT makes an agent with that name, whatever client runs it', () => {
  expect(detectActor({ ZAGI_AGENT: 'zoe', CLAUDECODE: '1' }, gitUserName)).toEqual({
    name: 'zoe',
    mode: 'agent',
    source: 'ZAGI_AGENT',
  })
  expect(detectActor({ GZA_AGENT: 'claude-code' }, gitUserName).name).toBe('claude-code')
})

test('any value makes agent mode, even one that cannot be a name', () => {
  expect(detectActor({ ZAGI_AGENT: ' ' }, gitUserName)).toEqual({ name: 'agent', mode: 'agent', source: 'ZAGI_AGENT' })
})

test.each([
  [{ CLAUDECODE: '1' }, 'claude-code'],
  [{ AMP_CURRENT_THREAD_ID: 'T-1', CLAUDECODE: '1' }, 'amp'],
  [{ CODEX_THREAD_ID: '019a' }, 'codex'],
  [{ CODEX_SANDBOX: 'seatbelt' }, 'codex'],
  [{ OPENCODE: '1' }, 'opencode'],
  [{ GEMINI_CLI: '1' }, 'gemini'],
  [{ QWEN_CODE: '1' }, 'qwen'],
  [{ COPILOT_CLI: '1' }, 'copilot'],
  [{ CURSOR_AGENT: '1' }, 'cursor'],
  [{ GOOSE_TERMINAL: '1' }, 'goose'],
  [{ AI_AGENT: 'crush@1' }, 'crush@1'],
] as [Record<string, string>, string][])('%o is the mark of %s', (env, name) => {
  expect(detectActor(env, gitUserName)).toMatchObject({ name, mode: 'agent' })
})

test('what people configure for a client, and a marker that is switched off, do not make an agent', () => {
  const env = { CODEX_HOME: '/x', COPILOT_MODEL: 'm', OPENCODE_CONFIG: '/y', AIDER_MODEL: 'z', CLAUDECODE: '0' }
  expect(detectActor(env, gitUserName).mode).toBe('human')
})

test.each([
  'edit',
  'delete',
  'verdict',
  'run',
  'work',
  'merge',
  'resolve',
  'sync',
  'prune',
  'trust',
  'undo',
  'redo',
  'restore',
])('%s is for people only, and the refusal names the variable and a next step', (command) => {
  expect(() => assertAllowed(command, { mode: 'human' })).not.toThrow()
  let refusal: unknown
  try {
    assertAllowed(command, { mode: 'agent', source: 'ZAGI_AGENT' })
  } catch (error) {
    refusal = error
  }
  expect(refusal).toBeInstanceOf(UserError)
  expect(refusal).toMatchObject({ code: 'AGENT_MODE', exitCode: 1 })
  expect((refusal as UserError).message).toStartWith(`${command} is blocked in agent mode (ZAGI_AGENT is set): `)
  expect(sentenceText((refusal as UserError).hint ?? '', 'git tasks')).toMatch(/git tasks (?:note|claim|done)/)
})

test('agents may add, close, note and read', () => {
  for (const command of ['add', 'done', 'note', 'list', 'show', 'ready', 'constructor']) {
    expect(() => assertAllowed(command, { mode: 'agent' })).not.toThrow()
  }
})
