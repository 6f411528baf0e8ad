import { testClient } from '../client-tests.ts'

testClient('copilot')
