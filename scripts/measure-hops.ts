/**
 * How many files a reader must open to follow one landed task: `scripts/bun scripts/measure-hops.ts [checkout …]` runs
 * `gza work` for one task with a scripted agent and `land: cherry-pick`, in a build whose functions are traced, and
 * counts the files that were executed, the calls from one file to another and the calls from one folder of src to
 * another. `--pairs` lists the pairs of folders and files with the most calls.
 */
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { traceCalls } from './hops/trace-calls.ts'

interface Counted {
  argv: string[]
  files: string[]
  calls: [string, number][]
}

interface Hops {
  files: number
  hops: number
  crossings: number
}

/** Because of polling, two runs differ by a few calls. */
const ROUNDS = 5

const checkouts = process.argv.slice(2).filter((word) => !word.startsWith('--'))
for (const checkout of checkouts.length > 0 ? checkouts : [dirname(import.meta.dir)]) {
  const work = mkdtempSync(join(tmpdir(), 'hops-'))
  try {
    const gza = buildTraced(resolve(checkout), work)
    const rounds = Array.from({ length: ROUNDS }, (_, round) => landOneTask(gza, join(work, `round-${round}`)))
    const measured = rounds.map(hopsOf).sort((a, b) => a.hops - b.hops)
    const { files, hops, crossings } = measured[Math.floor(ROUNDS / 2)] as Hops
    console.log(`${checkout}: ${files} files, ${hops} file hops, ${crossings} layer crossings`)
    if (process.argv.includes('--pairs')) printPairs(rounds[0] as Counted)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function buildTraced(checkout: string, work: string): string {
  for (const part of ['src', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json', 'docs'])
    cpSync(join(checkout, part), join(work, part), { recursive: true })
  symlinkSync(join(checkout, 'node_modules'), join(work, 'node_modules'))
  // The page is not part of a run.
  mkdirSync(join(work, 'web'))
  writeFileSync(join(work, 'web/index.html'), '<!doctype html>')
  const src = join(work, 'src')
  for (const file of new Bun.Glob('**/*.ts').scanSync(src)) {
    if (file.endsWith('.d.ts') || file.endsWith('.test.ts')) continue
    writeFileSync(join(src, file), traceCalls(file, readFileSync(join(src, file), 'utf8')))
  }
  writeFileSync(join(src, 'tracer.ts'), readFileSync(join(import.meta.dir, 'hops/tracer.ts')))
  run([process.execPath, 'scripts/build.ts'], work)
  return join(work, 'dist/gza')
}

function landOneTask(gza: string, work: string): Counted {
  const repo = join(work, 'repo')
  const hops = join(work, 'hops')
  for (const folder of [repo, hops, join(work, 'home')]) mkdirSync(folder, { recursive: true })
  const agent = join(work, 'agent')
  writeFileSync(agent, '#!/bin/sh\necho done >done.txt\ngit add done.txt\ngit commit -qm "Do it"\n')
  chmodSync(agent, 0o755)
  const config = { land: 'cherry-pick', defaults: { agent: 'scripted' }, agents: { scripted: { command: agent } } }
  const yaml = Object.entries(config).map(([name, section]) => `${name}: ${JSON.stringify(section)}\n`)
  writeFileSync(join(repo, 'gza.yaml'), yaml.join(''))
  const env = { ...environment(work), GZA_TRUST: '1' }
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '.'],
    ['commit', '-qm', 'First'],
  ])
    run(['git', ...args], repo, env)
  run([gza, 'add', 'Do it'], repo, env)
  run([gza, 'work'], repo, { ...env, GZA_HOPS: hops })
  const [landed] = JSON.parse(run([gza, 'list', '--all', '--json'], repo, env)) as { landed: unknown; status: string }[]
  if (landed?.status !== 'completed') throw new Error(`the task is ${landed?.status}`)
  if (!run(['git', 'ls-tree', '--name-only', 'main'], repo, env).includes('done.txt'))
    throw new Error('it did not land')
  const all = readdirSync(hops).map((name) => JSON.parse(readFileSync(join(hops, name), 'utf8')) as Counted)
  const counted = all.find(({ argv }) => argv[0] === 'work')
  if (counted === undefined) throw new Error('gza work has counted nothing')
  return counted
}

function environment(work: string): Record<string, string> {
  const person = ['AUTHOR', 'COMMITTER'].flatMap((role) => [
    [`GIT_${role}_NAME`, 'Ada'],
    [`GIT_${role}_EMAIL`, 'ada@example.com'],
  ])
  return {
    PATH: process.env.PATH ?? '',
    HOME: join(work, 'home'),
    GIT_CONFIG_NOSYSTEM: '1',
    ...Object.fromEntries(person),
  }
}

function run(command: string[], cwd: string, env: Record<string, string | undefined> = process.env): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd, env, stdin: 'ignore' })
  if (exitCode === 0) return stdout.toString()
  throw new Error(`${command.join(' ')} exited with ${exitCode}:\n${stdout}${stderr}`)
}

function hopsOf({ files, calls }: Counted): Hops {
  const crossing = calls.filter(([pair]) => isCrossing(pair))
  return { files: files.length, hops: sum(calls), crossings: sum(crossing) }
}

function isCrossing(pair: string): boolean {
  const [from, to] = pair.split(' ').map(layerOf)
  return from !== to
}

function layerOf(file: string): string {
  return file.split('/')[0] ?? ''
}

function sum(calls: readonly [string, number][]): number {
  return calls.reduce((total, [, count]) => total + count, 0)
}

function printPairs({ calls }: Counted): void {
  const byLayers = Map.groupBy(calls, ([pair]) => pair.split(' ').map(layerOf).join(' → '))
  const layers = [...byLayers].map(([pair, list]): [string, number] => [pair, sum(list)])
  for (const [pair, count] of top(layers, 60)) console.log(`${String(count).padStart(6)}  ${pair}`)
  console.log()
  for (const [pair, count] of top(
    calls.filter(([pair]) => isCrossing(pair)),
    150,
  ))
    console.log(`${String(count).padStart(6)}  ${pair.replace(' ', ' → ')}`)
}

function top(pairs: readonly [string, number][], most: number): [string, number][] {
  return [...pairs].sort(([, a], [, b]) => b - a).slice(0, most)
}
