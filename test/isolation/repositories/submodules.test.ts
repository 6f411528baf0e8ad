import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { outputOf } from '../../support/ledger-answers.ts'
import { aProject, BOXES, expectLanded, expectSound, type Project, workIn } from './whole-run.ts'

const ALLOW = ['-c', 'protocol.file.allow=always']

/** Agents reach it: the folder beside the repository is shown. */
function aLibrary(repo: Project): string {
  const library = repo.beside('library.git')
  repo.git('init', '-q', '--bare', library)
  repo.git('push', '-q', library, 'main')
  return library
}

for (const level of BOXES) {
  test(`${level}: a repository with a submodule, which the set-up checks out`, () => {
    const repo = aProject(level, 'test -s lib/README.md; commit "$title.txt" x', {
      config: {
        worktree: { setup: 'git -c protocol.file.allow=always submodule --quiet update --init' },
        verify: { command: 'test -s lib/README.md' },
      },
    })
    repo.git(...ALLOW, 'submodule', 'add', '-q', aLibrary(repo), 'lib')
    repo.commit('with a submodule')
    const at = repo.at(repo.dir)
    const before = at.git('rev-parse', 'HEAD:lib')
    expectLanded(at, repo, level)
    expect(at.git('rev-parse', 'HEAD:lib')).toBe(before)
    expect(at.git('-C', 'lib', 'status', '--porcelain')).toBe('')
  })

  test(`${level}: a submodule that the agent adds lands if a person names it, and can be checked out`, () => {
    const add = 'git -c protocol.file.allow=always submodule --quiet add "$beside/library.git" lib'
    const repo = aProject(level, `${add}; git commit -qm "$title"`)
    const library = aLibrary(repo)
    const at = repo.at(repo.dir)
    const printed = workIn(at, repo)
    expect(at.task().runs, printed).toMatchObject([{ outcome: 'completed', isolation: level }])
    // What it names is executed by git, so a person decides.
    const [entry] = JSON.parse(outputOf(at.run(['gza', 'inbox', '--json'])))
    expect(entry).toMatchObject({ code: 'GUARDED_FILES' })
    outputOf(at.run(repo.commandLine('merge', '1')))
    expect(at.git('rev-parse', 'main:lib')).toBe(at.git('-C', library, 'rev-parse', 'main'))
    at.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init')
    expect(existsSync(join(at.dir, 'lib/README.md'))).toBe(true)
    expectSound(at, repo)
  })
}
