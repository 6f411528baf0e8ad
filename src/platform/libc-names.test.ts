import { expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { libcNames } from './libc-names.ts'

test.skipIf(process.platform !== 'linux')('a library of the current folder is never loaded', () => {
  const before = process.cwd()
  process.chdir(mkdtempSync(join(tmpdir(), 'gza-libc-')))
  try {
    expect(libcNames()).toEqual(['libc.so.6', expect.stringMatching(/^libc\.musl-/)])
    writeFileSync('libc.so.6', 'anything')
    expect(libcNames()).toEqual([expect.stringMatching(/^libc\.musl-/)])
  } finally {
    process.chdir(before)
  }
})
