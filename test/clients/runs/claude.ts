import { testClient } from '../client-tests.ts'

testClient('claude', {
  costUsd: 0.0012,
  refused: { 429: 'overloaded', 500: 'overloaded' },
  minutes: 0.3,
  setUp: 'Current Tasks',
  hasTurns: true,
})
