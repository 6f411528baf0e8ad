import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { aRepo } from '../support/repo.ts'
import type { AgentRepo, AgentRepoOptions } from '../support/scripted-agent.ts'
import { writeHook } from './guarded-repo.ts'
import { anUnboxedRepo } from './unboxed-repo.ts'

/** A program that leaves a mark if it runs outside of the guard, with the person's secrets. */
const TRAP = `trap="$beside/trap"; printf '#!/bin/sh\\n[ -n "$GZA_GUARD" ] || echo "$SECRET $0 $*" >>%s/ran\\ncat\\n' "$beside" >"$trap"; chmod +x "$trap"
common=$(git rev-parse --path-format=absolute --git-common-dir)\n`

const LANDS: AgentRepoOptions = {
  defaults: { max_attempts: 1 },
  config: { land: 'merge', verify: { command: 'true' } },
  env: { SECRET: 'hunter2' },
}

const PLANTS: [name: string, act: string, named: string][] = [
  [
    'core.hooksPath',
    'mkdir -p "$beside/h"; for n in reference-transaction post-checkout post-index-change pre-merge-commit; do cp "$trap" "$beside/h/$n"; done; git config core.hooksPath "$beside/h"',
    'core.hookspath in .git/config',
  ],
  [
    'hooks',
    'for n in reference-transaction post-checkout post-index-change post-merge; do cp "$trap" "$common/hooks/$n"; done',
    '.git/hooks/',
  ],
  [
    'a link for the folder of hooks',
    'mkdir -p "$beside/h"; cp "$trap" "$beside/h/reference-transaction"; rm -rf "$common/hooks"; ln -s "$beside/h" "$common/hooks"',
    '.git/hooks was added',
  ],
  ['core.fsmonitor', 'git config core.fsmonitor "$trap"', 'core.fsmonitor in .git/config'],
  [
    'a filter and attributes',
    'for k in clean smudge process; do git config filter.e.$k "$trap"; done; echo "* filter=e" >"$common/info/attributes"',
    'filter.e.clean in .git/config',
  ],
  [
    'a merge driver and attributes',
    'git config merge.e.driver "$trap"; echo "* merge=e" >"$common/info/attributes"',
    'merge.e.driver in .git/config',
  ],
  [
    'an included file',
    'printf "[core]\\n\\tfsmonitor = %s\\n[filter \\"e\\"]\\n\\tclean = %s\\n" "$trap" "$trap" >"$beside/inc"; git config include.path "$beside/inc"; echo "* filter=e" >"$common/info/attributes"',
    'include.path in .git/config',
  ],
  [
    'an included file for its worktree',
    'printf "[core]\\n\\tfsmonitor = %s\\n" "$trap" >"$beside/inc"; git config "includeIf.gitdir:**.path" "$beside/inc"',
    'includeif.gitdir:**.path in .git/config',
  ],
  [
    'the configuration of its worktree',
    'git config extensions.worktreeConfig true; git config --worktree core.fsmonitor "$trap"; git config --worktree filter.e.clean "$trap"',
    'core.fsmonitor in .git/worktrees/',
  ],
  ['the person’s own configuration', 'git config --global core.fsmonitor "$trap"', '.gitconfig'],
  [
    'an alias and addresses',
    'git config alias.st "!$trap"; git config url.ext::.insteadOf https://; git config core.sshCommand "$trap"',
    'alias.st in .git/config',
  ],
  ['signatures', 'git config gpg.program "$trap"; git config log.showSignature true', 'gpg.program in .git/config'],
]

const SEVERAL = PLANTS.filter(([name]) => /^(core.fsmonitor|hooks|a filter and attributes)$/.test(name))
  .map(([, act]) => act)
  .join('\n')

test.each(PLANTS)(
  '%s that an agent plants runs nowhere, is put back, fails the run and is in the inbox',
  (_, act, named) => {
    const repo = anUnboxedRepo({ vandal: `${TRAP}commit a.txt a\n${act}\nprintf "left\\n" >left.txt` }, LANDS)
    const before = settingsOf(repo)
    repo.add('vandal')
    repo.add('honest', '--after', '1')
    repo.gza('work', '--all')
    for (const args of [['list'], ['note', '2', 'x'], ['merge', '1'], ['diff', '1'], ['log']]) repo.gza(...args)
    expect(ranIn(repo)).toBe('')
    expect(settingsOf(repo)).toEqual(before)
    expect(repo.task('1')).toMatchObject({ status: 'failed', runs: [{ reason: 'tampered' }] })
    const items = repo.inbox()
    expect(items.map(({ code }) => code)).toContain('TAMPERED')
    expect(
      items
        .filter(({ code }) => code === 'SETTINGS_PUT_BACK')
        .map(({ detail }) => detail)
        .join('\n'),
    ).toContain(named.replace(/ was added$/, ''))
  },
)

