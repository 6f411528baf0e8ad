import { testPairs } from '../client-tests.ts'

testPairs('opencode')
