import { testClient } from '../client-tests.ts'
import { CHATGPT } from '../limit-answers.ts'

testClient('codex', {
  costUsd: 0,
  minutes: 1.5,
  setUp: 'Begin every session with',
  executes: ['codex-server'],
  deny: { '.codex/rules/default.rules': 'prefix_rule(pattern=["touch"], decision="forbidden")\n' },
  limit: CHATGPT,
})
