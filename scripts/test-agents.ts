import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ALL_PAIRS, type Pair, pairName } from '../test/clients/pairs.ts'
import { BEGINS, makeBoxTable, makeTable, putTable } from '../test/clients/table/make-table.ts'
import { findPairs, openView } from './client-pairs.ts'
import { fetchPackage } from './fetch-package.ts'
import { installedClients } from './install-clients.ts'
import { readTally, type Tally } from './read-tally.ts'
import { startGroup } from './start-group.ts'

/**
 * Runs gza with the real clients, in fixed versions, against a scripted model on loopback (docs/clients.md).
 * Arguments (`npm run test:agents -- codex`) select clients. With --all-levels, everything that depends on the box is
 * tested at every level and as both users, and not only a selection. A run of all clients compares its results with the
 * tables in docs/clients.md, and with --write puts them there. The last line is `N passed, N failed`.
 */
const ROOT = dirname(import.meta.dir)
const BUN = process.execPath
const PAGE = join(ROOT, 'docs/clients.md')
const WRITE = '--write'
const ALL_LEVELS = '--all-levels'
const AT_ONCE = 4
/** Started first, because they would run alone at the end. */
const SLOWEST = ['opencode-in-boxes.ts', 'opencode.ts', 'qwen-in-boxes.ts', 'qwen.ts']
/** The files with the tests of all pairs but the first. */
const IN_BOXES = '-in-boxes.ts'
/** The one that needs a package from the registry. */
const NIGHT = './test/clients/runs/npm-package.ts'

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'gza-results-'))
  try {
    const clients = installedClients()
    build()
    return report(await testAgents(args, { folder, clients }))
  } catch (error) {
    console.log(error instanceof Error ? error.message : error)
    return report([{ passed: 0, failed: 1 }])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function testAgents(args: string[], { folder, clients }: { folder: string; clients: string }): Promise<Tally[]> {
  const words = args.filter((arg) => arg !== WRITE && arg !== ALL_LEVELS)
  const results = join(folder, 'passed')
  writeFileSync(results, '')
  const view = openView(join(ROOT, 'dist'), clients)
  const pairs = findPairs(view)
  const files = chooseFiles(words, pairs)
  const settings = {
    ...{ GZA_CLIENTS: view.clients, GZA_BIN: view.gza, GZA_CLIENT_RESULTS: results },
    GZA_CLIENT_PAIRS: pairs.map(pairName).join(' '),
    ...(args.includes(ALL_LEVELS) && { GZA_CLIENT_LEVELS: 'all' }),
    ...(files.includes(NIGHT) && { GZA_NPM_PACKAGE: fetchPackage(folder) }),
  }
  const tallies = await runFiles(files, (file) => runTests([...view.through, BUN, 'test', file], settings))
  if (words.length > 0) return tallies
  return [...tallies, ...compareTables(readFileSync(results, 'utf8'), pairs, args)]
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

function chooseFiles(words: readonly string[], pairs: readonly Pair[]): string[] {
  const names = readdirSync(join(ROOT, 'test/clients/runs')).filter((name) => !SLOWEST.includes(name))
  const inOrder = [...SLOWEST, ...names].map((name) => `./test/clients/runs/${name}`)
  const all = inOrder.filter((file) => pairs.length > 1 || !file.includes(IN_BOXES))
  const files = all.filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  if (files.length === 0) throw new Error(`no client is called ${words.join(' ')}`)
  return files
}

/**
 * Several at a time: they are busy while they start, and then mostly wait. In this order, which `bun test --parallel`
 * would not keep.
 */
async function runFiles(files: readonly string[], run: (file: string) => Promise<Tally>): Promise<Tally[]> {
  const left = [...files]
  const tallies: Tally[] = []
  const work = async (): Promise<void> => {
    for (let file = left.shift(); file !== undefined; file = left.shift()) tallies.push(await run(file))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return tallies
}

/** What it prints is shown when it ends. */
async function runTests(argv: string[], settings: NodeJS.ProcessEnv): Promise<Tally> {
  const env = { ...process.env, ...settings }
  const { code, output } = await startGroup(argv, { cwd: ROOT, env }).ended
  process.stdout.write(output)
  return readTally(code, output)
}

/** The table of all levels is compared only if all of them were tested. */
function compareTables(passed: string, pairs: readonly Pair[], args: readonly string[]): Tally[] {
  const [strongest] = pairs
  const isWhole = args.includes(ALL_LEVELS) && pairs.length === ALL_PAIRS.length
  const tables = [
    ...(strongest ? [{ begins: BEGINS.rows, table: makeTable(passed, strongest) }] : []),
    ...(isWhole ? [{ begins: BEGINS.boxes, table: makeBoxTable(passed) }] : []),
  ]
  return tables.map(({ begins, table }) => compareTable(begins, table, args.includes(WRITE)))
}

function compareTable(begins: string, table: string, mayWrite: boolean): Tally {
  const page = readFileSync(PAGE, 'utf8')
  const made = putTable(page, begins, table)
  if (made === page) return { passed: 1, failed: 0 }
  if (mayWrite) writeFileSync(PAGE, made)
  else console.log(`${table}\n(fail) docs/clients.md has another table: npm run test:agents -- ${WRITE}`)
  return mayWrite ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}
