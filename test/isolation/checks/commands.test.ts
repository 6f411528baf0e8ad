import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { aRepo } from '../../support/repo.ts'
import { anIsolatedRepo, expectNothingLeft, type IsolatedRepo, LEVELS } from '../runs/isolated-repo.ts'
import { expectNothingPlanted, PROBE, placeSecrets, probes, untouched } from './probe.ts'

const COMMANDS = {
  worktree: { setup: 'sh probe.sh setup' },
  verify: { command: 'sh probe.sh verify', test_command: 'sh probe.sh tests' },
}

function aProbed(level: (typeof LEVELS)[number], config: Record<string, unknown> = {}): IsolatedRepo {
  const files = { 'probe.sh': PROBE, '.gitignore': 'built/\n' }
  const act = `[ "$(cat built/out)" = setup ] || exit 3; commit "$title.txt" work`
  const repo = anIsolatedRepo(level, { else: act }, { config: { ...COMMANDS, ...config }, files })
  repo.commit('where', { 'beside.txt': `${repo.beside('').replace(/\/$/, '')}\n` })
  repo.git('branch', 'precious')
  placeSecrets(repo)
  return repo
}

for (const level of LEVELS) {
  test(`${level}: set-up and checks of the base, of a run and of a landing run in a box of their own`, () => {
    const repo = aProbed(level, { land: 'merge' })
    repo.add('One', '--test-files', 'One.txt')
    const before = untouched(repo)
    const { code, stdout, stderr } = repo.work('--all')
    expect(code, stdout + stderr).toBe(0)
    const { runs, branch } = repo.task('1')
    expect(runs).toMatchObject([{ outcome: 'completed', isolation: level }])
    const on = (what: string, subject: string): string => `on ${what}, 0 in /tmp, ${subject}`
    const merged = `Merge ${repo.task('1').id}: One`
    // Before it lands, and at the end.
    const landed = [`setup: ${on('a commit', merged)}`, `verify: ${on('a commit', merged)}`]
    expect(probes(repo, level)).toEqual([
      `setup: ${on('a commit', 'where')}`,
      `verify: ${on('a commit', 'where')}`,
      `setup: ${on(branch ?? '', 'where')}`,
      `tests: ${on(branch ?? '', 'One: One.txt')}`,
      `verify: ${on(branch ?? '', 'One: One.txt')}`,
      ...[...landed, ...landed],
    ])
    expect(untouched(repo)).toEqual(before)
    expectNothingPlanted(repo)
    expect(repo.git('show', 'main:One.txt')).toBe('work')
    expectNothingLeft(repo)
  })
}

test('a submodule that set-up fetches is whole for the agent, for the checks and for a landing', () => {
  const library = aRepo()
  library.commit('library', { 'lib.txt': 'lib\n' })
  const [level = 'bubblewrap'] = LEVELS
  const config = {
    worktree: { setup: 'git -c protocol.file.allow=always submodule --quiet update --init' },
    verify: { command: 'git status --short && git -C lib log --format=%s | grep library' },
  }
  const repo = anIsolatedRepo(
    level,
    { else: `git -C lib log --format=%s >"$beside/seen"; commit work.txt work` },
    { config },
  )
  repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.dir, 'lib')
  repo.commit('with a submodule')
  repo.add('One')
  const worked = repo.work('--all')
  expect(worked.code, worked.stdout + worked.stderr).toBe(0)
  expect(readFileSync(repo.beside('seen'), 'utf8')).toBe('library\n')
  const merged = repo.run(repo.commandLine('merge', '1'))
  expect(merged.code, merged.stdout + merged.stderr).toBe(0)
  expect(repo.inbox()).toEqual([])
})
