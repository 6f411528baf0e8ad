import { expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Root may write everywhere, unless it gives up the right to. Its files stay readable, wherever the project is. */
const UNPRIVILEGED = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : []

test('a folder goes although it was made unwritable, and what its links lead to stays', () => {
  const root = mkdtempSync(join(tmpdir(), 'gza-test-'))
  const folder = join(root, 'folder')
  mkdirSync(join(folder, 'a/b'), { recursive: true })
  mkdirSync(join(root, 'outside'))
  writeFileSync(join(root, 'outside/kept.txt'), '')
  writeFileSync(join(folder, 'a/b/c.txt'), '')
  symlinkSync(join(root, 'outside'), join(folder, 'a/link'))
  chmodSync(join(folder, 'a/b'), 0o000)
  chmodSync(join(folder, 'a'), 0o500)
  const code = `import { removeBelow } from ${JSON.stringify(join(import.meta.dir, 'remove-below.ts'))}
    console.log(removeBelow(${JSON.stringify(folder)}))`
  const { stdout, stderr } = Bun.spawnSync([...UNPRIVILEGED, process.execPath, '-e', code], { env: { HOME: root } })
  expect(stderr.toString() + stdout.toString()).toBe('true\n')
  expect(existsSync(folder)).toBe(false)
  expect(existsSync(join(root, 'outside/kept.txt'))).toBe(true)
  rmSync(root, { recursive: true })
})
