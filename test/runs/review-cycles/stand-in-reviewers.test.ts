import { expect, test } from 'bun:test'
import { aReviewRepo, type ReviewRepo } from './review-repo.ts'

/** Three agents with one script. Those that are named in the file `limited` are at their usage limit. */
function aRepoOfThree(fallback: string[]): ReviewRepo {
  const limit = 'grep -qx "$1" "$beside/limited" && { echo "Claude AI usage limit reached|4102444800"; exit 1; }'
  const repo = aReviewRepo([], { implement: `${limit}; commit feature.txt x`, review: `${limit}; judge APPROVED` })
  const command = repo.beside('agent')
  const agents = ['worker', 'critic', 'third'].map((name) => [name, { command: `${command} ${name}` }])
  repo.commit('agents', {
    'gza.yaml': [
      `agents: ${JSON.stringify(Object.fromEntries(agents))}`,
      `fallback: ${JSON.stringify(fallback)}`,
      'defaults: { agent: worker, review_agent: critic, auto_review: true }',
      'retry: { backoff_seconds: 0 }',
    ].join('\n'),
  })
  repo.add('feature')
  return repo
}

const limitTo = (repo: ReviewRepo, ...names: string[]) =>
  repo.run(['sh', '-c', `printf '%s\\n' ${names.join(' ')} >"${repo.beside('limited')}"`])

const agentsOf = (repo: ReviewRepo) => repo.task('1').phases.map(({ phase, agent }) => [phase, agent])

test('a fallback reviews while the configured reviewer is paused, but not the agent that wrote the work', () => {
  const repo = aRepoOfThree(['worker', 'third'])
  limitTo(repo, 'critic')
  expect(repo.gza('work', '--all').code).toBe(0)
  expect(repo.task('1')).toMatchObject({ final_verdict: 'APPROVED', runs: [{ reason: 'usage-limit' }, {}] })
  expect(agentsOf(repo)).toEqual([
    ['implement', undefined],
    ['review', 'third'],
  ])
  expect(repo.gza('logs', '1').stdout).toContain('third stands in for critic')
})

test('without another agent the review waits for the reviewer', () => {
  const repo = aRepoOfThree(['worker'])
  limitTo(repo, 'critic')
  expect(repo.gza('work', '--all').code).toBe(1)
  expect([repo.task('1').status, repo.why('1'), agentsOf(repo)]).toEqual([
    'pending',
    'AGENT_PAUSED',
    [['implement', undefined]],
  ])
  limitTo(repo, 'nobody')
  repo.gza('agents', 'resume', 'critic')
  expect(repo.gza('work', '--all').code).toBe(0)
  expect(agentsOf(repo).at(-1)).toEqual(['review', 'critic'])
})

test('a reviewer that stood in for the agent of the work does not review it', () => {
  const repo = aRepoOfThree(['critic'])
  limitTo(repo, 'worker')
  expect(repo.gza('work', '--all').code).toBe(1)
  expect([
    repo
      .task('1')
      .runs.map(({ agent }) => agent)
      .includes('critic'),
    repo.why('1'),
  ]).toEqual([true, 'AGENT_PAUSED'])
  limitTo(repo, 'nobody')
  repo.gza('agents', 'resume', 'worker')
  expect(repo.gza('work', '--all').code).toBe(0)
  expect(agentsOf(repo).at(-1)).toEqual(['review', 'worker'])
})

test('an agent that is called in place of the usual one reviews its own work where no reviewer is named', () => {
  const repo = aRepoOfThree([])
  const config = repo.run(['cat', 'gza.yaml']).stdout
  repo.commit('no reviewer', { 'gza.yaml': config.replace(' review_agent: critic,', '') })
  expect(repo.gza('work', '1', '--agent', 'third').code).toBe(0)
  expect(repo.task('1')).toMatchObject({ final_verdict: 'APPROVED', runs: [{ agent: 'third' }] })
  expect(agentsOf(repo)).toEqual([
    ['implement', undefined],
    ['review', 'third'],
  ])
})
