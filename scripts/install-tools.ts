import { spawnSync } from 'node:child_process'

/**
 * Programs that some tests run and that the project itself does not install. As a script, it installs the ones that are
 * missing, where it may: as root, with apt-get. `npm test` installs nothing and reports what it did not run.
 */
export interface Tool {
  name: string
  /** A call that succeeds if it is there. */
  probe: readonly string[]
  /** The Debian package; null: none has it yet, and it is found where somebody has installed it. */
  package: string | null
  /** What is not tested without it. */
  tests: string
  /** The folder of those tests. */
  folder: string
}

const NIGHT = 'test/runs/night/'
const ISOLATION = 'test/isolation/'
const GUARD = 'test/guard/'
const COMPLETION = 'test/cli/'

export const TOOLS = {
  go: { name: 'go', probe: ['go', 'version'], package: 'golang-go', tests: 'a night on a Go project', folder: NIGHT },
  pytest: {
    ...{ name: 'pytest', probe: ['python3', '-m', 'pytest', '--version'], package: 'python3-pytest', folder: NIGHT },
    tests: 'a night on a Python project with pytest (unittest was used instead)',
  },
  bubblewrap: {
    ...{ name: 'bubblewrap', probe: ['bwrap', '--version'], package: 'bubblewrap', folder: ISOLATION },
    tests: 'boxes of bubblewrap',
  },
  lfs: {
    ...{ name: 'git-lfs', probe: ['git-lfs', 'version'], package: 'git-lfs', folder: ISOLATION },
    tests: 'LFS objects in a box, and the hooks of git-lfs itself',
  },
  preCommit: {
    ...{ name: 'pre-commit', probe: ['pre-commit', '--version'], package: 'pre-commit', folder: GUARD },
    tests: 'the hooks of pre-commit itself',
  },
  reftable: {
    ...{ name: 'git with reftable (2.45)', package: null, folder: ISOLATION },
    probe: ['sh', '-c', 'git init -h 2>&1 | grep -q -e --ref-format'],
    tests: 'a repository whose refs are a reftable',
  },
  zsh: { name: 'zsh', probe: ['zsh', '--version'], package: 'zsh', tests: 'completion in zsh', folder: COMPLETION },
  fish: {
    name: 'fish',
    probe: ['fish', '--version'],
    package: 'fish',
    tests: 'completion in fish',
    folder: COMPLETION,
  },
  postgres: {
    ...{ name: 'PostgreSQL', package: 'postgresql', folder: 'test/fleet/' },
    probe: ['sh', '-c', 'ls /usr/lib/postgresql/*/bin/initdb'],
    tests: 'a fleet of several machines',
  },
  chromium: {
    ...{ name: 'chromium', probe: ['chromium', '--version'], package: 'chromium', folder: 'test/web/browser/' },
    tests: 'the page in a browser',
  },
} satisfies Record<string, Tool>

const MOST_MS = 600_000

if (import.meta.main) for (const tool of missingTools()) console.log(install(tool))

export function isHere({ probe: [program = '', ...args] }: Tool): boolean {
  return spawnSync(program, args).status === 0
}

function missingTools(): Tool[] {
  return Object.values(TOOLS).filter((tool) => !isHere(tool))
}

/** What keeps it from being here; null: it is. */
export function installIfMissing(tool: Tool): string | null {
  if (isHere(tool)) return null
  const done = install(tool)
  return isHere(tool) ? null : done
}

/** A line for each tool that is missing: what was not tested because of it. `isChosen`: whether a folder's tests ran. */
export function notRun(isChosen: (folder: string) => boolean = () => true): string[] {
  return missingTools()
    .filter(({ folder }) => isChosen(folder))
    .map((tool) => `Not run: ${tool.tests}, because there is no ${tool.name}. ${howToInstall(tool)}`)
}

function howToInstall({ package: wanted }: Tool): string {
  return wanted === null
    ? 'Put it on PATH.'
    : 'Install it, or let scripts/bun scripts/install-tools.ts do it (Debian, as root).'
}

/** What was done, in one line. A machine on which it cannot be installed is not an error: the tests say what is not run. */
function install(tool: Tool): string {
  const { name, package: wanted, probe } = tool
  if (wanted === null) return `${name} is missing, and no package has it. ${howToInstall(tool)}`
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0)
    return `${name} is missing, and only root can install it here, with apt-get.`
  // A fresh image has no lists of packages.
  const isThere = aptGet('install', wanted) || (aptGet('update') && aptGet('install', wanted))
  if (!isThere) return `${name} is missing: apt-get install ${wanted} failed.`
  if (isHere(tool)) return `Installed ${wanted}.`
  return `Installed ${wanted}, but ${probe.join(' ')} still fails: another ${probe[0]} is first on PATH.`
}

function aptGet(action: 'install' | 'update', ...packages: string[]): boolean {
  const quiet = ['-qq', '--yes', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120']
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const done = spawnSync('apt-get', [action, ...quiet, ...packages], { env, encoding: 'utf8', timeout: MOST_MS })
  if (done.status !== 0) console.log(`${done.stdout ?? ''}${done.stderr ?? ''}`.trim())
  return done.status === 0
}
