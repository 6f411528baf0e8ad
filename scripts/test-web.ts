import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { installIfMissing, TOOLS } from './install-tools.ts'
import { readTally, type Tally } from './read-tally.ts'
import { startGroup } from './start-group.ts'

/**
 * Tests the page of `gza web` in a real Chromium, which is installed if it is missing (Debian, as root). The last line is
 * `N passed, N failed`.
 */
const ROOT = dirname(import.meta.dir)
const BUN = process.execPath

const { passed, failed } = await testWeb()
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function testWeb(): Promise<Tally> {
  const problem = installIfMissing(TOOLS.chromium) ?? build()
  if (problem !== null) {
    console.log(`${problem}\n(fail) the page in a browser`)
    return { passed: 0, failed: 1 }
  }
  const files = [...new Bun.Glob('test/web/browser/*.browser.ts').scanSync(ROOT)].sort().map((path) => `./${path}`)
  const onOutput = (chunk: string): void => void process.stdout.write(chunk)
  const { code, output } = await startGroup([BUN, 'test', '--timeout=120000', ...files], { cwd: ROOT, onOutput }).ended
  return readTally(code, output)
}

function build(): string | null {
  const { status, stderr } = spawnSync(BUN, ['scripts/build.ts'], { cwd: ROOT, encoding: 'utf8' })
  return status === 0 ? null : `${stderr}the build exited with ${status}`
}
