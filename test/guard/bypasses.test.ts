import { expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Repo } from '../support/repo.ts'
import { aGuardedRepo, forge, LEDGER, tipOf, underGuard } from './guarded-repo.ts'

/** Each gets past the guard by means that plain git or the file system has, and moves the ledger. */
const BYPASSES: [attack: string, move: (to: string) => string][] = [
  ['git -c core.hooksPath=/dev/null', (to) => `$GIT -c core.hooksPath=/dev/null update-ref ${LEDGER} ${to}`],
  ['GIT_CONFIG_COUNT=0', (to) => `GIT_CONFIG_COUNT=0 $GIT update-ref ${LEDGER} ${to}`],
  ['an environment emptied with env -i', (to) => `env -i PATH="$PATH" HOME="$HOME" git update-ref ${LEDGER} ${to}`],
  ['send-pack to the repository itself', (to) => `$GIT send-pack . +${to}:${LEDGER}`],
  ['writing .git/refs by hand', (to) => `echo ${to} > .git/${LEDGER}`],
  [
    'writing .git/packed-refs by hand',
    (to) => `$GIT pack-refs --all; sed -i "s/^[0-9a-f]* refs.tasks.main/${to} refs\\/tasks\\/main/" .git/packed-refs`,
  ],
  ['deleting the guard', (to) => `rm -r .git/gza/guard; $GIT update-ref ${LEDGER} ${to}`],
]

test.each(BYPASSES)('%s rewinds the ledger: the guard reports it, and verify finds it', (_attack, move) => {
  const repo = aGuardedRepo()
  const held = tipOf(repo)
  expectFound(repo, underGuard(repo, move(tipOf(repo, `${LEDGER}~1`))), 'is not a descendant')
  expectDiffers(repo, held)
})

test.each(BYPASSES)(
  '%s brings in a forged human-mode commit: the guard reports it, and verify lists it',
  (_attack, move) => {
    const repo = aGuardedRepo()
    const forged = forge(repo, 'human')
    expectFound(repo, underGuard(repo, move(forged)), 'is not marked as made by an agent')
    expect(tipOf(repo)).toBe(forged)
    expect(guardWitness(repo)).toMatchObject({
      state: 'warns',
      detail: expect.stringContaining('is not marked as made by an agent'),
    })
  },
)

test.each([
  [
    'a client whose shell appends an empty core.hooksPath',
    'export GIT_CONFIG_KEY_$n=core.hooksPath GIT_CONFIG_VALUE_$n= GIT_CONFIG_COUNT=$((n + 1)); git',
  ],
  ['settings of its own', 'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=CORE.hookspath GIT_CONFIG_VALUE_0=/dev/null git'],
  ['GIT_CONFIG_COUNT=0', 'GIT_CONFIG_COUNT=0 git'],
  ['git -c core.hooksPath', 'git -c core.hooksPath=/dev/null'],
])('%s does not switch the hooks off, because the shim comes first', (_, git) => {
  const repo = aGuardedRepo()
  const held = tipOf(repo)
  const result = underGuard(repo, `n=$GIT_CONFIG_COUNT; ${git} update-ref ${LEDGER} ${LEDGER}~1`)
  expect(result).toMatchObject({ code: 128, stderr: expect.stringContaining('is not a descendant') })
  expect(tipOf(repo)).toBe(held)
})

test('changed content is found by verify alone, whatever author it names', () => {
  const repo = aGuardedRepo()
  const forged = forge(repo, 'human', (line) => line.replace('Written by a person', 'Rewritten'))
  underGuard(repo, `$GIT -c core.hooksPath= update-ref ${LEDGER} ${forged}`)
  rmSync(join(repo.dir, '.git/gza'), { recursive: true })
  const result = repo.gza('verify')
  expect(result.code).toBe(1)
  expect(result.stdout).toContain(forged.slice(0, 7))
})

test('a reflog cut back with --updateref rewinds the ledger without any hook; the shim refuses it, the guard finds it', () => {
  const repo = aGuardedRepo()
  const held = tipOf(repo)
  const cut = 'reflog delete --updateref --rewrite refs/tasks/main@{0}'
  expect(underGuard(repo, `git ${cut}`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not allowed for agents'),
  })
  expectFound(repo, underGuard(repo, `$GIT ${cut}`), 'is not a descendant')
  expectDiffers(repo, held)
})

test('a symbolic ref in place of the ledger: the shim refuses it, and where git has no hook for it the guard finds it', () => {
  const repo = aGuardedRepo()
  const point = 'symbolic-ref refs/tasks/main refs/heads/main'
  expect(underGuard(repo, `git ${point}`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not allowed for agents'),
  })
  const result = underGuard(repo, `$GIT ${point}`)
  expect(result.code).not.toBe(0)
  expect(result.stderr).toMatch(/became a symbolic ref to refs\/heads\/main|a ledger cannot be a symbolic ref/)
  if (result.stderr.includes('became')) expect(repo.gza('verify').code).toBe(1)
})

