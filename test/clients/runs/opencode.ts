import { testClient } from '../client-tests.ts'

testClient('opencode', { costUsd: 0, refused: { 429: 'timed-out', 500: 'timed-out' }, minutes: 0.6, hasTurns: true })
