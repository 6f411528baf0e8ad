import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { outputOf } from '../../support/ledger-answers.ts'
import { anOwnTree, BOXES, DONE, type OwnTreeRepo } from './own-tree-repo.ts'

/** Each one may fail inside or do nothing outside. `$other` is another worktree of the person. */
const ATTACKS = `
other=$beside/other
(
set +e
git update-ref refs/tasks/main HEAD
git update-ref refs/heads/precious HEAD
git branch -D precious
git tag -d v1
git stash drop
git config core.fsmonitor /bin/false
git config remote.origin.url /nowhere
git remote add evil /nowhere
mkdir -p .git/hooks && echo x >.git/hooks/post-checkout
echo x >"$other/planted"
git -C "$other" commit -q --allow-empty -m planted
rm -rf .git
mv .git elsewhere
rm -rf .git/gza/objects/*
find .git -type f -exec sh -c 'echo x >"$1"' _ {} ';'
echo x >.gza/logs/planted
rm -rf .gza
cat "$HOME/.ssh/id_ed25519" "$HOME/.config/gza/config.yaml"
echo 'isolation: off' >"$HOME/.config/gza/config.yaml"
mkdir -p "$HOME/.local/state/gza" && echo '{}' >"$HOME/.local/state/gza/trusted.json"
echo '[core] fsmonitor = /bin/false' >>"$HOME/.gitconfig"
) >"$beside/attacks" 2>&1
`

function aTarget(level: (typeof BOXES)[number], act: string): OwnTreeRepo {
  const repo = anOwnTree(level, { Hostile: act })
  const key = join(repo.env.HOME ?? '', '.ssh/id_ed25519')
  mkdirSync(dirname(key), { recursive: true })
  writeFileSync(key, 'SECRET-SSH\n')
  repo.git('branch', 'precious')
  repo.git('tag', 'v1')
  repo.git('init', '--quiet', '--bare', repo.beside('remote.git'))
  repo.git('remote', 'add', 'origin', repo.beside('remote.git'))
  repo.git('worktree', 'add', '--quiet', '-b', 'other', repo.beside('other'))
  repo.write('README.md', 'stashed\n')
  repo.git('stash')
  repo.add('Hostile')
  return repo
}

/** What must be as it was: every ref besides the task's, configuration, hooks, and files that no run writes. */
function facts(repo: OwnTreeRepo): Record<string, string> {
  const read = (path: string): string => readFileSync(path, 'utf8')
  const home = repo.env.HOME ?? ''
  return {
    config: read(join(repo.dir, '.git/config')),
    hooks: readdirSync(join(repo.dir, '.git/hooks')).sort().join(),
    gitconfig: read(join(home, '.gitconfig')),
    settings: read(join(home, '.config/gza/config.yaml')),
    refs: repo.git(
      'for-each-ref',
      '--format=%(refname) %(objectname)',
      'refs/heads/precious',
      'refs/heads/other',
      'refs/tags',
      'refs/stash',
    ),
    other: readdirSync(repo.beside('other')).sort().join(),
    worktrees: repo.git('worktree', 'list'),
  }
}

for (const level of BOXES) {
  test(`${level}: an agent in the person’s tree changes nothing but its branch and the files`, () => {
    const repo = aTarget(level, `git branch spare; ${ATTACKS} git init -q fresh 2>/dev/null; true`)
    const before = facts(repo)
    const { worktrees: _, ...kept } = before
    const start = repo.git('rev-parse', 'main')
    repo.runTasks('--once')
    const { worktrees: __, ...now } = facts(repo)
    expect(now).toEqual(kept)
    expect(repo.git('rev-parse', 'main')).toBe(start)
    expect(repo.seen('attacks')).not.toContain('SECRET')
    expect(readdirSync(join(repo.dir, '.gza/logs'))).not.toContain('planted')
    expect(outputOf(repo.gza('verify'))).toContain('main: ok')
    expect(repo.task('1').runs).toMatchObject([{ outcome: 'failed', isolation: level }])
    expect(repo.survivors()).toEqual([])
  })

  test(`${level}: history that is not the agent’s own cannot be rewritten`, () => {
    const repo = aTarget(level, `git commit -q --amend -m rewritten && commit a.txt a; ${DONE}`)
    const before = facts(repo)
    const start = repo.git('rev-parse', 'main')
    const { stdout } = repo.runTasks('--once')
    expect(stdout).toContain('earlier commits are gone')
    expect(facts(repo)).toEqual(before)
    expect(repo.git('rev-parse', 'main')).toBe(start)
    expect(repo.task('1')).toMatchObject({
      status: 'pending',
      runs: [{ outcome: 'failed', reason: 'outside-changes' }],
    })
    const kept = repo.git('for-each-ref', '--format=%(refname)', 'refs/gza/kept')
    expect(repo.git('log', '-1', '--format=%s', kept)).toBe('Hostile: a.txt')
  })

  test(`${level}: a pipe among the hooks of the tree does not stop gza`, () => {
    const files = { '.hooks/pre-commit': '#!/bin/sh\n' }
    const repo = anOwnTree(level, { Hooks: `commit a.txt a; mkfifo .hooks/pre-push; ${DONE}` }, { files })
    repo.git('config', 'core.hooksPath', '.hooks')
    repo.add('Hooks')
    const { code, stdout, stderr } = repo.run(['timeout', '-k', '1', '60', ...repo.runLine('--once')])
    expect(code, stdout + stderr).toBe(0)
    expect(repo.task('1').runs).toMatchObject([{ outcome: 'completed', isolation: level }])
    expect(repo.git('show', 'main:a.txt')).toBe('a')
    expect(repo.survivors()).toEqual([])
  })
}
