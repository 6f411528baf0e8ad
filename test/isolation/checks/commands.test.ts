import { expect, test } from 'bun:test'
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
