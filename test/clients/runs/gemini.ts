import { testClient } from '../client-tests.ts'

testClient('gemini', {
  costUsd: 0,
  refused: { 429: 'overloaded', 500: 'overloaded' },
  minutes: 0.5,
  setUp: null,
  hasTurns: true,
})
