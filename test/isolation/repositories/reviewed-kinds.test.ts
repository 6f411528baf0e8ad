import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isHere, TOOLS } from '../../../scripts/install-tools.ts'
import { outputOf } from '../../support/ledger-answers.ts'
import type { IsolatedRepo } from '../runs/isolated-repo.ts'
import { expectReviewedAndLanded, type Kind } from './reviewed-run.ts'
import { BOXES, STRONGEST } from './whole-run.ts'

const HUSKY = join(import.meta.dir, '../../../node_modules/husky')
const NPM_INSTALL = 'npm install --silent --offline --no-audit --no-fund --no-package-lock'
/** A hook that shows that it ran: it adds a file to the commit. */
const MARK = 'echo ran >hooked.txt && git add hooked.txt'

const FILES = { 'in/a.txt': 'a\n', 'out/b.txt': 'b\n' }

const KINDS: Record<string, Kind> = {
  'SHA-256': {
    options: { objectFormat: 'sha256' },
    expect: ({ git }) => expect(git('rev-parse', 'HEAD')).toHaveLength(64),
  },

  'a sparse checkout': {
    options: { files: FILES },
    review: 'test ! -e out/b.txt',
    make: (repo) => {
      repo.git('sparse-checkout', 'set', '--cone', 'in')
      return { dir: repo.dir }
    },
    expect: ({ git, dir }) => {
      expect(existsSync(join(dir, 'out/b.txt'))).toBe(false)
      expect(git('show', 'HEAD:out/b.txt')).toBe('b')
      expect(git('ls-files', '-t', 'out/b.txt')).toBe('S out/b.txt')
    },
  },

  'a split index': {
    options: { files: FILES },
    make: (repo) => {
      repo.git('config', 'core.splitIndex', 'true')
      repo.git('update-index', '--split-index')
      return { dir: repo.dir }
    },
    expect: ({ dir }) => expect(readdirSync(join(dir, '.git')).some((name) => /^sharedindex/.test(name))).toBe(true),
  },

  'a shallow clone': {
    make: (repo) => {
      repo.commit('second', { 'a.txt': 'a\n' })
      return { dir: cloned(repo, '--depth', '1') }
    },
    expect: ({ dir }) => expect(readFileSync(join(dir, '.git/shallow'), 'utf8').trim().split('\n')).toHaveLength(1),
  },

  'a partial clone': {
    act: 'test "$(cat README.md)" = changed',
    make: (repo) => {
      repo.git('config', 'uploadpack.allowFilter', 'true')
      repo.commit('second', { 'README.md': 'changed\n' })
      return { dir: cloned(repo, '--filter=blob:none') }
    },
    expect: ({ git }) => expect(git('rev-list', '--objects', '--all', '--missing=print')).toMatch(/^\?/m),
  },

  'a linked worktree': {
    make: (repo) => {
      repo.git('worktree', 'add', '-q', '-b', 'feature', repo.beside('linked'))
      return { dir: repo.beside('linked') }
    },
    expect: ({ repo }) => {
      expect(repo.git('status', '--porcelain')).toBe('')
      expect(existsSync(join(repo.dir, 'One.txt'))).toBe(false)
    },
  },

  'a separate git folder': {
    make: (repo) => {
      repo.git('init', '-q', '--separate-git-dir', repo.beside('separate.git'))
      return { dir: repo.dir }
    },
    expect: ({ dir, repo }) =>
      expect(readFileSync(join(dir, '.git'), 'utf8')).toBe(`gitdir: ${repo.beside('separate.git')}\n`),
  },

  'paths with blanks, quotes and letters of other languages, of the repository and of the home folder': {
    options: { files: { 'Größe und Maß/日本.txt': 'a\n' } },
    act: `commit "Größe und Maß/it's ü.txt" y`,
    review: `test -s "Größe und Maß/it's ü.txt"`,
    make: (repo) => {
      const [dir, home] = [repo.beside("Über  allem's 日本/Projekt ü"), repo.beside('Zu Hause ö')]
      outputOf(
        repo.run(['sh', '-c', `mkdir -p "$(dirname "$1")"; cp -a "$HOME" "$2"; git clone -q . "$1"`, 'sh', dir, home]),
      )
      return { dir, env: { HOME: home } }
    },
    expect: ({ git }) => expect(git('show', "HEAD:Größe und Maß/it's ü.txt")).toBe('y'),
  },

  submodules: {
    keepsWorktree: true,
    act: 'test -s lib/README.md',
    review: 'test -s lib/README.md',
    options: {
      config: {
        worktree: { setup: 'git -c protocol.file.allow=always submodule --quiet update --init' },
        verify: { command: 'test -s lib/README.md' },
      },
    },
    make: (repo) => {
      const library = repo.beside('library.git')
      repo.git('init', '-q', '--bare', library)
      repo.git('push', '-q', library, 'main')
      repo.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', library, 'lib')
      repo.commit('with a submodule')
      return { dir: repo.dir }
    },
    expect: ({ git }) => expect(git('-C', 'lib', 'status', '--porcelain')).toBe(''),
  },

  'husky as a dependency, which npm installs': {
    options: {
      files: { '.gitignore': 'node_modules\n', '.husky/pre-commit': `${MARK}\n` },
      config: {
        worktree: { setup: NPM_INSTALL },
        verify: { command: 'test ! -e One.txt || test -e hooked.txt' },
      },
    },
    make: (repo) => {
      const packed = outputOf(
        repo.run(['npm', 'pack', '--silent', '--pack-destination', repo.beside(''), HUSKY]),
      ).trim()
      const devDependencies = { husky: `file:${repo.beside(packed)}` }
      repo.commit('husky', { 'package.json': JSON.stringify({ scripts: { prepare: 'husky' }, devDependencies }) })
      outputOf(repo.run(['sh', '-c', NPM_INSTALL]))
      expect(repo.git('config', 'core.hooksPath')).toBe('.husky/_')
      return { dir: repo.dir }
    },
    expect: ({ git }) => {
      expect(git('show', 'HEAD:hooked.txt')).toBe('ran')
      expect(git('config', 'core.hooksPath')).toBe('.husky/_')
    },
  },

  ...(isHere(TOOLS.preCommit) && {
    'pre-commit': {
      options: { files: { '.pre-commit-config.yaml': preCommit() } },
      make: (repo) => {
        outputOf(repo.run(['pre-commit', 'install']))
        return { dir: repo.dir }
      },
      expect: ({ git }) => expect(git('show', 'HEAD:hooked.txt')).toBe('ran'),
    } satisfies Kind,
  }),

  ...(isHere(TOOLS.lfs) && {
    LFS: {
      act: 'test "$(cat old.bin)" = old; commit new.bin new',
      review: 'test "$(cat old.bin)" = old; test "$(cat new.bin)" = new',
      make: (repo) => {
        repo.git('lfs', 'install', '--local')
        repo.git('lfs', 'track', '*.bin')
        repo.commit('lfs', { 'old.bin': 'old\n' })
        return { dir: repo.dir }
      },
      expect: ({ git, dir }) => {
        expect(readFileSync(join(dir, 'new.bin'), 'utf8')).toBe('new\n')
        expect(git('show', 'HEAD:new.bin')).toContain('oid sha256:')
        git('lfs', 'fsck')
      },
    } satisfies Kind,
  }),

  ...(isHere(TOOLS.reftable) && {
    'a reftable': {
      make: (repo) => ({ dir: cloned(repo, '--ref-format=reftable') }),
      expect: ({ git }) => expect(git('rev-parse', '--show-ref-format')).toBe('reftable'),
    } satisfies Kind,
  }),
}

function cloned(repo: IsolatedRepo, ...flags: string[]): string {
  repo.git('clone', '--quiet', ...flags, `file://${repo.dir}`, repo.beside('clone'))
  return repo.beside('clone')
}

function preCommit(): string {
  const hook = { id: 'mark', name: 'mark', language: 'system', entry: `sh -c '${MARK}'`, pass_filenames: false }
  return JSON.stringify({ repos: [{ repo: 'local', hooks: [hook] }] })
}

/** Where it matters how a box shows folders. The other kinds differ in objects, index and hooks: one box is enough. */
const IN_EACH_BOX = [
  ...['a sparse checkout', 'a linked worktree', 'a separate git folder', 'submodules'],
  'paths with blanks, quotes and letters of other languages, of the repository and of the home folder',
]

for (const level of BOXES)
  test.each(Object.entries(KINDS).filter(([name]) => STRONGEST.includes(level) || IN_EACH_BOX.includes(name)))(
    `${level}: %s: work, review and gza merge`,
    (_, kind) => {
      expectReviewedAndLanded(level, kind)
    },
  )
