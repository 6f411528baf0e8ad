import { testClient } from '../client-tests.ts'

testClient('codex')
