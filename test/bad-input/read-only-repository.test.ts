import { describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { add, aStartedRepo, contents, gza, tipOf } from '../support/ledger-calls.ts'
import type { Repo, Result } from '../support/repo.ts'

/**
 * Root may write whatever the permissions say, unless it gives up the right to: `setpriv` takes every capability away and
 * leaves the user as it is. No other user has capabilities.
 */
const UNPRIVILEGED = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : []

/** Runs a command in a repository in which nothing may be written. */
function readOnly(repo: Repo, argv: string[]): Result {
  repo.run(['chmod', '-R', 'a-w', '.'])
  try {
    return repo.run([...UNPRIVILEGED, ...argv], { stdin: '- [ ] more\n' })
  } finally {
    repo.run(['chmod', '-R', 'u+w', '.'])
  }
}

const READING = [
  ...[
    ['list'],
    ['list', '--all-branches'],
    ['list', '--text', 'one'],
    ['search', 'one'],
    ['ready'],
    ['next'],
    ['show', '1'],
    ['status'],
    ['groups'],
    ['log'],
    ['pr'],
    ['restore'],
  ],
  ...[['export'], ['export', '--csv'], ['query', 'SELECT id FROM tasks'], ['verify'], ['doctor'], ['trust', '--show']],
]
const WRITING = [
  ...[
    ['add', 'more'],
    ['done', '1'],
    ['note', '1', 'text'],
    ['edit', '1', '--title', 'other'],
    ['delete', '1'],
  ],
  ...[['move', '1', '--to', 'other'], ['undo'], ['redo'], ['restore', '3'], ['import', '-'], ['init']],
]

function aLedger(): Repo {
  const repo = aStartedRepo()
  repo.git('branch', 'other')
  add(repo, 'one')
  add(repo, 'two', '--after', '1')
  add(repo, 'undone')
  gza(repo, 'undo')
  return repo
}

describe.each([
  ['with an index', () => {}],
  ['without an index', (repo: Repo) => rmSync(join(repo.dir, '.git/gza'), { recursive: true })],
  [
    'with an index that is behind',
    (repo: Repo) => {
      repo.run(['cp', '-r', '.git/gza', '.git/kept'])
      add(repo, 'three')
      repo.run(['sh', '-c', 'rm -r .git/gza && mv .git/kept .git/gza'])
    },
  ],
])('a repository that may only be read, %s', (_, prepare) => {
  test('answers every question as before', () => {
    const repo = aLedger()
    prepare(repo)
    const answers = READING.map((args) => [args, readOnly(repo, ['gza', ...args])] as const)
    for (const [args, { code, stderr }] of answers)
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
    const writable = READING.filter(([name]) => name !== 'doctor').map((args) => repo.gza(...args).stdout)
    expect(answers.filter(([[name]]) => name !== 'doctor').map(([, { stdout }]) => stdout)).toEqual(writable)
  })

  test('refuses every change with one clear error, under both names, and nothing is changed', () => {
    const repo = aLedger()
    prepare(repo)
    const tip = tipOf(repo)
    for (const args of WRITING) {
      for (const name of ['gza', 'git-tasks']) {
        const plain = readOnly(repo, [name, ...args])
        expect({ args, code: plain.code, stdout: plain.stdout }).toEqual({ args, code: 1, stdout: '' })
        expect(plain.stderr).toMatch(
          /^Error: .*\n {2}Nothing was changed\. The repository cannot be written by this user: work in a clone of your own\.\n$/,
        )
      }
      const { error } = JSON.parse(readOnly(repo, ['gza', ...args, '--json']).stdout)
      expect({ args, code: error.code }).toEqual({ args, code: 'READ_ONLY' })
    }
    expect(tipOf(repo)).toBe(tip)
  })
})

test('where a task is claimed, everything is printed as before, and nothing is claimed, ticked or set up', () => {
  const repo = aLedger()
  repo.write('TODO.md', '- [ ] more\n')
  repo.gza('agents', 'add', 'backend')
  repo.withEnv({ GZA_AGENT: 'backend' }).gza('claim', '1')
  const told = (args: string[]) => readOnly(repo, ['gza', ...args]).stdout.replace(/seen \w+ ago/, '')
  for (const args of [['list'], ['tree'], ['where'], ['agents'], ['context'], ['why', '1'], ['todo'], ['show', '1']])
    expect({ args, told: told(args) }).toEqual({ args, told: repo.gza(...args).stdout.replace(/seen \w+ ago/, '') })
  const refused = (...args: string[]) => JSON.parse(readOnly(repo, ['gza', ...args, '--json']).stdout).error.code
  expect(refused('claim', '1', '--take-over')).toBe('READ_ONLY')
  expect(refused('agents', 'add', 'frontend')).toBe('READ_ONLY')
  expect(refused('todo', 'start', '1')).toBe('READ_ONLY')
  expect(refused('todo', 'done', '1')).toBe('UNWRITABLE_FILE')
  expect(refused('setup', 'claude', '--yes')).toBe('UNWRITABLE_FILE')
})

test('a folder of objects that may not be written refuses a change before anything moves', () => {
  const repo = aLedger()
  const tip = tipOf(repo)
  repo.run(['chmod', '-R', 'a-w', '.git/objects'])
  const { code, stderr } = repo.run([...UNPRIVILEGED, 'gza', 'add', 'more'])
  repo.run(['chmod', '-R', 'u+w', '.git/objects'])
  expect({ code, tip: tipOf(repo) }).toEqual({ code: 1, tip })
  expect(stderr).toContain(
    'Nothing was changed. The repository cannot be written by this user: work in a clone of your own.',
  )
  expect(contents(repo)).toEqual(['one', 'two'])
})
