import { expect, test } from 'bun:test'
import { AGENTS, agentNamed } from './registry.ts'

test('the default comes first, and every agent is found by its name', () => {
  const names = AGENTS.map(({ name }) => name)
  expect(names).toEqual(['claude', 'codex', 'opencode', 'gemini', 'qwen', 'copilot'])
  for (const name of names) expect(agentNamed(name).name).toBe(name)
})

test('a configured command is found too, and may replace a client', () => {
  const custom = { mine: { command: 'aider --yes' }, codex: { command: 'my-codex' } }
  expect(agentNamed('mine', custom)).toMatchObject({ name: 'mine', label: 'aider --yes', speaksEvents: false })
  expect(agentNamed('codex', custom)).toMatchObject({ name: 'codex', label: 'my-codex' })
})

test('an unknown name is refused, with the known ones', () => {
  for (const name of ['cladue', 'constructor', ''])
    expect(() => agentNamed(name, { mine: { command: 'x' } })).toThrow(
      expect.objectContaining({
        code: 'UNKNOWN_AGENT',
        message: `There is no agent “${name}”`,
        hint: expect.stringContaining('claude, codex, opencode, gemini, qwen, copilot, mine'),
        exitCode: 2,
      }),
    )
})
