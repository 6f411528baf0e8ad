import type { ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'
import { dirname } from 'node:path'
import { FailedParts } from './failed-parts.ts'
import { notRun } from './install-tools.ts'
import type { Tally } from './read-tally.ts'
import { killGroup, type Started, startGroup } from './start-group.ts'

/**
 * Everything that is tested: `npm test`, then gza with the real clients beside the page in a browser and a fleet with
 * PostgreSQL. Missing clients are installed during the tests, other missing tools before them. What failed is printed a
 * second time at the end, and what was not run. The last line, and only that one, is `N passed, N failed`. A client that
 * cannot be installed is a failure.
 */
const ROOT = dirname(import.meta.dir)
const BUN = process.execPath

/** How much longer than the tests an installation may take. Without this limit, a host that hangs would block the tests. */
const INSTALL_EXTRA_MS = 120_000
/** A script that receives a signal passes it on to the processes it started, and waits for them. */
const ENDING_MS = 10_000
const TALLY = /^(\d+) passed, (\d+) failed$/

const failures = new FailedParts()

process.exitCode = await main()

async function main(): Promise<number> {
  const installing = start('scripts/install-clients.ts')
  // The tests go first; an installation mostly waits anyway.
  lowerPriority(installing.child)
  process.on('exit', () => endGroup(installing.child))
  await start('scripts/install-tools.ts', print).ended
  const tallies = [await runSuite('scripts/test.ts')]
  // Side by side: each waits for other programs about as long as it works. What the first ones print comes last.
  const beside: string[] = []
  const keep = (line: string) => void beside.push(line)
  const testingBeside = runSuite('scripts/test-web.ts', keep).then(async (web) => [
    web,
    await runSuite('scripts/test-fleet.ts', keep),
  ])
  const failure = await failureOf(installing)
  tallies.push(failure === null ? await runSuite('scripts/test-agents.ts') : tell(failure))
  tallies.push(...(await testingBeside))
  beside.forEach(print)
  if (failures.parts.length > 0) console.log(['', 'What failed:', ...failures.parts.flat()].join('\n'))
  for (const line of notRun()) console.log(line)
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0)
  const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0)
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, 10)
  } catch {
    // It has ended already.
  }
}

function start(script: string, onLine: (line: string) => void = () => {}): Started {
  let rest = ''
  const take = (chunk: string): void => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    lines.forEach(onLine)
  }
  const { child, ended } = startGroup([BUN, script], { cwd: ROOT, onOutput: take, graceMs: ENDING_MS })
  return {
    child,
    ended: ended.then((end) => {
      if (rest !== '') onLine(rest)
      return end
    }),
  }
}

/** Passes on what the script prints except its last line, which is counted. */
async function runSuite(script: string, onLine = print): Promise<Tally> {
  let tally: Tally | null = null
  const { code } = await start(script, (line) => {
    const [, passed, failed] = TALLY.exec(line) ?? []
    if (passed === undefined) onLine(line)
    else tally = { passed: Number(passed), failed: Number(failed) }
  }).ended
  return tally ?? tell(`${script} exited with ${code} and counted nothing`, onLine)
}

function print(line: string): void {
  console.log(line)
  failures.read(line)
}

function tell(failure: string, onLine = print): Tally {
  const lines = failure.trimEnd().split('\n')
  for (const line of [...lines, `(fail) ${lines.at(-1)}`]) onLine(line)
  return { passed: 0, failed: 1 }
}

async function failureOf({ child, ended }: Started): Promise<string | null> {
  const timer = setTimeout(() => endGroup(child), INSTALL_EXTRA_MS)
  const { code, output } = await ended.finally(() => clearTimeout(timer))
  return code === 0 ? null : `${output}The clients could not be installed`
}

function endGroup(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) killGroup(child)
}
