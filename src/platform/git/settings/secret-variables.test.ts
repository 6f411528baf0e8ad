import { expect, test } from 'bun:test'
import { withoutSecrets } from './secret-variables.ts'

test('an agent does not get keys of trackers, forges and databases, or access to a person’s identity', () => {
  const secrets = {
    LINEAR_API_KEY: 'x',
    GITHUB_TOKEN: 'x',
    GH_TOKEN: 'x',
    DATABASE_URL: 'x',
    PGPASSWORD: 'x',
    PGSERVICEFILE: 'x',
    SSH_AUTH_SOCK: 'x',
    GIT_ASKPASS: 'x',
    BUN_OPTIONS: '--preload=x',
    BUN_BE_BUN: '1',
    GZA_TRUST: '1',
    GZA_CRASH_AT: 'noted',
  }
  const kept = {
    PATH: '/bin',
    ANTHROPIC_API_KEY: 'x',
    OPENAI_API_KEY: 'x',
    GEMINI_API_KEY: 'x',
    COPILOT_GITHUB_TOKEN: 'x',
    PG_COLOR: 'always',
  }
  expect(withoutSecrets({ ...secrets, ...kept })).toEqual(kept)
})

test('a person can allow a secret by name', () => {
  expect(withoutSecrets({ DATABASE_URL: 'x', GH_TOKEN: 'y' }, ['DATABASE_URL'])).toEqual({ DATABASE_URL: 'x' })
})
