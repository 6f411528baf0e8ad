import { expect, test } from 'bun:test'
import { withClaude } from '../../support/scripted-claude.ts'
import { aReviewRepo } from './review-repo.ts'

/** The review that the reviewer writes. */
const writes = (text: string) => `mkdir -p "$(dirname "$output")"; printf '%b' '${text}' >"$output"`

test('a verdict counts in the forms that reviewers use, and the reviewer is not asked again', () => {
  for (const line of ['## Verdict: APPROVED', '- **Verdict:** APPROVED.', 'Verdict: APPROVED, with comments above']) {
    const repo = aReviewRepo([], { review: writes(`# Review\\n\\nA remark.\\n\\n${line}\\n`) })
    repo.add('feature', '-a')
    expect(repo.gza('work').code).toBe(0)
    expect([line, repo.task('1').final_verdict, repo.acted()]).toEqual([line, 'APPROVED', ['implement', 'review 1']])
  }
})

test('a reviewer without a clear verdict is asked once more for that line alone, and its answer is kept with the review', () => {
  const repo = aReviewRepo([], {
    review: writes('# Review\\n\\n1. Rename it.\\n\\n**Verdict: APPROVED** once 1. is done\\n'),
    verdict: 'echo "**Verdict: APPROVED**"',
  })
  repo.add('feature', '-a')
  expect(repo.gza('work').stdout).toContain('[1/3] Review: APPROVED\n')
  expect(repo.acted()).toEqual(['implement', 'review 1', 'verdict'])
  const asked = repo.promptOf('verdict')
  expect(asked).toContain('1. Rename it.\n\n**Verdict: APPROVED** once 1. is done\n--- END the review ---')
  expect(repo.calls().at(-1)?.cwd).toBe(repo.calls().at(-2)?.cwd ?? '')
  expect(repo.review(repo.reviews()[0] ?? '')).toEndWith('once 1. is done\n\n**Verdict: APPROVED**\n')
  expect(repo.gza('logs', '1').stdout).toContain('The review has no clear verdict. The reviewer is asked once more')
})

test('without an answer it is CHANGES_REQUESTED with that reason, for review tasks too', () => {
  const review = writes('# Review\\n\\n1. A small point.\\n')
  const why = 'the reviewer gave no clear verdict, although it was asked twice'
  const cycles = aReviewRepo([], { review })
  cycles.add('feature', '-a', '--max-cycles', '1')
  expect(cycles.gza('work').stdout).toContain(`[1/1] Review: CHANGES_REQUESTED - ${why}\n`)
  expect(cycles.acted()).toEqual(['implement', 'review 1', 'verdict'])
  expect(cycles.inbox().map(({ code, detail }) => [code, detail.startsWith(why)])).toEqual([
    ['MAX_CYCLES_REACHED', true],
  ])
  const byTask = aReviewRepo([], { review })
  byTask.add('feature', '--review')
  expect(byTask.gza('work').stdout).toContain('Review completed: CHANGES_REQUESTED')
  expect(byTask.acted()).toEqual(['implement', 'review task', 'verdict'])
  expect(byTask.review(byTask.reviews()[0] ?? '')).toEndWith(`\n\nIt counts as CHANGES_REQUESTED: ${why}.\n`)
})

// Claude reports the cost of the whole session, also when it was resumed.
test('a client that can continue its session is asked in that session, and the cost of both calls counts', () => {
  const repo = withClaude({
    else: `case $prompt in
      "You are reviewing"*) result "I looked at every line of it.\\\\nThe names are fine.\\\\nThe tests are fine." ;;
      "Your review of"*) printf '%s\\n' "$*" >"$beside/asked"; result "Verdict: APPROVED" | sed s/0.25/0.5/ ;;
      *) commit feature.txt x; result done ;; esac`,
  })
  repo.add('feature', '-a')
  expect(repo.gza('work').code).toBe(0)
  expect(repo.run(['cat', repo.beside('asked')]).stdout).toContain('--resume s1')
  expect(repo.task('1')).toMatchObject({ final_verdict: 'APPROVED', runs: [{ cost_usd: 0.75, turns: 9 }] })
})
