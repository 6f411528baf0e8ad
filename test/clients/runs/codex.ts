import { testClient } from '../client-tests.ts'

testClient('codex', {
  costUsd: 0,
  refused: { 429: 'overloaded', 500: 'overloaded' },
  minutes: 1.5,
  setUp: 'Begin every session with',
  hasTurns: false,
})
