import { expect, test } from 'bun:test'
import { dotenvSecrets } from './dotenv-secrets.ts'

test('secrets of a .env file are those that are named so, and long mixed values', () => {
  const text = [
    'NODE_ENV=development-environment',
    'export API_KEY="short-one" # comment',
    "SESSION='a1b2c3d4e5f6a7b8c9'",
    'URL=https://example.org/path1234567890',
    'DB=postgres://me:pw1234567@host/base',
    'ROOT=/srv/folder1234567890',
    '# OLD_KEY=x',
    'NOISE',
  ].join('\n')
  const secrets = dotenvSecrets(text, (name) => name.endsWith('_KEY'))
  expect(secrets).toEqual(['short-one', 'a1b2c3d4e5f6a7b8c9', 'postgres://me:pw1234567@host/base'])
})
