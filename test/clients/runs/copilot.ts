import { testClient } from '../client-tests.ts'
import { GITHUB } from '../limit-answers.ts'

testClient('copilot', {
  costUsd: 0,
  minutes: 1.5,
  setUp: 'Begin every session with',
  executes: ['claude-hook', 'claude-prompt-hook', 'copilot-hook', 'copilot-settings-hook', 'mcp-server'],
  // It has no setting for that, but asks a hook.
  deny: {
    '.copilot/hooks/deny.json': JSON.stringify({
      version: 1,
      hooks: { preToolUse: [{ type: 'command', bash: `echo '{"permissionDecision":"deny"}'` }] },
    }),
  },
  limit: GITHUB,
})
