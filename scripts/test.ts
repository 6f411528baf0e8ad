import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readTally, secondTries, type Tally } from './read-tally.ts'
import { startGroup } from './start-group.ts'

/**
 * The test command: types, lint, unused code and the build at once, then every test on what was built.
 * Words given (`npm test -- ledger`) pick test files by path and leave the first three out. The last line is
 * `N passed, N failed`, where each check counts as one.
 */
const ROOT = dirname(import.meta.dir)
const BUN = process.execPath

interface Check {
  name: string
  argv: string[]
}

const STATIC_CHECKS: Check[] = [
  { name: 'types', argv: [BUN, 'node_modules/typescript/bin/tsc', '--noEmit'] },
  { name: 'lint and format', argv: [BUN, 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'] },
  { name: 'unused code', argv: [BUN, 'node_modules/knip/bin/knip.js'] },
]
const BUILD: Check = { name: 'build', argv: [BUN, 'scripts/build.ts'] }

// Not process.exit(), which cuts off what a pipe has not taken yet.
process.exitCode = await main(process.argv.slice(2))

async function main(filters: string[]): Promise<number> {
  const checks = filters.length === 0 ? [...STATIC_CHECKS, BUILD] : [BUILD]
  const tallies = await Promise.all(checks.map(runCheck))
  if (tallies.at(-1)?.failed === 0) tallies.push(await runTests(filters))
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0)
  const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0)
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
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

async function runTests(filters: string[]): Promise<Tally> {
  const home = mkdtempSync(join(tmpdir(), 'gza-home-'))
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Test\n\temail = test@example.com\n')
  process.on('exit', () => rmSync(home, { recursive: true, force: true }))
  // Many tests race real processes; on a busy machine one in a thousand loses a race that says nothing of the code.
  const argv = [BUN, 'test', '--parallel', '--retry=1', '--timeout=60000', ...filters]
  const onOutput = (chunk: string): void => void process.stdout.write(chunk)
  const { code, output } = await startGroup(argv, { cwd: ROOT, env: testEnv(home), onOutput }).ended
  for (const name of secondTries(output)) console.log(`Passed only at the second try: ${name}`)
  return readTally(code, output)
}

/** A list of what may pass, because the shell may carry agents' markers and git variables. */
function testEnv(home: string): NodeJS.ProcessEnv {
  const { PATH, TMPDIR, TERM, CI } = process.env
  return { PATH, TMPDIR, TERM, CI, HOME: home, GIT_CONFIG_NOSYSTEM: '1', GZA_BIN: join(ROOT, 'dist/gza') }
}
