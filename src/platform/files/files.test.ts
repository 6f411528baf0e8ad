import { expect, test } from 'bun:test'
import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { appendIfThere, makeTemporaryFolder, removeFolder } from './files.ts'

test('text is added to a file that is there, whose time stays, and a file that is gone does not come back', () => {
  const folder = makeTemporaryFolder('gza-files')
  try {
    const [there, gone] = [join(folder, 'there'), join(folder, 'gone')]
    writeFileSync(there, 'one\n')
    utimesSync(there, 1000, 1000)
    for (const path of [there, gone]) appendIfThere(path, 'two\n')
    expect([readFileSync(there, 'utf8'), statSync(there).mtimeMs, existsSync(gone)]).toEqual([
      'one\ntwo\n',
      1_000_000,
      false,
    ])
  } finally {
    removeFolder(folder)
  }
})
