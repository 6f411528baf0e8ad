import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { compile } from './compile.ts'
import { makeManPages } from './make-man.ts'
import { sharedChunks } from './shared-chunks.ts'

/**
 * Builds dist/gza, dist/git-tasks and dist/man, and does nothing when they are current.
 *
 * Several builds may run at once: each works in a separate folder and renames its results into place. The stamp names
 * the exact file it was written for, so a slower build of older sources is not taken for a newer one.
 */
const ROOT = dirname(import.meta.dir)
const DIST = join(ROOT, 'dist')
// Beside the executable: man looks there for each folder on PATH.
const MAN = join(DIST, 'man', 'man1')
const STAMP = join(DIST, '.built')

// Bun reads these before any of our code runs. With the first, an executable acts as a plain Bun; with the second, it
// runs a preload script; with the third, it waits for a debugger. No flag turns this off.
const RUNTIME_VARIABLES = ['BUN_BE_BUN', 'BUN_OPTIONS', 'BUN_INSPECT']

try {
  await build()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

async function build(): Promise<void> {
  const inputs = hashInputs()
  if (isCurrent(inputs)) return
  mkdirSync(MAN, { recursive: true })
  const work = mkdtempSync(join(DIST, '.build-'))
  try {
    const source = join(ROOT, 'src/main.ts')
    await compile({ source, outfile: join(work, 'gza'), runtime: deafRuntime(work), plugins: [sharedChunks(ROOT)] })
    makeManPages(work)
    symlinkSync('gza', join(work, 'git-tasks'))
    writeFileSync(join(work, 'stamp'), stampOf(inputs, join(work, 'gza')))
    install(work)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** A runtime that reads these variables under names that no environment can have. Only on Linux: elsewhere Bun is signed. */
function deafRuntime(work: string): string | null {
  if (process.platform !== 'linux') return null
  const bytes = readFileSync(process.execPath)
  for (const name of RUNTIME_VARIABLES) {
    for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 1)) bytes.write('=', at)
  }
  const path = join(work, 'runtime')
  writeFileSync(path, bytes, { mode: 0o755 })
  return path
}

function install(work: string): void {
  for (const page of readdirSync(work).filter((name) => name.endsWith('.1'))) {
    renameSync(join(work, page), join(MAN, page))
  }
  renameSync(join(work, 'gza'), join(DIST, 'gza'))
  renameSync(join(work, 'git-tasks'), join(DIST, 'git-tasks'))
  renameSync(join(work, 'stamp'), STAMP)
}

function isCurrent(inputs: string): boolean {
  try {
    return readFileSync(STAMP, 'utf8') === stampOf(inputs, join(DIST, 'gza'))
  } catch {
    return false
  }
}

function stampOf(inputs: string, executable: string): string {
  const { ino, mtimeMs, size } = statSync(executable)
  return `${inputs} ${ino} ${mtimeMs} ${size}\n`
}

/** Everything the results are made from. Read before the build, so that the next build sees a change made during it. */
function hashInputs(): string {
  const sources = ['src', 'web']
    .flatMap((folder) => [...new Bun.Glob(`${folder}/**/*`).scanSync(ROOT)])
    .filter((path) => !path.endsWith('.test.ts'))
  const others = [
    'package.json',
    'package-lock.json',
    'scripts/build.ts',
    'scripts/compile.ts',
    'scripts/loaded-files.ts',
    'scripts/make-man.ts',
    'scripts/man/page.ts',
    'scripts/man/roff.ts',
    'scripts/shared-chunks.ts',
  ]
  const hash = new Bun.CryptoHasher('sha256').update(Bun.version)
  for (const path of [...sources.sort(), ...others]) hash.update(`\0${path}\0`).update(readFileSync(join(ROOT, path)))
  return hash.digest('hex')
}
