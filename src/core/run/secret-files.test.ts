import { expect, test } from 'bun:test'
import { secretByContent, secretByName } from './secret-files.ts'

// Assembled here, so that no scanner takes this file for a leak.
const BODY = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj'
const pemOf = (kind: string): string => `-----BEGIN ${kind}-----\n${BODY}\n-----END ${kind}-----\n`

test('common names of secret files are found, in any folder and case', () => {
  const secrets = {
    '.env': 'environment file',
    'app/.env.local': 'environment file',
    '.ENV.production': 'environment file',
    'deploy/prod.env': 'environment file',
    id_rsa: 'private key',
    'home/.ssh/id_ed25519': 'private key',
    'certs/server.pem': 'key or certificate',
    'server.key': 'key or certificate',
    'Credentials.json': 'credentials',
    credentials: 'credentials',
    '.aws/credentials': 'credentials',
    'secrets.yaml': 'credentials',
    '.netrc': 'credentials',
    'infra/terraform.tfstate': 'credentials',
    'service-account-prod.json': 'credentials',
    '.docker/config.json': 'credentials',
  }
  expect(Object.fromEntries(Object.keys(secrets).map((path) => [path, secretByName(path)]))).toEqual(secrets)
})

test('examples and programs with such names pass', () => {
  const paths = [
    ...['.env.example', '.env.sample', '.env.template', 'credentials.example.json', 'example.pem', 'id_rsa.pub'],
    ...['src/credentials.ts', 'src/credentials/index.ts', 'secrets_test.go', 'docs/secrets.md', 'src/environment.ts'],
    ...['keyboard.ts', 'config.json', 'README.md', '.envrc'],
  ]
  expect(paths.filter((path) => secretByName(path) !== null)).toEqual([])
})

test('a private key is found in every wrapping, also inside JSON', () => {
  for (const kind of ['PRIVATE KEY', 'RSA PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'ENCRYPTED PRIVATE KEY']) {
    expect(secretByContent(`text before\n${pemOf(kind)}`)).toBe('private key')
    expect(secretByContent(pemOf(kind).replaceAll('\n', '\r\n'))).toBe('private key')
    expect(secretByContent(JSON.stringify({ key: pemOf(kind) }))).toBe('private key')
  }
  const headers = 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0011\n\n'
  expect(secretByContent(`-----BEGIN RSA PRIVATE KEY-----\n${headers}${BODY}`)).toBe('private key')
})

test('tokens of the usual services are found', () => {
  const letters = 'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD3fG6iJ9lM2oP5rS8uV1wX4yZ7'
  const digits = '0123456789abcdef'
  expect(secretByContent(`key = ${'AKIA'}QX7Z2MB4LDR6WT5Y`)).toBe('AWS key')
  expect(secretByContent(`${'ghp'}_${letters.slice(0, 36)}`)).toBe('GitHub token')
  expect(secretByContent(`token: "${'glpat'}-${letters.slice(0, 20)}"`)).toBe('GitLab token')
  expect(secretByContent(`${'xoxb'}-123456789012-${letters.slice(0, 24)}`)).toBe('Slack token')
  expect(secretByContent(`${'AIza'}${letters.slice(0, 35)}`)).toBe('Google key')
  expect(secretByContent(`${'sk_live'}_${letters.slice(0, 24)}`)).toBe('Stripe key')
  expect(secretByContent(`${'sk-ant'}-api03-${letters}`)).toBe('Anthropic key')
  expect(secretByContent(`${'sk-proj'}-${letters}`)).toBe('OpenAI key')
  expect(secretByContent(`//registry.example/:_authToken=${'npm'}_${letters.slice(0, 36)}`)).toBe('npm token')
  expect(secretByContent(`${'dop_v1'}_${digits.repeat(4)}`)).toBe('DigitalOcean token')
})

test('examples, placeholders and programs that look for secrets pass', () => {
  expect(secretByContent(`${'AKIA'}IOSFODNN7EXAMPLE`)).toBeNull()
  expect(secretByContent(`${'ghp'}_${'x'.repeat(36)}`)).toBeNull()
  expect(secretByContent("if (text.includes('-----BEGIN PRIVATE KEY-----')) refuse()")).toBeNull()
  expect(secretByContent('const pattern = /-----BEGIN (RSA )?PRIVATE KEY-----\\n/')).toBeNull()
  expect(secretByContent('-----BEGIN PUBLIC KEY-----\n'.concat(BODY))).toBeNull()
  expect(secretByContent('task-a3f8 sk-short npm_config_registry ghp_')).toBeNull()
})

// A search that goes back for each letter would need hours, more than any time limit of a test.
test('5 MB of any text are searched in one pass', () => {
  const parts = ['a', '-----BEGIN ', 'sk-', '\n', 'A: b\n', '-----BEGIN PRIVATE KEY-----\nA: ']
  const texts = parts.map((part) => part.repeat(Math.floor(5_000_000 / part.length)))
  expect(texts.map(secretByContent)).toEqual(parts.map(() => null))
})
