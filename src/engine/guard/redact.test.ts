import { expect, test } from 'bun:test'
import { makeRedact } from './redact.ts'

const redact = makeRedact({})

test('the values of secret-looking variables are taken out wherever they occur', () => {
  const env = {
    ANTHROPIC_API_KEY: 'anthropic-value',
    MY_TOKEN: 'tokentokentoken',
    dbPassword: 'hunter2hunter2',
    GITLAB_PAT: 'pat-value-1',
    HOME: '/home/someone',
  }
  const text = 'a=anthropic-value tokentokentokenx "hunter2hunter2" pat-value-1 /home/someone'
  expect(makeRedact(env)(text)).toBe('a=[redacted] [redacted]x "[redacted]" [redacted] /home/someone')
})

test('short values, git settings and limits are not secrets', () => {
  const env = { API_KEY: 'short', GIT_CONFIG_KEY_0: 'core.hookspath', MAX_OUTPUT_TOKENS: '12345678', EMPTY_KEY: '' }
  const text = 'short core.hookspath 12345678'
  expect(makeRedact(env)(text)).toBe(text)
})

test('a value is found in JSON, in JSON inside JSON, and in a URL', () => {
  const secret = 'pa"ss\\wo/rd&ß'
  const redacted = makeRedact({ SECRET: secret })
  const once = JSON.stringify({ text: secret })
  const twice = JSON.stringify({ text: once })
  expect(redacted(once)).toBe('{"text":"[redacted]"}')
  expect(redacted(twice)).toBe(JSON.stringify({ text: '{"text":"[redacted]"}' }))
  expect(redacted(`https://x/?q=${encodeURIComponent(secret)}&b=1`)).toBe('https://x/?q=[redacted]&b=1')
})

test('of values that begin alike nothing stays', () => {
  const env = { A_KEY: 'abcdefgh', B_KEY: 'abcdefghijkl' }
  expect(makeRedact(env)('abcdefghijkl abcdefgh')).toBe('[redacted] [redacted]')
})

test('the lines of a secret with several are found one by one', () => {
  const key = '-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\nabc\n-----END KEY-----'
  expect(makeRedact({ SIGNING_KEY: key })('x MIIEvQIBADANBgkqhkiG9w0BAQ')).toBe('x [redacted]')
  expect(makeRedact({ SIGNING_KEY: key })(key)).toBe('[redacted]')
})

test.each([
  'sk-ant-api03-AbCdEfGhIjKlMnOpQrSt-_12',
  'sk-proj-0123456789abcdefghij',
  `ghp_${'a1'.repeat(18)}`,
  `github_pat_${'a1'.repeat(20)}`,
  'glpat-abcdefghij0123456789',
  `npm_${'a1'.repeat(18)}`,
  `lin_api_${'a1'.repeat(20)}`,
  'xoxb-1234567890-abcdefghij',
  'AKIAIOSFODNN7EXAMPLE',
  `AIza${'a1_-5'.repeat(7)}`,
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  '-----BEGIN RSA PRIVATE KEY-----\\nMIIEpA\\nDEK-Info: AES-128\\n-----END RSA PRIVATE KEY-----',
])('%s is taken out by its shape', (token) => {
  expect(redact(`{"a":"${token}"}`)).toBe('{"a":"[redacted]"}')
})

test('credentials in URLs and headers are taken out, and what is around them stays', () => {
  expect(redact('git clone https://me:hunter2@example.com/x.git')).toBe(
    'git clone https://me:[redacted]@example.com/x.git',
  )
  expect(redact('-H "Authorization: Bearer abcdefgh.ijk" -v')).toBe('-H "Authorization: Bearer [redacted]" -v')
  expect(redact('{\\"authorization\\": \\"basic YWJjZGVmZ2g=\\"}')).toBe(
    '{\\"authorization\\": \\"basic [redacted]\\"}',
  )
})

test('ordinary words stay', () => {
  const text =
    'task-a3f8 at http://localhost:8080/a@b uses Bearer authentication; Basic understanding; ask-me-anything-about-it-please'
  expect(redact(text)).toBe(text)
})

test('texts inside events are redacted, and nothing else changes', () => {
  const events = [{ kind: 'tool', detail: 'echo tokentokentoken', list: ['tokentokentoken', 1, null, true] }]
  expect(makeRedact({ A_TOKEN: 'tokentokentoken' })(events)).toEqual([
    { kind: 'tool', detail: 'echo [redacted]', list: ['[redacted]', 1, null, true] },
  ])
})

test.each(['a', 'eyJa', 'eyJaaaaaaaaaaaa.', '://a:', ' sk-', '-----BEGIN PRIVATE KEY-----', 'authorization: ', '-'])(
  'a long line of %s is read to its end',
  (piece) => {
    const line = piece.repeat(Math.ceil(5_000_000 / piece.length))
    expect(() => redact(line)).not.toThrow()
  },
)