test('a ledger deleted by hand is found by the guard, and by verify, also once a new one is in its place', () => {
  const repo = aGuardedRepo()
  const held = tipOf(repo)
  expectFound(repo, underGuard(repo, 'rm .git/refs/tasks/main'), 'it is gone')
  for (const all of [[], ['--all-branches']]) expect(repo.gza('verify', ...all).code).toBe(1)
  expect(repo.tasks('add', 'As if nothing had been').code).toBe(0)
  expectDiffers(repo, held)
})

test('a replaced commit leaves the ledger where it is: the guard reports it, and nothing that verify calls good is changed', () => {
  const repo = aGuardedRepo()
  const forged = forge(repo, 'agent', (line) => line.replace('Written by a person', 'Rewritten'))
  const result = underGuard(repo, `$GIT -c core.hooksPath= replace -f ${LEDGER} ${forged}`)
  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('objects were replaced') })
  rmSync(join(repo.dir, '.git/gza/state.db'))
  const isTrusted = repo.gza('verify').code === 0
  expect(repo.tasks('list').stdout.includes('Written by a person')).toBe(isTrusted)
})

test('a commit in a person’s name with the hooks off: the guard reports it, and verify lists it', () => {
  const repo = aGuardedRepo()
  const move = `GIT_CONFIG_COUNT=0 $GIT update-ref ${LEDGER} ${forge(repo, 'human')}`
  expectFound(repo, underGuard(repo, move), 'is not marked as made by an agent')
  expect(guardWitness(repo).detail).toContain('is not marked as made by an agent')
  expect(repo.gza('doctor').stdout).toMatch(
    /^warn {2}ledger main +the guard warns: .*is not marked as made by an agent/m,
  )
})

test('unsetting the variables gives nobody a person’s rights, with hooks and without', () => {
  const repo = aGuardedRepo()
  const before = tipOf(repo)
  const edit = 'env -u GZA_AGENT -u ZAGI_AGENT gza edit 1 --content "Something easier"'
  for (const script of [edit, `GIT_CONFIG_COUNT=0 ${edit}`]) expect(underGuard(repo, script).code).toBe(1)
  expect(tipOf(repo)).toBe(before)
})

test('a record that was deleted is written again from what the guard held', () => {
  const repo = aGuardedRepo()
  const record = join(repo.dir, '.git/gza/guard/tips.jsonl')
  expect(underGuard(repo, 'true').code).toBe(0)
  const text = readFileSync(record, 'utf8')
  const result = underGuard(repo, 'rm -r .git/gza')
  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('had lost 1 of its lines') })
  expect(readFileSync(record, 'utf8')).toBe(text)
  writeFileSync(record, text.replaceAll(tipOf(repo), tipOf(repo, `${LEDGER}~1`)))
  expect(underGuard(repo, 'true')).toMatchObject({ code: 0, stderr: '' })
})

test('the tip is on record before the command starts, for the case that the guard itself is killed', () => {
  const repo = aGuardedRepo()
  const held = tipOf(repo)
  const rewind = `$GIT -c core.hooksPath= update-ref ${LEDGER} ${LEDGER}~1`
  const result = underGuard(repo, `${rewind}; kill -9 $PPID`)
  expect(result.code).toBe(137)
  expectDiffers(repo, held)
})

test('with every witness gone, a well-formed forgery is not found', () => {
  const repo = aGuardedRepo()
  const forged = forge(repo, 'human')
  const script = `$GIT -c core.hooksPath= update-ref ${LEDGER} ${forged}; rm -r .git/gza .git/logs/refs/tasks; kill -9 $PPID`
  expect(underGuard(repo, script).code).toBe(137)
  expect(repo.gza('verify').code).toBe(0)
})

test('a new ledger that is not one is reported, and nothing fails on it', () => {
  const repo = aGuardedRepo()
  const result = underGuard(repo, '$GIT -c core.hooksPath= update-ref refs/tasks/new $($GIT rev-parse HEAD:a.txt)')
  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('refs/tasks/new was tampered with') })
})

test('the command’s own failure is kept, and the report comes with it', () => {
  const repo = aGuardedRepo()
  const result = underGuard(repo, `$GIT -c core.hooksPath= update-ref ${LEDGER} ${LEDGER}~1; exit 42`)
  expect(result).toMatchObject({ code: 42, stderr: expect.stringContaining('was tampered with') })
})

function expectFound(repo: Repo, result: { code: number; stderr: string }, why: string): void {
  expect(result.stderr).toContain(`${LEDGER} was tampered with during run `)
  expect(result.stderr).toContain(why)
  expect(result.code).toBe(1)
  expect(existsSync(join(repo.dir, '.git/gza/guard/tips.jsonl'))).toBe(true)
}

function expectDiffers(repo: Repo, held: string): void {
  expect(repo.gza('verify').code).toBe(1)
  expect(guardWitness(repo)).toMatchObject({ state: 'differs', detail: expect.stringContaining(held.slice(0, 10)) })
}

interface Witness {
  name: string
  state: string
  detail: string
}

function guardWitness(repo: Repo): Witness {
  const reports = JSON.parse(repo.gza('verify', '--json').stdout) as { witnesses: Witness[] }[]
  const witness = reports.flatMap(({ witnesses }) => witnesses).find(({ name }) => name === 'guard')
  if (witness === undefined) throw new Error('verify has no guard among its witnesses')
  return witness
}
