import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { makeTable, putTable } from '../test/clients/table/make-table.ts'
import { fetchPackage } from './fetch-package.ts'
import { installedClients } from './install-clients.ts'
import { readTally, type Tally } from './read-tally.ts'
import { startGroup } from './start-group.ts'

/**
 * Runs gza with the real clients, in fixed versions, against a scripted model on loopback (docs/clients.md).
 * Arguments (`npm run test:agents -- codex`) select clients. A run of all clients compares its results with the table
 * in docs/clients.md, and with --write puts them there. The last line is `N passed, N failed`.
 */
const ROOT = dirname(import.meta.dir)
const BUN = process.execPath
const PAGE = join(ROOT, 'docs/clients.md')
const WRITE = '--write'
/** Started first, because it would run alone at the end. */
const SLOWEST = 'opencode.ts'
/** The one that needs a package from the registry. */
const NIGHT = './test/clients/runs/npm-package.ts'

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'gza-results-'))
  try {
    const clients = installedClients()
    build()
    const words = args.filter((arg) => arg !== WRITE)
    const results = join(folder, 'passed')
    writeFileSync(results, '')
    const files = chooseFiles(words)
    const settings = { GZA_CLIENTS: clients, GZA_CLIENT_RESULTS: results }
    const npmPackage = files.includes(NIGHT) ? { GZA_NPM_PACKAGE: fetchPackage(folder) } : {}
    const tallies = [await runTests(files, { ...settings, ...npmPackage })]
    if (words.length === 0) tallies.push(compareTable(readFileSync(results, 'utf8'), args.includes(WRITE)))
    return report(tallies)
  } catch (error) {
    console.log(error instanceof Error ? error.message : error)
    return report([{ passed: 0, failed: 1 }])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function report(tallies: readonly Tally[]): number {
  const sum = (key: keyof Tally) => tallies.reduce((total, tally) => total + tally[key], 0)
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
  return sum('failed') === 0 ? 0 : 1
}

function build(): void {
  const { status, stderr } = spawnSync(BUN, ['scripts/build.ts'], { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${stderr}the build exited with ${status}`)
}

function chooseFiles(words: readonly string[]): string[] {
  const names = readdirSync(join(ROOT, 'test/clients/runs')).filter((name) => name !== SLOWEST)
  const all = [SLOWEST, ...names].map((name) => `./test/clients/runs/${name}`)
  const files = all.filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  if (files.length === 0) throw new Error(`no client is called ${words.join(' ')}`)
  return files
}

/** In parallel: they are busy while they start, and then mostly wait. */
async function runTests(files: readonly string[], settings: NodeJS.ProcessEnv): Promise<Tally> {
  const env = { ...process.env, ...settings }
  const onOutput = (chunk: string): void => void process.stdout.write(chunk)
  const { code, output } = await startGroup([BUN, 'test', '--parallel=4', ...files], { cwd: ROOT, env, onOutput }).ended
  return readTally(code, output)
}

function compareTable(passed: string, mayWrite: boolean): Tally {
  const table = makeTable(passed)
  const page = readFileSync(PAGE, 'utf8')
  const made = putTable(page, table)
  if (made === page) return { passed: 1, failed: 0 }
  if (mayWrite) writeFileSync(PAGE, made)
  else console.log(`${table}\n(fail) docs/clients.md has another table: npm run test:agents -- ${WRITE}`)
  return mayWrite ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}
