import { expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withLibc } from './libc-names.ts'

test.skipIf(process.platform !== 'linux')('a library of the current folder is never loaded', () => {
  const before = process.cwd()
  process.chdir(mkdtempSync(join(tmpdir(), 'gza-libc-')))
  try {
    expect(triedNames()).toEqual(['libc.so.6', expect.stringMatching(/^libc\.musl-/)])
    writeFileSync('libc.so.6', 'anything')
    expect(triedNames()).toEqual([expect.stringMatching(/^libc\.musl-/)])
  } finally {
    process.chdir(before)
  }
})

test.skipIf(process.platform !== 'linux')('the first name that can be loaded is used', () => {
  expect(withLibc((name) => name)).toBe('libc.so.6')
})

function triedNames(): string[] {
  const names: string[] = []
  const loaded = withLibc((name) => {
    names.push(name)
    throw new Error('no such library')
  })
  expect(loaded).toBeNull()
  return names
}
