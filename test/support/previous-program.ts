import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const ROOT = dirname(dirname(import.meta.dir))

/** The last commit before ledgers got facts that it does not know. */
const PREVIOUS = '9887643ef9e02aa64392197b98e592be56884eed'

/** The executable of an earlier commit. It is built once, from the history of this repository, and kept in dist. */
export function previousProgram(): string {
  const commit = git(['rev-parse', '--verify', '--quiet', `${PREVIOUS}^{commit}`]).trim()
  const folder = join(ROOT, 'dist/previous', commit)
  const program = join(folder, 'gza')
  if (existsSync(program)) return program
  const work = mkdtempSync(join(tmpdir(), 'gza-previous-'))
  try {
    git(['archive', '--output', join(work, 'source.tar'), commit])
    run(['tar', '-xf', 'source.tar'], work)
    symlinkSync(join(ROOT, 'node_modules'), join(work, 'node_modules'))
    run([process.execPath, 'scripts/build.ts'], work)
    mkdirSync(folder, { recursive: true })
    // A rename within one file system: several tests may build it at the same time.
    run(['cp', 'dist/gza', `${program}.${process.pid}`], work)
    renameSync(`${program}.${process.pid}`, program)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return program
}

function git(args: string[]): string {
  const hint = `Commit ${PREVIOUS} is not here: this test needs the whole history (git fetch --unshallow)`
  return run(['git', ...args], ROOT, hint)
}

function run(argv: string[], cwd: string, hint = ''): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(argv, { cwd, env: process.env })
  if (exitCode !== 0) throw new Error(`${argv.join(' ')} exited with ${exitCode}. ${hint}\n${stderr}`)
  return stdout.toString()
}
