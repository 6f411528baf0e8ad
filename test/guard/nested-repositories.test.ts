import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import type { AgentRepo } from '../support/scripted-agent.ts'
import { recordGit, whyUnsafe } from './recorded-git.ts'
import { anUnboxedRepo } from './unboxed-repo.ts'

/** A repository inside the worktree. Whoever lets git look into it runs its filter, its monitor or its hooks. */
const NEST = `nest() {
  git init -q "$1" && cd "$1" && echo one >file && git add file && git commit -qm inside
  for key in filter.e.clean filter.e.smudge core.fsmonitor diff.e.textconv; do
    git config "$key" "touch $beside/ran-$title; cat"
  done
  mkdir -p .git/info .git/hooks && echo '* filter=e diff=e' >.git/info/attributes
  for name in post-checkout post-index-change reference-transaction; do
    printf '#!/bin/sh\\ntouch %s/ran-%s\\n' "$beside" "$title" >.git/hooks/$name && chmod +x .git/hooks/$name
  done
  cd ..
}
# What the agent's own git has run does not count.
forget() { rm -f "$beside/ran-$title"; }
`

const ACTS = {
  linked: `${NEST} nest lib; git add lib 2>/dev/null; git commit -qm link; echo two >lib/file; commit a.txt a; forget`,
  left: `${NEST} nest left; commit b.txt b; echo two >left/file; forget`,
  moved: `${NEST} nest lib; git add lib 2>/dev/null; git commit -qm link; echo two >lib/file; echo c >c.txt; forget`,
  killed: `${NEST} nest lib; git add lib 2>/dev/null; git commit -qm link; echo two >lib/file; echo d >d.txt; forget; kill -9 $PPID`,
}

const OPTIONS = { defaults: { max_attempts: 1 }, config: { land: 'cherry-pick', verify: { command: 'true' } } }

test('no git call of gza runs what an agent’s nested repository has configured, and such work waits for a person', () => {
  const plain = anUnboxedRepo(ACTS, OPTIONS)
  const { env, calls } = recordGit(plain)
  const repo = { ...plain, gza: (...args: string[]) => plain.run(['gza', ...args], { env }) }
  for (const title of ['linked', 'left', 'moved']) repo.add(title)
  repo.gza('work', '--all', '--workers', '2')
  expect(hasRun(plain)).toBe(false)
  expect(repo.statuses()).toEqual({ linked: 'completed', left: 'failed', moved: 'completed' })
  expect(repo.inbox()).toMatchObject([
    { code: 'SECRETS_LEFT', task: { title: 'left' } },
    { code: 'GUARDED_FILES', task: { title: 'linked' }, detail: expect.stringContaining('changes lib') },
    { code: 'GUARDED_FILES', task: { title: 'moved' }, detail: expect.stringContaining('changes lib') },
  ])
  for (const args of [['diff', '1'], ['ps'], ['queue'], ['show', '1'], ['status'], ['doctor']]) repo.gza(...args)
  expect(repo.gza('merge', '1').stdout).toContain('landed on main')
  repo.add('killed')
  repo.gza('work', '4')
  repo.gza('work', '4')
  repo.gza('merge', '3')
  expect(hasRun(plain)).toBe(false)
  expect(judge(calls())).toEqual([])
  expect(new Set(calls().flat())).toContain('cherry-pick')
})

test('the same in the person’s own tree', () => {
  const act = `${NEST} nest lib; git add lib 2>/dev/null; commit a.txt a; echo two >lib/file; git tasks done "$task"; forget`
  const plain = anUnboxedRepo({ linked: act }, OPTIONS)
  const { env, calls } = recordGit(plain)
  plain.add('linked')
  plain.run(['git-tasks', 'run', '--once', '--delay', '0'], { env })
  plain.run(['git-tasks', 'inbox'], { env })
  expect(hasRun(plain)).toBe(false)
  expect(judge(calls())).toEqual([])
  // The trap works: a plain status runs it.
  plain.git('status')
  expect(hasRun(plain)).toBe(true)
})

test('the list of safe calls knows the unsafe ones', () => {
  const own = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'submodule.recurse=false'].flatMap((s) => ['-c', s])
  const unsafe = [
    ['status', '--porcelain'],
    [...own, 'status', '--ignore-submodules=none'],
    [...own, 'add', '-A'],
    [...own, 'diff-index', 'HEAD'],
    [...own, 'diff', '--name-only'],
    ['checkout', '--detach'],
    ['cat-file', '--filters', 'x'],
  ]
  expect(unsafe.filter((call) => whyUnsafe(call) === null)).toEqual([])
  expect(whyUnsafe([...own, 'status', '--ignore-submodules=dirty'])).toBeNull()
})

function judge(calls: string[][]): string[] {
  return calls.flatMap((call) => {
    const why = whyUnsafe(call)
    return why === null ? [] : [`${why}: git ${call.join(' ')}`]
  })
}

function hasRun(repo: AgentRepo): boolean {
  return readdirSync(repo.beside('.')).some((name) => name.startsWith('ran-'))
}
