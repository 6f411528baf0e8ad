import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { aRepo } from '../../support/repo.ts'
import { GO, NPM, PYTHON, UNITTEST } from './projects.ts'
import { aProject, tellNight } from './tell-night.ts'

test('an npm project: init, a limit, a fallback, a question, a red base, and everything landed', () => tellNight(NPM))

const python = aRepo().run(['python3', '-m', 'pytest', '--version']).code === 0 ? PYTHON : UNITTEST
test(`a Python project (${python.name}): the same night`, () => tellNight(python))

if (Bun.which('go') !== null) test('a Go project: the same night', () => tellNight(GO))

test('a Go project without go on this machine gets its gza.yaml, and a red check that names the command', () => {
  const repo = aProject(GO)
  const without = repo.withEnv({
    PATH: (repo.env.PATH ?? '')
      .split(':')
      .filter((folder) => !existsSync(join(folder, 'go')))
      .join(':'),
  })
  const init = without.gza('init', '--yes')
  expect(without.gza('config', 'verify.command').stdout).toContain(GO.check)
  expect(init.stdout).toMatch(/✗ The checks fail on main .*\n {2}go test \.\/\.\.\. exited with 127: /)
})
