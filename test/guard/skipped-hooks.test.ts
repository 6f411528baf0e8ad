import { expect, test } from 'bun:test'
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aStage, type Stage } from '../support/scripted-agent.ts'
import { writeHook } from './guarded-repo.ts'

/** Where a repository has no hooks, a run's `add` and `commit` call only those that refuse something. */
const COUNT = 'count() { GIT_TRACE="$stage/$1" git commit -qm "$1" --allow-empty; }'
const hooksIn = (trace: string): string[] =>
  [...readFileSync(trace, 'utf8').matchAll(/run_command: .*guard\/hooks\/(\S+)/g)].map(([, name = '']) => name)

/** Settings that are seconds old might have been changed after the run began. */
function letSettle(stage: Stage): void {
  const before = Date.now() / 1000 - 60
  for (const path of [join(stage.dir, '.git/config'), join(stage.env.HOME ?? '', '.gitconfig')])
    if (existsSync(path)) utimesSync(path, before, before)
}

test('in a repository without hooks a commit starts none that would only pass on', () => {
  const stage = aStage({ one: `${COUNT}; commit a.txt a; count bare; mkdir -p deep/er; cd deep/er; count deep` })
  stage.add('one')
  letSettle(stage)
  stage.gza('work')
  expect(stage.statuses()).toEqual({ one: 'completed' })
  for (const name of ['bare', 'deep'])
    expect(hooksIn(stage.beside(name))).toEqual(['lean/reference-transaction', 'lean/reference-transaction'])
})

test('hooks run as soon as there are any: the repository’s own, and those of another one', () => {
  const late = 'hook="$(git rev-parse --git-common-dir)/hooks/pre-commit"'
  const plant = (path: string, text: string) =>
    `mkdir -p "$(dirname "${path}")"; printf '#!/bin/sh\\n%s\\n' '${text}' >"${path}"; chmod +x "${path}"`
  const stage = aStage({
    late: `commit a.txt a; ${late}; ${plant('$hook', 'touch late')}; commit b.txt b; test -e late || exit 9`,
    other: [
      'commit a.txt a; git init -q other; cd other',
      plant('.git/hooks/pre-commit', 'touch ran'),
      'git commit -q --allow-empty -m x; test -e ran || exit 9; cd ..; rm -rf other',
    ].join('\n'),
    configured: [
      'commit a.txt a; git config core.hooksPath "$stage/hooks"',
      plant('$stage/hooks/pre-commit', 'touch "$(dirname "$0")/../configured"'),
      'commit b.txt b; git config --unset core.hooksPath; test -e "$stage/configured" || exit 9',
    ].join('\n'),
  })
  for (const title of ['other', 'configured', 'late']) stage.add(title)
  letSettle(stage)
  stage.gza('work', '--all')
  expect(stage.statuses()).toEqual({ other: 'completed', configured: 'completed', late: 'completed' })
})

test('a hook that the repository has runs at each commit of an agent', () => {
  const stage = aStage({ one: 'commit a.txt a; commit b.txt b' })
  writeHook(join(stage.dir, '.git/hooks/commit-msg'), `echo ran >> ${stage.beside('ran')}`)
  stage.add('one')
  stage.gza('work')
  expect(readFileSync(stage.beside('ran'), 'utf8')).toBe('ran\nran\n')
})

test('in another work tree of the repository the guard refuses as before', () => {
  const stage = aStage({ one: 'commit a.txt a; cd "$stage/beside"; git commit -q --allow-empty -m stray || true' })
  stage.git('worktree', 'add', '-q', '-b', 'mine', stage.beside('beside'))
  const mine = stage.git('rev-parse', 'mine')
  stage.add('one')
  letSettle(stage)
  stage.gza('work')
  expect(stage.git('rev-parse', 'mine')).toBe(mine)
})

const noting = (word: string): string => `echo ${word} >>"$stage/ran"`

test('in a submodule of the work tree its own hooks run, and not those of the repository around it', () => {
  const stage = aStage({
    one: [
      'git -c protocol.file.allow=always submodule --quiet update --init; commit a.txt a; cd lib',
      `hooks=$(git rev-parse --git-dir)/hooks; mkdir -p "$hooks"; echo '#!/bin/sh' >"$hooks/pre-commit"`,
      `echo '${noting('lib')}' >>"$hooks/pre-commit"; chmod +x "$hooks/pre-commit"; export stage; commit b.txt b`,
    ].join('\n'),
  })
  const lib = aStage({})
  stage.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', lib.dir, 'lib')
  stage.git('commit', '--quiet', '--message', 'Add lib')
  writeHook(join(stage.dir, '.git/hooks/pre-commit'), `stage=${stage.beside('')}; ${noting('around')}`)
  stage.add('one')
  letSettle(stage)
  stage.gza('work')
  expect(readFileSync(stage.beside('ran'), 'utf8')).toBe('around\nlib\n')
})

test('hooks that are set for some branches alone run there', () => {
  const stage = aStage({ one: 'commit a.txt a' })
  writeHook(stage.beside('hooks/pre-commit'), `touch ${stage.beside('ran')}`)
  writeFileSync(stage.beside('included'), `[core]\n  hooksPath = ${stage.beside('hooks')}\n`)
  stage.git('config', 'includeIf.onbranch:*-one.path', stage.beside('included'))
  stage.add('one')
  letSettle(stage)
  stage.gza('work')
  expect(existsSync(stage.beside('ran'))).toBe(true)
})
