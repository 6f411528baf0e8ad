import { expect, test } from 'bun:test'
import { chmodSync, copyFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { aRepo, type Repo } from '../support/repo.ts'

const SCRIPT = join(import.meta.dir, '../../scripts/bun')

test('where npm ran no install scripts, the platform package replaces the broken stub', () => {
  const project = aProject()
  program(project, 'node_modules/bun/bin/bun.exe', 'echo "postinstall was not run" >&2; exit 1')
  program(project, 'node_modules/@oven/bun-linux-x64-musl/bin/bun', 'exit 127')
  program(project, 'node_modules/@oven/bun-linux-x64/bin/bun', 'echo "bun $*"')
  expect(project.run(['scripts/bun', 'test', 'a b'])).toEqual({ code: 0, stdout: 'bun test a b\n', stderr: '' })
})

test('a Bun that its install script has put in place comes first', () => {
  const project = aProject()
  rmSync(program(project, 'node_modules/bun/bin/bun.exe', ''))
  symlinkSync(process.execPath, join(project.dir, 'node_modules/bun/bin/bun.exe'))
  program(project, 'node_modules/@oven/bun-linux-x64/bin/bun', 'echo other')
  expect(project.run(['scripts/bun', '--version']).stdout).toBe(`${Bun.version}\n`)
})

test('without any Bun it says what to run', () => {
  const project = aProject()
  expect(project.run(['scripts/bun', 'test'])).toEqual({
    code: 1,
    stdout: '',
    stderr: `scripts/bun: no Bun for this machine in ${project.dir}/node_modules. Run: npm ci\n`,
  })
})

function aProject(): Repo {
  const project = aRepo()
  const copy = project.write('scripts/bun', '')
  copyFileSync(SCRIPT, copy)
  return project
}

function program(project: Repo, path: string, body: string): string {
  const file = project.write(path, `#!/bin/sh\n${body}\n`)
  chmodSync(file, 0o755)
  return file
}
