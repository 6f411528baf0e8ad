import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')

/** A machine on which nothing is on PATH, not even apt-get. */
function onBareMachine(code: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'gza-bare-'))
  try {
    const { stdout } = Bun.spawnSync([process.execPath, ...code.split(' ')], { cwd: ROOT, env: { PATH: folder } })
    return stdout.toString().trim().split('\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a machine without the tools, and without a way to install them, is told what it lacks', () => {
  expect(onBareMachine('scripts/install-tools.ts')).toEqual([
    'go is missing, and only root can install it here, with apt-get.',
    'pytest is missing, and only root can install it here, with apt-get.',
    'bubblewrap is missing, and only root can install it here, with apt-get.',
    'git-lfs is missing, and only root can install it here, with apt-get.',
    'pre-commit is missing, and only root can install it here, with apt-get.',
    'git with reftable (2.45) is missing, and no package has it. Put it on PATH.',
    'zsh is missing, and only root can install it here, with apt-get.',
    'fish is missing, and only root can install it here, with apt-get.',
    'PostgreSQL is missing, and only root can install it here, with apt-get.',
    'chromium is missing, and only root can install it here, with apt-get.',
  ])
})

test('what was not run without a tool is said plainly', () => {
  const lines = onBareMachine('-e console.log((await(import("./scripts/install-tools.ts"))).notRun().join("\\n"))')
  expect(lines).toEqual([
    'Not run: a night on a Go project, because there is no go. Install it, or let scripts/bun scripts/install-tools.ts do it (Debian, as root).',
    'Not run: a night on a Python project with pytest (unittest was used instead), because there is no pytest. Install it, or let scripts/bun scripts/install-tools.ts do it (Debian, as root).',
    'Not run: boxes of bubblewrap, because there is no bubblewrap. Install it, or let scripts/bun scripts/install-tools.ts do it (Debian, as root).',
    'Not run: LFS objects in a box, and the hooks of git-lfs itself, because there is no git-lfs. Install it, or let scripts/bun scripts/install-tools.ts do it (Debian, as root).',
    'Not run: the hooks of pre-commit itself, because there is no pre-commit. Install it, or let scripts/bun scripts/install-tools.ts do it (Debian, as root).',
    'Not run: a repository whose refs are a reftable, because there is no git with reftable (2.45). Put it on PATH.',
    'Not run: completion in zsh, because there is no zsh. Install it, or let scripts/bun scripts/install-tools.ts do it (Debian, as root).',
    'Not run: completion in fish, because there is no fish. Install it, or let scripts/bun scripts/install-tools.ts do it (Debian, as root).',
    'Not run: a fleet of several machines, because there is no PostgreSQL. Install it, or let scripts/bun scripts/install-tools.ts do it (Debian, as root).',
    'Not run: the page in a browser, because there is no chromium. Install it, or let scripts/bun scripts/install-tools.ts do it (Debian, as root).',
  ])
})
