import { testClient } from '../client-tests.ts'
import { ANTHROPIC } from '../limit-answers.ts'

testClient('claude', {
  costUsd: 0.0012,
  minutes: 0.3,
  setUp: 'Current Tasks',
  executes: ['claude-hook', 'claude-prompt-hook', 'mcp-server'],
  deny: { '.claude/settings.json': JSON.stringify({ permissions: { deny: ['Bash(touch:*)'] } }) },
  limit: ANTHROPIC,
})
