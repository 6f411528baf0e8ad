import { expect, test } from 'bun:test'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Result } from '../../support/repo.ts'
import { expectNothingLeft, LEVELS } from '../runs/isolated-repo.ts'
import { anOwnTree, BOXES, DONE, type OwnTreeRepo } from './own-tree-repo.ts'

const ACTS = { else: `commit "$title.txt" x; git log --oneline >/dev/null; ${DONE}` }

interface Form {
  /** Makes the tree and returns its folder. */
  make(repo: OwnTreeRepo): string
  branch: string
}

const FORMS: Record<string, Form> = {
  'a linked worktree': {
    branch: 'feature',
    make: (repo) => {
      repo.git('worktree', 'add', '-q', '-b', 'feature', repo.beside('linked'))
      return repo.beside('linked')
    },
  },
  'a separate git folder': {
    branch: 'main',
    make: (repo) => {
      repo.git('init', '-q', '--separate-git-dir', repo.beside('separate.git'))
      return repo.dir
    },
  },
  'a worktree of a bare repository': {
    branch: 'main',
    make: (repo) => {
      repo.git('clone', '-q', '--bare', repo.dir, repo.beside('bare.git'))
      repo.run(['git', '-C', repo.beside('bare.git'), 'worktree', 'add', '-q', repo.beside('tree'), 'main'])
      return repo.beside('tree')
    },
  },
  'the checkout of a submodule': {
    branch: 'main',
    make: (repo) => {
      const above = repo.beside('above')
      repo.git('init', '-q', '-b', 'main', above)
      const git = (...args: string[]) => repo.run(['git', '-C', above, '-c', 'protocol.file.allow=always', ...args])
      git('submodule', 'add', '-q', repo.dir, 'lib')
      git('commit', '-qm', 'with a submodule')
      return join(above, 'lib')
    },
  },
}

function inTree(repo: OwnTreeRepo, dir: string, argv: string[]): Result {
  return repo.run(argv, { cwd: dir })
}

for (const level of BOXES) {
  test.each(Object.entries(FORMS))(`${level}: %s`, (_, { make, branch }) => {
    const repo = anOwnTree(level, ACTS)
    const dir = make(repo)
    const git = (...args: string[]) => inTree(repo, dir, ['git', ...args]).stdout.trim()
    inTree(repo, dir, ['gza', 'add', 'one'])
    const start = git('rev-parse', 'HEAD')
    const config = git('config', '--list', '--local')
    const { code, stdout, stderr } = inTree(repo, dir, repo.runLine())
    expect(code, stdout + stderr).toBe(0)
    expect(git('log', '--format=%s', `${start}..${branch}`)).toBe('one: one.txt')
    expect(git('status', '--porcelain')).toBe('')
    expect(git('config', '--list', '--local')).toBe(config)
    const { runs } = JSON.parse(inTree(repo, dir, ['gza', 'show', '1', '--json']).stdout)
    expect(runs).toMatchObject([{ outcome: 'completed', isolation: level }])
    expect(inTree(repo, dir, ['gza', 'inbox']).stdout).not.toContain('run')
    expect(repo.survivors()).toEqual([])
  })

  test(`${level}: submodules and nested repositories of the person can be read and not changed`, () => {
    const attack =
      'git -C lib config core.fsmonitor /bin/false; git -C own config core.fsmonitor /bin/false; rm -rf own/.git lib/.git'
    const repo = anOwnTree(level, {
      else: `${attack}; git status --porcelain >"$beside/status"; commit a.txt a; ${DONE}`,
    })
    repo.git('init', '-q', '--bare', repo.beside('library.git'))
    repo.git('push', '-q', repo.beside('library.git'), 'main')
    repo.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', repo.beside('library.git'), 'lib')
    repo.git('init', '-q', 'own')
    repo.write('.gitignore', 'own\n')
    repo.commit('with a submodule')
    repo.add('one')
    const { code, stdout, stderr } = repo.runTasks()
    expect(code, stdout + stderr).toBe(0)
    expect(repo.git('-C', 'lib', 'config', '--default', '', 'core.fsmonitor')).toBe('')
    expect(repo.git('-C', 'own', 'config', '--default', '', 'core.fsmonitor')).toBe('')
    expect(existsSync(join(repo.dir, 'own/.git/HEAD'))).toBe(true)
    expect(repo.seen('status')).toBe('')
    expect(repo.git('status', '--porcelain')).toBe('')
    expect(repo.inbox()).toEqual([])
    expectNothingLeft(repo)
  })

  test(`${level}: where a tree cannot have a box, the run says why, and required refuses`, () => {
    const repo = anOwnTree(level, ACTS)
    repo.git('checkout', '-q', '--detach')
    repo.gza('add', 'one', '--branch', 'main')
    const { code, stdout, stderr } = repo.runTasks('--branch', 'main')
    expect(code, stdout + stderr).toBe(0)
    expect(stdout + stderr).toContain('Its agent has no box in this tree: it is on no branch')
    const strict = anOwnTree(level, ACTS, { isolation: 'required' })
    rmSync(join(strict.dir, '.git/refs/heads/main'))
    const refused = strict.runTasks()
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain(
      'isolation is required, but no box can be made for this tree: main has no commit yet',
    )
  })
}

if (LEVELS.includes('landlock'))
  test('landlock does not hold agents in the person’s own tree, and the run says so', () => {
    const repo = anOwnTree('landlock', ACTS)
    repo.add('one')
    const { code, stdout, stderr } = repo.runTasks()
    expect(code, stdout + stderr).toBe(0)
    expect(stdout + stderr).toContain('Its agent has no box in this tree: this machine has only Landlock')
    expect(repo.task('1').runs).toMatchObject([{ outcome: 'completed', isolation: 'none' }])
    expect(repo.git('status', '--porcelain')).toBe('')
  })
