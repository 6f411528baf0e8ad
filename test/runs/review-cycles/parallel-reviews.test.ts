import { expect, test } from 'bun:test'
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expectNothingLeft } from './kill-at-steps.ts'
import { aReviewRepo, type ReviewRepo, reviewNames } from './review-repo.ts'

const TITLES = ['alpha', 'beta', 'gamma', 'delta']
const NEXT_YEAR = Math.floor(Date.now() / 1000) + 365 * 24 * 3600

const ACTS = {
  implement: 'commit "$title.txt" "first of $title"',
  improve: 'save "$title.txt" "$title after review $cycle"',
}

test('four review cycles at once each end in their own way, and every line names its task', () => {
  const repo = aReviewRepo([], {
    ...ACTS,
    review:
      'if [ "$cycle" = 1 ] || [ "$title" = delta ]; then judge CHANGES_REQUESTED "of $title"; else judge APPROVED; fi',
  })
  for (const title of TITLES) repo.add(title, '-a', '--max-cycles', '2')
  const { code, stdout } = repo.gza('work', '--all', '--workers', '4')
  expect(code).toBe(0)
  const verdicts = ['APPROVED', 'APPROVED', 'APPROVED', 'MAX_CYCLES_REACHED']
  expect(TITLES.map((_, at) => repo.task(String(at + 1)).final_verdict as string)).toEqual(verdicts)
  expect(repo.reviews()).toEqual(TITLES.flatMap((_, at) => reviewNames(repo, String(at + 1), 1, 2)))
  for (const [at, title] of TITLES.entries())
    expect(repo.git('show', `${repo.task(String(at + 1)).branch}:${title}.txt`)).toBe(`${title} after review 1`)
  // The last one runs alone.
  expect(stdout).toMatch(/^ {2}#\d \[1\/2\] Running review\.\.\.$/m)
  expectNothingLeft(repo)
})

/** The same script under another name, for the reviews. */
function withReviewer(review: string, settings: Record<string, unknown> = {}): ReviewRepo {
  const repo = aReviewRepo([], { ...ACTS, review }, { defaults: { review_agent: 'critic', ...settings } })
  const script = readFileSync(repo.beside('agent'), 'utf8')
  writeFileSync(repo.beside('critic'), script.replace('#!/bin/bash\n', '#!/bin/bash\nwho=critic\n'))
  chmodSync(repo.beside('critic'), 0o755)
  const agents = `agents: ${JSON.stringify({ scripted: { command: repo.beside('agent') }, critic: { command: repo.beside('critic') } })}`
  repo.commit('two agents', {
    'gza.yaml': readFileSync(`${repo.dir}/gza.yaml`, 'utf8').replace(/^agents: .*$/m, agents),
  })
  return repo
}

test('review_agent reviews, and another implements and improves', () => {
  const repo = withReviewer(
    'echo "$who" >>"$beside/who"; if [ "$cycle" = 1 ]; then judge CHANGES_REQUESTED one; else judge APPROVED; fi',
  )
  repo.add('alpha', '-a')
  expect(repo.gza('work').code).toBe(0)
  expect(readFileSync(repo.beside('who'), 'utf8')).toBe('critic\ncritic\n')
  const { phases, runs } = repo.task('1')
  expect(phases.filter(({ phase }) => phase === 'review').map(({ agent }) => agent)).toEqual(['critic', 'critic'])
  expect(runs.map(({ agent }) => agent)).toEqual(['scripted'])
})

test('review_agent reviews also where it is the usual agent and --agent calls another', () => {
  const repo = withReviewer('echo "by $who" >>"$beside/who"; judge APPROVED', { review_agent: 'scripted' })
  repo.add('alpha', '-a')
  expect(repo.gza('work', '--agent', 'critic').code).toBe(0)
  expect(readFileSync(repo.beside('who'), 'utf8')).toBe('by \n')
  expect(repo.task('1').runs.map(({ agent }) => agent)).toEqual(['critic'])
})

test('a reviewer at its limit pauses only itself, costs no attempt, and is asked again where the cycle stopped', () => {
  const limit = `if [ -e "$beside/open" ]; then judge APPROVED; else echo "Claude AI usage limit reached|${NEXT_YEAR}"; exit 1; fi`
  const repo = withReviewer(limit, { max_attempts: 1 })
  for (const title of TITLES) repo.add(title, '-a')
  repo.add('plain')
  expect(repo.gza('work', '--all', '--workers', '2').code).toBe(1)
  expect(repo.statuses()).toEqual({
    ...Object.fromEntries(TITLES.map((title) => [title, 'pending'])),
    plain: 'completed',
  })
  const implemented = repo.acted().filter((phase) => phase === 'implement')
  expect(implemented).toHaveLength(TITLES.length + 1)
  expect(repo.why('1')).toBe('AGENT_PAUSED')
  expect(repo.gza('why', '1').stdout).toContain('critic is at its usage limit')
  expect(repo.inbox()).toMatchObject([{ subject: 'critic', code: 'AGENT_PAUSED' }])
  const before = repo.acted().length
  repo.gza('work', '--all')
  expect(repo.acted()).toHaveLength(before)
  writeFileSync(repo.beside('open'), '')
  // Another account of the same person, which is at no limit.
  const later = repo.withEnv({ XDG_STATE_HOME: repo.beside('state') })
  expect(later.gza('work', '--all', '--workers', '4').code).toBe(0)
  expect(Object.values(repo.statuses())).toEqual(Array(5).fill('completed'))
  expect(repo.acted().filter((phase) => phase === 'implement')).toEqual(implemented)
  expectNothingLeft(repo)
})

test('a reviewer that cannot be started is named, and the work waits for a person', () => {
  const repo = withReviewer('judge APPROVED')
  rmSync(repo.beside('critic'))
  repo.add('alpha', '-a')
  const { code, stdout } = repo.gza('work')
  expect(code).toBe(1)
  expect(stdout).toContain('critic cannot be used until a person has fixed it')
  expect(repo.task('1').status).toBe('pending')
  expect(repo.inbox().map(({ code, detail }) => [code, detail.split(':')[0]])).toEqual([['NOT_STARTED', 'critic']])
})

const CLIENT = '#!/bin/bash\nprintf "%s\\n" "$*" >>"$(dirname "$0")/called"\n'

test('model and review_model reach the client each in its phases', () => {
  const repo = aReviewRepo([], ACTS, {
    defaults: { agent: 'claude' },
    config: { task_types: { implement: { model: 'opus', review_model: 'sonnet', auto_review: true } } },
  })
  const folder = repo.beside('bin')
  repo.run(['mkdir', folder])
  const done = `{"type":"result","subtype":"success","is_error":false,"result":"**Verdict: APPROVED**","session_id":"s"}`
  writeFileSync(
    `${folder}/claude`,
    `${CLIENT}case "$*" in *'You are reviewing'*) ;; *) echo x >f; git add f; git commit -qm f;; esac\necho '${done}'\n`,
  )
  chmodSync(`${folder}/claude`, 0o755)
  repo.add('alpha', '-t', 'implement')
  const { code } = repo.withEnv({ PATH: `${folder}:${repo.env.PATH}` }).gza('work')
  expect(code).toBe(0)
  const models = [...readFileSync(`${folder}/called`, 'utf8').matchAll(/--model (\S+)/g)].map(([, model]) => model)
  expect(models).toEqual(['opus', 'sonnet'])
  expect(repo.task('1').final_verdict).toBe('APPROVED')
})
