import { testClient } from '../client-tests.ts'
import { GITHUB } from '../limit-answers.ts'

testClient('copilot', {
  costUsd: 0,
  minutes: 1.5,
  setUp: 'Begin every session with',
  executes: ['claude-hook', 'claude-prompt-hook', 'copilot-hook', 'copilot-settings-hook', 'mcp-server'],
  limit: GITHUB,
})
