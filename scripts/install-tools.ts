import { spawnSync } from 'node:child_process'

/**
 * Programs of other languages, with which the tests run whole nights (test/runs/night). As a script, it installs the ones
 * that are missing, where it may: as root, with apt-get. `npm test` installs nothing and reports what it did not run.
 */
export interface Tool {
  name: string
  /** A call that succeeds if it is there. */
  probe: readonly string[]
  /** The Debian package. */
  package: string
  /** What is not tested without it. */
  tests: string
}

export const TOOLS = {
  go: { name: 'go', probe: ['go', 'version'], package: 'golang-go', tests: 'a night on a Go project' },
  pytest: {
    ...{ name: 'pytest', probe: ['python3', '-m', 'pytest', '--version'], package: 'python3-pytest' },
    tests: 'a night on a Python project with pytest (unittest was used instead)',
  },
} satisfies Record<string, Tool>

const MOST_MS = 600_000

if (import.meta.main) for (const tool of missingTools()) console.log(install(tool))

export function missingTools(): Tool[] {
  return Object.values(TOOLS).filter(({ probe: [program = '', ...args] }) => spawnSync(program, args).status !== 0)
}

/** A line for each tool that is missing: what was not tested because of it. */
export function notRun(): string[] {
  return missingTools().map(({ name, tests }) => `Not run: ${tests}, because there is no ${name}. ${INSTALL}`)
}

const INSTALL = 'Install it, or let scripts/bun scripts/install-tools.ts do it (Debian, as root).'

/** What was done, in one line. A machine on which it cannot be installed is not an error: the tests say what is not run. */
function install({ name, package: wanted, probe: [program = '', ...args] }: Tool): string {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0)
    return `${name} is missing, and only root can install it here, with apt-get.`
  // A fresh image has no lists of packages.
  const isThere = aptGet('install', wanted) || (aptGet('update') && aptGet('install', wanted))
  if (!isThere) return `${name} is missing: apt-get install ${wanted} failed.`
  if (spawnSync(program, args).status === 0) return `Installed ${wanted}.`
  return `Installed ${wanted}, but ${[program, ...args].join(' ')} still fails: another ${program} is first on PATH.`
}

function aptGet(action: 'install' | 'update', ...packages: string[]): boolean {
  const quiet = ['-qq', '--yes', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120']
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const done = spawnSync('apt-get', [action, ...quiet, ...packages], { env, encoding: 'utf8', timeout: MOST_MS })
  if (done.status !== 0) console.log(`${done.stdout ?? ''}${done.stderr ?? ''}`.trim())
  return done.status === 0
}
