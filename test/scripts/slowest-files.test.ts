import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')

test('every file that is tested first exists', () => {
  const { files } = JSON.parse(readFileSync(join(ROOT, 'test/slowest.json'), 'utf8'))
  const names = Object.keys(files)
  expect(names).not.toEqual([])
  expect(names.filter((name) => !existsSync(join(ROOT, name)))).toEqual([])
})
