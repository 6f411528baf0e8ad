import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { installIfMissing, TOOLS } from './install-tools.ts'
import { readTally, type Tally } from './read-tally.ts'
import { startGroup } from './start-group.ts'

/**
 * Tests a fleet: several workers, with clones, homes and host names of their own, a real PostgreSQL, which is installed if
 * it is missing (Debian, as root), and a real git remote. The last line is `N passed, N failed`.
 */
const ROOT = dirname(import.meta.dir)
const BUN = process.execPath

/** A test may wait for an outage and for a takeover after it. */
const TEST_MS = 180_000

const { passed, failed } = await testFleet()
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function testFleet(): Promise<Tally> {
  const problem = installIfMissing(TOOLS.postgres) ?? build()
  if (problem !== null) {
    console.log(`${problem}\n(fail) a fleet of several machines`)
    return { passed: 0, failed: 1 }
  }
  const files = [...new Bun.Glob('test/fleet/*.fleet.ts').scanSync(ROOT)].sort().map((path) => `./${path}`)
  const onOutput = (chunk: string): void => void process.stdout.write(chunk)
  const { code, output } = await startGroup([BUN, 'test', `--timeout=${TEST_MS}`, ...files], { cwd: ROOT, onOutput })
    .ended
  return readTally(code, output)
}

function build(): string | null {
  const { status, stderr } = spawnSync(BUN, ['scripts/build.ts'], { cwd: ROOT, encoding: 'utf8' })
  return status === 0 ? null : `${stderr}the build exited with ${status}`
}
