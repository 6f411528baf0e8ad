import { testClient } from '../client-tests.ts'
import { OPENAI } from '../limit-answers.ts'

testClient('opencode', {
  costUsd: 0.0009,
  minutes: 1,
  setUp: 'Begin every session with',
  executes: ['opencode-plugin', 'opencode-server'],
  deny: { '.config/opencode/opencode.json': JSON.stringify({ permission: { bash: { 'touch *': 'deny' } } }) },
  limit: OPENAI,
})