test.each([
  ['is bare', 'git config core.bare true'],
  ['is of an unknown version', 'git config core.repositoryformatversion 99'],
  ['has no configuration', 'rm "$common/config"'],
  ['pushes to a path with hooks', 'git config remote.origin.url "$beside/evil.git"'],
  ['fetches with a program', 'git config remote.origin.url "ext::$trap"; git config core.fsmonitor "$trap"'],
])('a repository that an agent changes so that it %s is put back with what a person had set', (_, act) => {
  const evil = 'git init -q --bare "$beside/evil.git"; cp "$trap" "$beside/evil.git/hooks/pre-receive"'
  const repo = anUnboxedRepo({ vandal: `${TRAP}commit a.txt a\n${evil}\n${act}` }, LANDS)
  const remote = aRepo({ bare: true })
  repo.git('remote', 'add', 'origin', remote.dir)
  repo.git('config', 'core.fsmonitor', 'false')
  const before = repo.git('config', '--list').split('\n').sort()
  repo.add('vandal')
  repo.gza('work')
  expect(repo.task('1')).toMatchObject({ status: 'failed', runs: [{ reason: 'tampered' }] })
  expect(repo.git('config', '--list').split('\n').sort()).toEqual(before)
  expect(repo.gza('sync').stdout).toContain('pushed to origin')
  expect(ranIn(repo)).toBe('')
})

test('a hook for the git of gza that an agent plants in the person’s own tree is put back', () => {
  const plant = 'for n in reference-transaction post-merge; do cp "$trap" "$beside/repo/.githooks/$n"; done'
  const hooks = { '.githooks/README': 'hooks\n' }
  const repo = anUnboxedRepo({ vandal: `${TRAP}commit a.txt a\n${plant}` }, { ...LANDS, files: hooks })
  repo.git('config', 'core.hooksPath', '.githooks')
  repo.add('vandal')
  repo.gza('work')
  repo.gza('note', '1', 'x')
  expect(ranIn(repo)).toBe('')
  expect(repo.task('1').runs).toMatchObject([{ reason: 'tampered' }])
  expect(repo.inbox()).toContainEqual(
    expect.objectContaining({ code: 'SETTINGS_PUT_BACK', subject: '.githooks/reference-transaction' }),
  )
  // Git shows it to the person, and no git of gza runs it.
  expect(repo.git('status', '--porcelain')).toContain('.githooks/post-merge')
})

test('what a person installs after gza was killed in a check is put back with an entry in the inbox', () => {
  const check =
    'git config core.hooksPath .husky/_; [ -e "$GZA_TEST_ONCE" ] || { touch "$GZA_TEST_ONCE"; kill -9 $PPID; }'
  const repo = anUnboxedRepo({}, { config: { verify: { command: check } } })
  const known = repo.withEnv({ GZA_TEST_ONCE: repo.beside('once') })
  repo.add('one')
  known.gza('work', '--no-base-check')
  writeHook(join(repo.dir, '.git/hooks/post-commit'), 'true')
  repo.git('config', 'alias.lg', 'log --oneline')
  known.gza('work', '--no-base-check')
  expect(repo.task('1').status).toBe('completed')
  const items = repo.inbox().filter(({ code }) => code === 'SETTINGS_PUT_BACK')
  expect(items.map(({ subject }) => subject)).toEqual(['.git/hooks/post-commit', 'core.hookspath in .git/config'])
  expect(repo.run(['sh', '-c', items[0]?.commands[0] ?? 'false']).code).toBe(0)
  expect(existsSync(join(repo.dir, '.git/hooks/post-commit'))).toBe(true)
  expect(repo.git('config', 'alias.lg')).toBe('log --oneline')
})

