import { testClient } from '../client-tests.ts'
import { GOOGLE } from '../limit-answers.ts'

testClient('gemini', {
  costUsd: 0,
  minutes: 0.7,
  setUp: 'Current Tasks',
  executes: ['gemini-agent-hook', 'gemini-hook', 'gemini-server'],
  deny: {
    '.gemini/policies/deny.toml':
      '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "touch"\ndecision = "deny"\npriority = 999\n',
  },
  limit: GOOGLE,
})
