import { expect, test } from 'bun:test'
import { withoutEnd } from '../../support/without-end.ts'
import { keptLists, NOTHING, openLeases } from '../crash-recovery/crash-repo.ts'
import { aReviewRepo, type ReviewRepo, reviewNames } from './review-repo.ts'

const SIGKILLED = 137
const PHASES = ['implement', 'review 1', 'improve 1', 'review 2', 'improve 2', 'review 3']

const SUBJECTS = ['Address review feedback (cycle 2)', 'Address review feedback (cycle 1)', 'feature: feature.txt']

/** How often a run of three cycles passes each step. */
export const TIMES = {
  ...{ leased: 1, begun: 1, started: 1, prepared: 4, working: 6, heard: 6, kept: 3, verified: 3, passed: 6 },
  ...{ removed: 1, recorded: 1, noted: 1, finished: 1, released: 1 },
}

export type Step = keyof typeof TIMES

export function threeCycles(): ReviewRepo {
  const repo = aReviewRepo(['CHANGES_REQUESTED - one', 'CHANGES_REQUESTED - two', 'APPROVED'], {
    implement: 'commit feature.txt "first, $(basename "$call")"',
  })
  repo.add('feature', '--type', 'implement', '-a')
  return repo
}

/** Kills the worker at every occurrence of these steps, one repository each, and lets another one continue. */
export function walkThrough(...steps: Step[]): void {
  for (const step of steps)
    for (let n = 1; n <= TIMES[step]; n++)
      test(`a worker killed at the step ${step}, the ${n}. time, loses nothing and repeats no phase`, () => {
        const repo = threeCycles()
        expect(repo.withEnv({ GZA_CRASH_AT: `${step}:${n}` }).gza('work').code).toBe(SIGKILLED)
        const { code, stderr } = repo.gza('work')
        expect({ code, stderr: withoutEnd(stderr) }).toEqual({ code: 0, stderr: '' })
        expectThreeCycles(
          repo,
          step === 'working' ? PHASES.flatMap((name, at) => (at === n - 1 ? [name, name] : [name])) : PHASES,
        )
      })
}

export function expectThreeCycles(repo: ReviewRepo, acted: readonly string[] = PHASES): void {
  const { review_cycle, final_verdict, phases, status, closed_commit, branch } = repo.task('1')
  expect({ status, review_cycle, final_verdict }).toEqual({
    status: 'completed',
    review_cycle: 3,
    final_verdict: 'APPROVED',
  })
  expect(repo.acted()).toEqual([...acted])
  expect(phases.map(({ phase, cycle }) => (cycle === 0 ? phase : `${phase} ${cycle}`)).sort()).toEqual(
    PHASES.toSorted(),
  )
  expect(repo.reviews()).toEqual(reviewNames(repo, '1', 1, 2, 3))
  expect(repo.artifacts()).toEqual(repo.reviews())
  expect(repo.git('rev-parse', String(branch))).toBe(String(closed_commit))
  expect(repo.git('show', `${branch}:feature.txt`)).toBe('feature after review 2')
  expect(repo.git('notes', '--ref=tasks', 'show', String(closed_commit))).toContain('feature')
  if (acted.length === PHASES.length) expect(repo.subjects()).toEqual(SUBJECTS)
  expectNothingLeft(repo)
}

export function expectNothingLeft(repo: ReviewRepo): void {
  const left = { worktrees: repo.worktrees(), processes: repo.survivors(), leases: openLeases(repo) }
  expect({ ...left, lists: keptLists(repo), verify: repo.gza('verify').code }).toEqual(NOTHING)
}