test('while one agent has planted something, the git of other workers and of a person’s commands does not run it', () => {
  const repo = anUnboxedRepo(
    {
      vandal: `${TRAP}commit a.txt a\n${SEVERAL}\ntouch "$beside/planted"; until [ -e "$beside/go" ]; do sleep 0.05; done`,
      honest:
        'until [ -e "$beside/planted" ]; do sleep 0.05; done; commit b.txt b; echo c >c.txt; touch "$beside/done"',
    },
    LANDS,
  )
  repo.add('vandal')
  repo.add('honest')
  const seen = 'until grep -q suspected ../log; do sleep 0.05; done'
  const person = `until [ -e ../done ]; do sleep 0.05; done; gza add meanwhile; gza note 2 hello; gza list; ${seen}; touch ../go`
  repo.run(['sh', '-c', `gza work 1 2 --workers 2 >../log 2>&1 & ${person}; wait`])
  expect(ranIn(repo)).toBe('')
  expect(repo.statuses()).toEqual({ vandal: 'failed', honest: 'completed', meanwhile: 'pending' })
  expect(repo.git('show', 'main:c.txt')).toBe('c')
  expect(repo.task('1').runs.at(-1)).toMatchObject({ reason: 'tampered' })
})

test('one that kills gza after planting: no command runs it, and the next work puts it back', () => {
  const once = '[ ! -e "$beside/again" ] || exit 0; touch "$beside/again"'
  const repo = anUnboxedRepo({ vandal: `${once}\n${TRAP}commit a.txt a\n${SEVERAL}\nkill -9 $PPID` }, LANDS)
  const before = settingsOf(repo)
  repo.add('vandal')
  repo.gza('work')
  for (const args of [['list'], ['add', 'second'], ['note', '1', 'x'], ['done', '2'], ['inbox'], ['status'], ['sync']])
    repo.gza(...args)
  expect(ranIn(repo)).toBe('')
  expect(settingsOf(repo)).not.toEqual(before)
  repo.gza('work')
  expect(ranIn(repo)).toBe('')
  expect(settingsOf(repo)).toEqual(before)
  expect(repo.inbox().map(({ code }) => code)).toContain('SETTINGS_PUT_BACK')
})

test('hooks and filters that were there before still work, and what a person sets meanwhile stays', () => {
  const repo = anUnboxedRepo(
    { honest: 'commit a.txt secret; git config branch.main.description hello; echo left >left.txt' },
    { ...LANDS, files: { '.gitattributes': '*.txt filter=up\n' } },
  )
  repo.git('config', 'filter.up.clean', 'tr a-z A-Z')
  repo.git('config', 'filter.up.smudge', 'tr A-Z a-z')
  writeHook(join(repo.dir, '.git/hooks/commit-msg'), `echo ran >>${repo.beside('hooked')}`)
  writeHook(
    join(repo.dir, '.git/hooks/reference-transaction'),
    `grep -q refs/tasks/ && echo moved >>${repo.beside('moved')}; exit 0`,
  )
  repo.add('honest')
  const { stdout } = repo.gza('work')
  expect(stdout).toContain('landed on main')
  expect(repo.git('show', 'main:a.txt')).toBe('SECRET')
  expect(repo.git('show', 'main:left.txt')).toBe('LEFT')
  expect(readFileSync(join(repo.dir, 'left.txt'), 'utf8')).toBe('left\n')
  expect(readFileSync(repo.beside('hooked'), 'utf8')).toContain('ran')
  expect(readFileSync(repo.beside('moved'), 'utf8')).toContain('moved')
  expect(repo.git('config', 'branch.main.description')).toBe('hello')
  expect(repo.inbox()).toEqual([])
})

test('a worktree that a check makes part of another repository is not looked at', () => {
  const evil = `git init -q "$GZA_TEST_EVIL" && cp -r .git "$GZA_TEST_EVIL/saved" && rm .git && printf 'gitdir: %s/.git\\n' "$GZA_TEST_EVIL" >.git
git config core.fsmonitor "echo >>$GZA_TEST_EVIL/ran"; git config core.worktree "$PWD"`
  const repo = anUnboxedRepo({}, { defaults: { max_attempts: 1 }, config: { verify: { command: evil } } })
  repo.add('one')
  mkdirSync(repo.beside('evil'))
  repo.withEnv({ GZA_TEST_EVIL: repo.beside('evil') }).gza('work', '--no-base-check')
  expect(existsSync(repo.beside('evil/ran'))).toBe(false)
  expect(repo.task('1').runs).toMatchObject([
    { reason: 'verify-failed', detail: expect.stringContaining('another repository') },
  ])
})

function ranIn(repo: AgentRepo): string {
  const path = repo.beside('ran')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** Without empty sections, which git leaves behind. */
function settingsOf(repo: AgentRepo): unknown {
  const hooks = join(repo.dir, '.git/hooks')
  const list = repo
    .git('config', '--list')
    .split('\n')
    .filter((line) => !/^(extensions|log)\./.test(line))
  return {
    list,
    hooks: readdirSync(hooks).filter((name) => !name.endsWith('.sample')),
    attributes: existsSync(join(repo.dir, '.git/info/attributes')),
  }
}
