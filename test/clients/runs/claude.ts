import { testClient } from '../client-tests.ts'

testClient('claude', {
  costUsd: 0.0012,
  refused: { 429: 'overloaded', 500: 'timed-out' },
  minutes: 0.3,
  hasTurns: true,
})
