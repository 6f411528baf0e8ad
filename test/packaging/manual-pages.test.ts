import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandIndex } from '../../src/cli/command-docs.ts'
import { binDir } from '../support/built-program.ts'
import { aRepo } from '../support/repo.ts'

const PAGES = ['gza', 'git-tasks'].map((name) => join(binDir(), 'man/man1', `${name}.1`))
const REQUESTS = ['B', 'BR', 'PP', 'RE', 'RS', 'SH', 'SS', 'TH', 'TP', 'fi', 'nf']

test('the pages use known requests only, in pairs where they are pairs, and no bare backslash', () => {
  for (const page of PAGES) {
    const lines = readFileSync(page, 'utf8').trimEnd().split('\n')
    const requests = lines.filter((line) => line.startsWith('.')).map((line) => line.slice(1).split(' ', 1)[0] ?? '')
    const count = (name: string): number => requests.filter((request) => request === name).length
    expect(requests.filter((request) => !REQUESTS.includes(request))).toEqual([])
    expect([count('RS'), count('nf')]).toEqual([count('RE'), count('fi')])
    expect(lines.filter((line) => line === '' || line.startsWith("'") || /\\(?![-e&(])/.test(line))).toEqual([])
  }
})

test('every command and every flag that help shows is in both pages', () => {
  const [gza = '', gitTasks = ''] = PAGES.map((page) => readFileSync(page, 'utf8').replaceAll('\\-', '-'))
  for (const command of commandIndex.filter(({ hidden }) => !hidden)) {
    expect(gza).toContain(`.B "gza ${command.name}`)
    expect(gitTasks).toContain(`.B "git tasks ${command.name}`)
    for (const flag of command.flags) expect(gza).toContain(`--${flag.name}`)
  }
})

// BSD's man can't read a page from a path; there the first test is all there is.
test.if(hasManDb())('man renders both pages without a warning', () => {
  const repo = aRepo()
  for (const page of PAGES) {
    const { code, stdout, stderr } = repo.run(['man', '--warnings', '-l', page], { env: { MANWIDTH: '80' } })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^(GZA|GIT-TASKS)\(1\)/)
    expect(stdout).toContain('EXIT STATUS')
  }
})

test.if(hasManDb())('`git tasks --help` shows the page that lies beside the executable on PATH', () => {
  const { code, stdout } = aRepo().run(['git', 'tasks', '--help'])
  expect({ code, title: stdout.split('\n')[0]?.split(' ')[0] }).toEqual({ code: 0, title: 'GIT-TASKS(1)' })
})

function hasManDb(): boolean {
  return Bun.which('man') !== null && aRepo().run(['man', '--version']).stdout.startsWith('man 2')
}
