import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AgentRepo, type AgentRepoOptions, anAgentRepo } from '../../support/scripted-agent.ts'

/** A repository whose scripted agent implements, reviews and improves; each phase is a piece of shell. */
export interface ReviewRepo extends AgentRepo {
  /** Every call so far as `implement`, `review 1`, `improve 1`, oldest first. */
  acted(): string[]
  /** The prompt of the last call of a phase. */
  promptOf(phase: string): string
  /** Names in `.gza/reviews`. */
  reviews(): string[]
  review(name: string): string
  /** Artifacts of the first task in the ledger, by their last name. */
  artifacts(): string[]
  /** Subjects of the commits on a task's branch, newest first. */
  subjects(ref?: string): string[]
  /** The row of `gza status`, blanks made one. */
  row(ref?: string): string
}

export interface ReviewActs {
  implement?: string
  review?: string
  improve?: string
  /** The answer when it is asked once more for the verdict alone. */
  verdict?: string
}

/**
 * The result of each review, by cycle: `CHANGES_REQUESTED - what must change`, `APPROVED`; the last one is repeated. In the acts
 * `$cycle` and `$output` are set; `judge VERDICT POINT` writes a review of one point; `hold NAME` makes `at-NAME` beside
 * the repository and waits for `go-NAME`.
 */
export function aReviewRepo(
  verdicts: readonly string[],
  acts: ReviewActs = {},
  options: AgentRepoOptions = {},
): ReviewRepo {
  const lines = verdicts.map((said, at) => {
    const [verdict = '', point = ''] = said.split(' - ')
    return `${at + 1 === verdicts.length ? '*' : at + 1}) judge ${verdict} '${point}';;`
  })
  const {
    implement = 'commit feature.txt "first of $title"',
    review = `case $cycle in ${lines.join(' ')} esac`,
    improve = 'save feature.txt "$title after review $cycle"',
    verdict = 'echo "I have said everything"',
  } = acts
  const repo = anAgentRepo({ else: `${PHASES}\n${branches({ implement, review, improve, verdict })}` }, options)
  return { ...repo, ...looksOf(repo) }
}

const PHASES = `
judge() {
  mkdir -p "$(dirname "$output")"
  { echo "# Review $cycle"; echo; [ -z "$2" ] || echo "1. $2"; echo; echo "**Verdict: $1**"; } >"$output"
  echo "reviewed"
}
hold() { touch "$beside/at-$1"; until [ -e "$beside/go-$1" ]; do sleep 0.05; done; }
case $prompt in
"You are reviewing"*) phase=review
  output=$(sed -n 's/^3\\. Write the review as markdown to \\(.*\\.md\\):.*/\\1/p' <<<"$prompt")
  cycle=$(sed 's/.*-review-\\([0-9]*\\).*/\\1/' <<<"$output");;
"You are improving"*) phase=improve
  cycle=$(sed -n 's/.*with the message: Address review feedback (cycle \\([0-9]*\\)).*/\\1/p' <<<"$prompt");;
"Your review of"*) phase=verdict;;
*) phase=implement;;
esac
echo "I begin to $phase"
`

function branches({ implement, review, improve, verdict }: Required<ReviewActs>): string {
  return `case $phase in\nimplement)\n${implement}\n;;\nreview)\n${review}\n;;\nimprove)\n${improve}\n;;\nverdict)\n${verdict}\n;;\nesac`
}

function looksOf(repo: AgentRepo): Omit<ReviewRepo, keyof AgentRepo> {
  const folder = join(repo.dir, '.gza/reviews')
  return {
    acted: () => repo.calls().map(({ prompt }) => phaseOf(prompt)),
    promptOf: (phase) => repo.calls().findLast(({ prompt }) => phaseOf(prompt) === phase)?.prompt ?? '',
    reviews: () => readdirSync(folder).sort(),
    review: (name) => readFileSync(join(folder, name), 'utf8'),
    artifacts: () => {
      const names = repo.git('ls-tree', '-r', '--name-only', 'refs/tasks/main', 'artifacts/').split('\n')
      return names
        .filter(Boolean)
        .map((path) => path.replace(/.*\//, ''))
        .sort()
    },
    subjects: (ref = '1') =>
      repo
        .git('log', '--format=%s', `main..${repo.task(ref).branch}`)
        .split('\n')
        .filter(Boolean),
    row: (ref = '1') => {
      const rows = repo.gza('status').stdout.split('\n')
      return (rows.find((line) => line.includes(` ${ref}. `)) ?? '').trim().replace(/ +/g, ' ')
    },
  }
}

function phaseOf(prompt: string): string {
  const review = /^3\. Write the review as markdown to .*-review-(\d+)/m.exec(prompt)?.[1]
  if (prompt.startsWith('You are reviewing')) return review === undefined ? 'review task' : `review ${review}`
  const improve = /with the message: Address review feedback(?: \(cycle (\d+)\))?$/m.exec(prompt)
  if (prompt.startsWith('You are improving'))
    return improve?.[1] === undefined ? 'improve task' : `improve ${improve[1]}`
  return prompt.startsWith('Your review of') ? 'verdict' : 'implement'
}

/** The names of a task's reviews, with the day that the task was filed. */
export function reviewNames(repo: AgentRepo, ref: string, ...cycles: (number | string)[]): string[] {
  const day = repo.task(ref).created_at.slice(0, 10).replaceAll('-', '')
  return cycles.map((cycle) => `${day}-task-${ref}-review-${cycle}.md`)
}
