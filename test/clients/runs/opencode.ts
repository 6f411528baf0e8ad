import { testClient } from '../client-tests.ts'

testClient('opencode', {
  costUsd: 0,
  refused: { 429: 'overloaded', 500: 'overloaded' },
  minutes: 0.6,
  setUp: 'Begin every session with',
  hasTurns: true,
})
