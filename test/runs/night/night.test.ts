import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isHere, TOOLS } from '../../../scripts/install-tools.ts'
import type { Repo } from '../../support/repo.ts'
import { GO, NPM, PYTHON, UNITTEST } from './projects.ts'
import { aProject, tellNight } from './tell-night.ts'

test('an npm project: init, a limit, a fallback, a question, a red base, and everything landed', () => tellNight(NPM))

// `npm test` reports the nights that a machine cannot run.
const python = isHere(TOOLS.pytest) ? PYTHON : UNITTEST
test(`a Python project (${python.name}): the same night`, () => tellNight(python))

if (isHere(TOOLS.go)) test('a Go project: the same night', () => tellNight(GO))

test('a Go project without go on this machine gets its gza.yaml, and a red check that names the command', () => {
  const repo = aProject(GO)
  const without = repo.withEnv({ PATH: pathWithout(repo, 'go') })
  const init = without.gza('init', '--yes')
  expect(without.gza('config', 'verify.command').stdout).toContain(GO.check)
  expect(init.stdout).toMatch(/✗ The checks fail on main .*\n {2}go test \.\/\.\.\. exited with 127: /)
})

/** A folder that has the program, which may have everything else too, is replaced by links to all but it. */
function pathWithout(repo: Repo, program: string): string {
  const folders = (repo.env.PATH ?? '').split(':').filter(Boolean)
  return folders
    .map((folder) => (existsSync(join(folder, program)) ? linksWithout(repo, folder, program) : folder))
    .join(':')
}

function linksWithout({ dir }: Repo, folder: string, program: string): string {
  const links = mkdtempSync(join(dirname(dir), 'bin-'))
  for (const name of readdirSync(folder)) if (name !== program) symlinkSync(join(folder, name), join(links, name))
  return links
}
