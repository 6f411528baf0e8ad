import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expectNothingLeft } from '../runs/isolated-repo.ts'
import { anOwnTree, BOXES, DONE, type OwnTreeRepo } from './own-tree-repo.ts'

const SUBMODULE = 'git -c protocol.file.allow=always submodule --quiet'

/** A tree with one submodule, whose name has two parts. */
function aTree(level: (typeof BOXES)[number], act: string): OwnTreeRepo {
  const repo = anOwnTree(level, { else: `set -e\n${act}\n${DONE}` })
  const library = repo.beside('library.git')
  repo.git('init', '-q', '--bare', library)
  repo.git('push', '-q', library, 'main')
  repo.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', library, 'libs/old')
  repo.commit('with a submodule')
  repo.add('Add')
  return repo
}

/** Git itself finds nothing wrong with it, and can fetch it again. */
function expectSubmodule(repo: OwnTreeRepo, path: string): void {
  expect(repo.git('-C', path, 'rev-parse', 'HEAD')).toBe(repo.git('rev-parse', `main:${path}`))
  expect(repo.git('-C', path, 'status', '--porcelain')).toBe('')
  repo.git('-C', path, 'fsck', '--no-dangling', '--no-progress')
  expect(existsSync(join(repo.dir, path, 'README.md'))).toBe(true)
}

const ADDED = ['libs/new', 'vendor/Größe und Maß', '.config/lib']

for (const level of BOXES) {
  test(`${level}: an agent adds submodules beside one that is there, also with blanks, other letters and a dot`, () => {
    const adds = ADDED.map((path) => `${SUBMODULE} add "$beside/library.git" '${path}'`).join('\n')
    const repo = aTree(level, `${adds}\ngit commit -qm 'add submodules'`)
    const { code, stdout, stderr } = repo.runTasks('--once')
    expect(code, stdout + stderr).toBe(0)
    expect(repo.task('1').runs).toMatchObject([{ outcome: 'completed', isolation: level }])
    const subjects = repo.inbox().map(({ code, subject }) => `${code} ${subject}`)
    expect(subjects.sort()).toEqual(ADDED.map((path) => `NESTED_REPOSITORY ${path}`).sort())
    expect(repo.git('status', '--porcelain')).toBe('')
    for (const path of ['libs/old', ...ADDED]) expectSubmodule(repo, path)
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init')
    expectNothingLeft(repo)
  })

  test(`${level}: the submodule that is there cannot be changed, and leaves nothing behind`, () => {
    const attack = 'git -C libs/old config core.fsmonitor /bin/false || :; rm -rf .git/modules/libs/old || :'
    const repo = aTree(level, `(${attack}) 2>/dev/null; commit a.txt a`)
    const { code, stdout, stderr } = repo.runTasks('--once')
    expect(code, stdout + stderr).toBe(0)
    expect(repo.git('-C', 'libs/old', 'config', '--default', '', 'core.fsmonitor')).toBe('')
    expectSubmodule(repo, 'libs/old')
    expect(repo.git('show', 'main:a.txt')).toBe('a')
    expect(repo.inbox()).toEqual([])
    expectNothingLeft(repo)
  })
}
