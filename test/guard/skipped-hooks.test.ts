import { expect, test } from 'bun:test'
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentRepo } from '../support/scripted-agent.ts'
import { writeHook } from './guarded-repo.ts'
import { anUnboxedRepo } from './unboxed-repo.ts'

/** Where a repository has no hooks, a run's `add` and `commit` call only those that refuse something. */
const COUNT = 'count() { GIT_TRACE="$beside/$1" git commit -qm "$1" --allow-empty; }'
const hooksIn = (trace: string): string[] =>
  [...readFileSync(trace, 'utf8').matchAll(/run_command: .*guard\/hooks\/(\S+)/g)].map(([, name = '']) => name)

/** Settings that are seconds old might have been changed after the run began. */
function letSettle(repo: AgentRepo): void {
  const before = Date.now() / 1000 - 60
  for (const path of [join(repo.dir, '.git/config'), join(repo.env.HOME ?? '', '.gitconfig')])
    if (existsSync(path)) utimesSync(path, before, before)
}

test('in a repository without hooks a commit starts none that would only pass on', () => {
  const repo = anUnboxedRepo({ one: `${COUNT}; commit a.txt a; count bare; mkdir -p deep/er; cd deep/er; count deep` })
  repo.add('one')
  letSettle(repo)
  repo.gza('work')
  expect(repo.statuses()).toEqual({ one: 'completed' })
  for (const name of ['bare', 'deep'])
    expect(hooksIn(repo.beside(name))).toEqual(['lean/reference-transaction', 'lean/reference-transaction'])
})

test('hooks run as soon as there are any: the repository’s own, and those of another one', () => {
  const late = 'hook="$(git rev-parse --git-common-dir)/hooks/pre-commit"'
  const plant = (path: string, text: string) =>
    `mkdir -p "$(dirname "${path}")"; printf '#!/bin/sh\\n%s\\n' '${text}' >"${path}"; chmod +x "${path}"`
  const repo = anUnboxedRepo({
    late: `commit a.txt a; ${late}; ${plant('$hook', 'touch late')}; commit b.txt b; test -e late || exit 9`,
    other: [
      'commit a.txt a; git init -q other; cd other',
      plant('.git/hooks/pre-commit', 'touch ran'),
      'git commit -q --allow-empty -m x; test -e ran || exit 9; cd ..; rm -rf other',
    ].join('\n'),
    configured: [
      'commit a.txt a; git config core.hooksPath "$beside/hooks"',
      plant('$beside/hooks/pre-commit', 'touch "$(dirname "$0")/../configured"'),
      'commit b.txt b; git config --unset core.hooksPath; test -e "$beside/configured" || exit 9',
    ].join('\n'),
  })
  for (const title of ['other', 'configured', 'late']) repo.add(title)
  letSettle(repo)
  repo.gza('work', '--all')
  expect(repo.statuses()).toEqual({ other: 'completed', configured: 'completed', late: 'failed' })
  // It ran, and then counts as planted.
  expect(repo.task('3').runs.at(-1)).toMatchObject({ reason: 'tampered' })
})

test('a hook that the repository has runs at each commit of an agent', () => {
  const repo = anUnboxedRepo({ one: 'commit a.txt a; commit b.txt b' })
  writeHook(join(repo.dir, '.git/hooks/commit-msg'), `echo ran >> ${repo.beside('ran')}`)
  repo.add('one')
  repo.gza('work')
  expect(readFileSync(repo.beside('ran'), 'utf8')).toBe('ran\nran\n')
})

test('in another worktree of the repository the guard refuses as before', () => {
  const repo = anUnboxedRepo({
    one: 'commit a.txt a; cd "$beside/beside"; git commit -q --allow-empty -m stray || true',
  })
  repo.git('worktree', 'add', '-q', '-b', 'mine', repo.beside('beside'))
  const mine = repo.git('rev-parse', 'mine')
  repo.add('one')
  letSettle(repo)
  repo.gza('work')
  expect(repo.git('rev-parse', 'mine')).toBe(mine)
})

const noting = (word: string): string => `echo ${word} >>"$beside/ran"`

test('in a submodule of the worktree its own hooks run, and not those of the repository around it', () => {
  const repo = anUnboxedRepo({
    one: [
      'git -c protocol.file.allow=always submodule --quiet update --init; commit a.txt a; cd lib',
      `hooks=$(git rev-parse --git-dir)/hooks; mkdir -p "$hooks"; echo '#!/bin/sh' >"$hooks/pre-commit"`,
      `echo '${noting('lib')}' >>"$hooks/pre-commit"; chmod +x "$hooks/pre-commit"; export beside; commit b.txt b`,
    ].join('\n'),
  })
  const lib = anUnboxedRepo({})
  repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', lib.dir, 'lib')
  repo.git('commit', '--quiet', '--message', 'Add lib')
  writeHook(join(repo.dir, '.git/hooks/pre-commit'), `beside=${repo.beside('')}; ${noting('around')}`)
  repo.add('one')
  letSettle(repo)
  repo.gza('work')
  expect(readFileSync(repo.beside('ran'), 'utf8')).toBe('around\nlib\n')
})

test('hooks that are set for some branches alone run there', () => {
  const repo = anUnboxedRepo({ one: 'commit a.txt a' })
  writeHook(repo.beside('hooks/pre-commit'), `touch ${repo.beside('ran')}`)
  writeFileSync(repo.beside('included'), `[core]\n  hooksPath = ${repo.beside('hooks')}\n`)
  repo.git('config', 'includeIf.onbranch:*-one.path', repo.beside('included'))
  repo.add('one')
  letSettle(repo)
  repo.gza('work')
  expect(existsSync(repo.beside('ran'))).toBe(true)
})
