import { testPairs } from '../client-tests.ts'

testPairs('qwen')
