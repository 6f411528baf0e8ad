import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AgentRepo, AgentRepoOptions } from '../support/scripted-agent.ts'
import { anUnboxedRepo } from './unboxed-repo.ts'

const LANDS: AgentRepoOptions = { defaults: { max_attempts: 1 }, config: { land: 'merge' }, env: { SECRET: 'hunter2' } }

/** Another repository that runs a program, for a file that leads git there. */
const EVIL = `git init -q "$beside/evil"; evil="$beside/evil/.git"
printf '#!/bin/sh\\n[ -n "$GZA_GUARD" ] || echo "$SECRET" >>%s/ran\\n' "$beside" >"$beside/trap"; chmod +x "$beside/trap"
git -C "$beside/evil" config core.fsmonitor "$beside/trap"
common=$(git rev-parse --path-format=absolute --git-common-dir)\n`

function aVandalsRepo(act: string): AgentRepo {
  const repo = anUnboxedRepo({ vandal: `${EVIL}commit a.txt a\n${act}` }, LANDS)
  repo.commit('second', { 'two.txt': 'two\n' })
  repo.add('vandal')
  return repo
}

test.each([
  ['.git/info/grafts', 'git rev-parse main >"$common/info/grafts"'],
  ['.git/objects/info/alternates', 'echo "$evil/objects" >"$common/objects/info/alternates"'],
  ['.git/commondir', 'echo "$evil" >"$common/commondir"'],
])('%s that an agent writes is put back and fails the run', (name, act) => {
  const repo = aVandalsRepo(act)
  repo.gza('work')
  for (const args of [['list'], ['note', '1', 'x']]) repo.gza(...args)
  expect(existsSync(join(repo.dir, name))).toBe(false)
  expect(existsSync(repo.beside('ran'))).toBe(false)
  expect(repo.task('1')).toMatchObject({ status: 'failed', runs: [{ reason: 'tampered' }] })
  expect(repo.inbox()).toContainEqual(expect.objectContaining({ code: 'SETTINGS_PUT_BACK', subject: name }))
})

test('what leads git to another repository while the agent runs is not followed by gza', () => {
  const repo = aVandalsRepo(
    'echo "$evil" >"$common/commondir"; touch "$beside/began"; until [ -e "$beside/go" ]; do sleep 0.02; done',
  )
  const person = 'until [ -e ../began ]; do sleep 0.02; done; gza list; gza note 1 x; gza status; touch ../go'
  repo.run(['sh', '-c', `gza work >../log 2>&1 & ${person}; wait`])
  expect(existsSync(repo.beside('ran'))).toBe(false)
  expect(repo.task('1')).toMatchObject({ status: 'failed', runs: [{ reason: 'tampered' }] })
})

test.each([
  ['.git/shallow', 'git rev-parse main >"$common/shallow"'],
  ['$HOME/.config/git/attributes', 'mkdir -p "$HOME/.config/git"; echo "* text" >"$HOME/.config/git/attributes"'],
])('%s is put back too, but a person may have made it: the run does not fail, and its work waits', (name, act) => {
  const repo = aVandalsRepo(act)
  const path = name.startsWith('$HOME') ? name.replace('$HOME', repo.env.HOME ?? '') : join(repo.dir, name)
  repo.gza('work')
  expect(existsSync(path)).toBe(false)
  expect(repo.git('log', '--format=%s', 'main')).toBe('second\nfirst')
  expect(repo.task('1').status).toBe('completed')
  const item = repo.inbox().find(({ code }) => code === 'SETTINGS_PUT_BACK')
  expect(repo.run(['sh', '-c', item?.commands[0] ?? 'false']).code).toBe(0)
  expect(readFileSync(path, 'utf8')).not.toBe('')
})

test('a history that a person’s fetch has cut stays cut', () => {
  const repo = aVandalsRepo('git fetch -q --depth 1 "file://$beside/source" && cp "$common/shallow" "$beside/cut"')
  repo.run([
    'sh',
    '-c',
    'git init -q ../source && cd ../source && for n in 1 2 3; do git commit -q --allow-empty -m $n; done',
  ])
  repo.gza('work')
  expect(readFileSync(join(repo.dir, '.git/shallow'), 'utf8')).toBe(readFileSync(repo.beside('cut'), 'utf8'))
  expect(repo.git('log', '--format=%s', 'main')).toContain('vandal: a.txt')
})

test('a landing overwrites no file that an agent has hidden from git', () => {
  const repo = aVandalsRepo(
    'echo "*" >>"$common/info/exclude"; mkdir -p "$HOME/.config/git"; echo "*" >"$HOME/.config/git/ignore"',
  )
  const mine = join(repo.dir, 'a.txt')
  mkdirSync(dirname(mine), { recursive: true })
  writeFileSync(mine, 'the person’s\n')
  repo.gza('work')
  expect(readFileSync(mine, 'utf8')).toBe('the person’s\n')
})
