import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { PROMISES } from '../../src/core/isolation/promises.ts'

test('docs/security.md has the table of promises as the tests use it', () => {
  const text = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')
  const table = Object.values(PROMISES).map(({ what, landlock }) => `| ${what} | yes | ${landlock} |`)
  expect(text).toContain(table.join('\n'))
})
