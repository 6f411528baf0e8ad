import { testClient } from '../client-tests.ts'
import { OPENAI } from '../limit-answers.ts'

testClient('qwen', {
  costUsd: 0,
  minutes: 1,
  isSilentAtLimits: true,
  setUp: 'Current Tasks',
  executes: ['qwen-hook', 'qwen-prompt-hook', 'qwen-server'],
  deny: {
    '.qwen/settings.json': JSON.stringify({
      security: { auth: { selectedType: 'openai' } },
      permissions: { deny: ['Bash(touch *)'] },
    }),
  },
  limit: OPENAI,
})
