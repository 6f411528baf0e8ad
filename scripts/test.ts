import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { notRun } from './install-tools.ts'
import { readTally, type Tally } from './read-tally.ts'
import { startGroup } from './start-group.ts'

/**
 * The test command: types, lint, unused code and the build in parallel, then all tests with the built program.
 * Arguments (`npm test -- ledger`) select test files by path and skip the first three checks. The last line is
 * `N passed, N failed`, where each check counts as one.
 */
const ROOT = dirname(import.meta.dir)
const BUN = process.execPath
/** Milliseconds of the files that take longest. The others start after them. */
const SLOWEST = join(ROOT, 'test/slowest.json')

interface Check {
  name: string
  argv: string[]
}

const STATIC_CHECKS: Check[] = [
  { name: 'types', argv: [BUN, 'node_modules/typescript/bin/tsc', '--noEmit'] },
  { name: 'types of the page', argv: [BUN, 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'web'] },
  { name: 'lint and format', argv: [BUN, 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'] },
  { name: 'unused code', argv: [BUN, 'node_modules/knip/bin/knip.js'] },
]
const BUILD: Check = { name: 'build', argv: [BUN, 'scripts/build.ts'] }

// Not process.exit(), which discards output that a pipe has not read yet.
process.exitCode = await main(process.argv.slice(2))

async function main(filters: string[]): Promise<number> {
  const checks = filters.length === 0 ? [...STATIC_CHECKS, BUILD] : [BUILD]
  const tallies = await Promise.all(checks.map(runCheck))
  if (tallies.at(-1)?.failed === 0) tallies.push(await runTests(filters))
  for (const line of notRun((folder) => isChosen(folder, filters))) console.log(line)
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0)
  const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0)
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

function isChosen(folder: string, filters: readonly string[]): boolean {
  return filters.length === 0 || filters.some((word) => folder.includes(word) || word.includes(folder))
}

async function runCheck(check: Check): Promise<Tally> {
  const { code, output } = await startGroup(check.argv, { cwd: ROOT }).ended
  if (code === 0) {
    console.log(`(pass) ${check.name}`)
    return { passed: 1, failed: 0 }
  }
  console.log(`${output}(fail) ${check.name}`)
  return { passed: 0, failed: 1 }
}

/**
 * Everything that the tests need is in bunfig.toml, so that plain `bun test` does the same. Here they are faster: they
 * write and remove thousands of small files in /var/tmp, which root can keep in memory for them alone. One file more
 * than there are cores is tested at a time, because some wait for a limit of time, and the slowest files come first, so
 * that none of them is left alone at the end.
 */
async function runTests(filters: string[]): Promise<Tally> {
  const atOnce = [`--parallel=${availableParallelism() + 1}`, `--timings=${SLOWEST}`]
  const argv = [...inMemory(), BUN, 'test', ...atOnce, ...filters]
  const onOutput = (chunk: string): void => void process.stdout.write(chunk)
  const { code, output } = await startGroup(argv, { cwd: ROOT, onOutput }).ended
  return readTally(code, output)
}

/** A checkout in /var/tmp would be hidden. */
function inMemory(): string[] {
  if (ROOT.startsWith('/var/tmp/')) return []
  const mount = 'mount -t tmpfs -o mode=1777 gza-tests /var/tmp; exec "$@"'
  const prefix = ['--mount', '--propagation', 'private', 'sh', '-ec', mount, 'sh']
  const canMount = process.getuid?.() === 0 && spawnSync('unshare', [...prefix, 'true']).status === 0
  return canMount ? ['unshare', ...prefix] : []
}
