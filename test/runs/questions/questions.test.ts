import { expect, test } from 'bun:test'
import type { PromptPreview } from '../../../src/runs/preview-prompt.ts'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'
import { withClaude } from '../../support/scripted-claude.ts'

const ASK = 'save half.txt begun; git tasks ask "$task" "Which database?"'
/** Asks at first, and works once it has the answer. */
const ASK_FIRST = `case $prompt in *"Test answered: the second"*) commit done.txt yes ;; *) ${ASK} ;; esac`

const ref = (repo: AgentRepo, name: string): string => repo.git('rev-parse', '--verify', '--quiet', name)

test('a question costs no attempt and keeps the work, the task waits for the answer, and the next prompt has both', () => {
  const repo = anAgentRepo(
    { first: ASK_FIRST },
    { config: { verify: { command: 'true' } }, defaults: { max_attempts: 1 } },
  )
  repo.add('first')
  repo.add('second', '--after', '1')
  const work = repo.gza('work', '--all')
  expect([work.code, work.stdout]).toEqual([1, expect.stringContaining('? Task #1 asks: Which database?\n')])
  expect(work.stdout).toContain('Answer it: gza answer 1 TEXT')
  const { status, runs, branch, question } = repo.task('1')
  expect([status, question?.text]).toEqual(['pending', 'Which database?'])
  expect(runs.map(({ outcome, reason }) => [outcome, reason])).toEqual([['interrupted', 'question']])
  expect(repo.git('log', '-1', '--format=%s', branch ?? '')).toBe('WIP: first (question)')
  expect(repo.git('show', `${branch}:half.txt`)).toBe('begun')
  expect([repo.why('1'), repo.inbox().map(({ code, detail }) => [code, detail])]).toEqual([
    'QUESTION',
    [['QUESTION', 'scripted asks: Which database?']],
  ])
  expect(repo.gza('ready').stdout).toMatch(/^\(#2 task-\w+ blocked by #1\)\n\(#1 task-\w+ question\)\n$/)
  expect(repo.gza('next', '--all').stdout).toContain('1. [task] first (question)')
  expect(repo.gza('list').stdout).toContain('question')
  const named = repo.gza('work', '1')
  expect([named.code, named.stderr]).toEqual([
    1,
    expect.stringContaining('Task #1 waits for an answer: Which database?'),
  ])
  expect(repo.gza('answer', '1', '').code).toBe(2)
  expect(repo.gza('answer', 'the second')).toMatchObject({
    code: 2,
    stderr: "Error: Name the task before the answer\n  gza answer ID 'the second'\n",
  })
  expect(repo.gza('answer', '1', 'the second').stdout).toMatch(
    /^Answered #1 task-\w+\. gza work 1 continues with it\.\n$/,
  )
  expect(repo.gza('answer', '1', 'again').stderr).toContain('Task #1 has no open question')
  const preview: PromptPreview = JSON.parse(repo.gza('prompt', '1', '--json').stdout)
  expect(preview.prompt).toContain('scripted asked: Which database?\nTest answered: the second\n')
  expect(repo.gza('work', '--all').code).toBe(0)
  expect(repo.statuses()).toEqual({ first: 'completed', second: 'completed' })
  expect(repo.gza('verify').stdout).toStartWith('main: ok (')
})

test('a note that begins with blocked: is a question, also where the agent commits and the checks pass', () => {
  const act =
    'commit a.txt "$call"; case $prompt in *answered*) ;; *) git tasks note "$task" "blocked: no access" ;; esac'
  const repo = anAgentRepo({ else: act }, { config: { verify: { command: 'true' }, land: 'merge' } })
  repo.add('first')
  expect(repo.gza('work').code).toBe(1)
  expect([repo.why('1'), repo.task('1').status]).toEqual(['QUESTION', 'pending'])
  // A reset needs no answer.
  repo.gza('resolve', '1', '--reset')
  expect([repo.why('1'), repo.task('1').question]).toEqual(['READY', null])
})

test('an agent that continues and reports that it is done has withdrawn its question', () => {
  const repo = anAgentRepo({ else: `${ASK}; commit a.txt a; git tasks done "$task"` })
  repo.add('first')
  expect([repo.gza('work').code, repo.task('1').status, repo.task('1').question]).toEqual([0, 'completed', null])
})

test('an answer during the work is taken up by the same work', () => {
  const other = `until [ -e "$beside/answered" ]; do sleep 0.05; done; commit b.txt b`
  const repo = anAgentRepo({ second: other, else: ASK_FIRST })
  repo.add('first')
  repo.add('second')
  const working = repo.start(['gza', 'work', '--all', '--workers', '2'])
  const answering = repo.start([
    'bash',
    '-c',
    `until gza answer 1 "the second"; do sleep 0.1; done; touch "${repo.beside('answered')}"`,
  ])
  return Promise.all([working, answering]).then(([work]) => {
    expect(repo.statuses()).toEqual({ first: 'completed', second: 'completed' })
    expect(work.stdout).toContain('? Task #1 asks: Which database?')
  })
})

test('git tasks run keeps uncommitted changes aside, leaves the tree clean and continues with the next task', () => {
  const ask = 'echo half >half.txt; echo more >>README.md; git add half.txt; git tasks ask "$task" "Which database?"'
  const repo = anAgentRepo({ first: ask, second: 'commit b.txt b; git tasks done "$task"' })
  repo.add('first')
  repo.add('second')
  const run = repo.tasks('run')
  expect([run.code, repo.git('status', '--porcelain'), repo.statuses()]).toEqual([
    1,
    '',
    { first: 'pending', second: 'completed' },
  ])
  const kept = `refs/gza/kept/${repo.task('1').runs[0]?.run}/uncommitted`
  expect([repo.git('show', `${kept}:half.txt`), repo.git('show', `${kept}:README.md`)]).toEqual(['half', 'hello\nmore'])
  expect(ref(repo, `${kept}^`)).toBe(ref(repo, 'HEAD^'))
  repo.gza('answer', '1', 'the second')
  expect(repo.tasks('prompt', '1', '--phase', 'run').stdout).toContain('Test answered: the second')
})

test('a question after the report that it is done opens the task again', () => {
  const repo = anAgentRepo({
    else: 'commit a.txt a; git tasks done "$task"; git tasks note "$task" "blocked: or not?"',
  })
  repo.add('first')
  expect(repo.tasks('run', '--once').code).toBe(1)
  expect([repo.why('1'), repo.task('1').status]).toEqual(['QUESTION', 'pending'])
})

test('a reviewer may ask too, and the cycle continues after the answer', () => {
  const review =
    'case $prompt in *answered*) echo "**Verdict: APPROVED**" ;; *) git tasks ask "$task" "Is the API public?" ;; esac'
  const act = `case $prompt in "You are reviewing"*) ${review} ;; *) commit a.txt a ;; esac`
  const repo = anAgentRepo({ else: act })
  repo.add('first', '-a')
  expect([repo.gza('work').code, repo.why('1')]).toEqual([1, 'QUESTION'])
  repo.gza('answer', '1', 'yes')
  expect([repo.gza('work').code, repo.task('1').final_verdict]).toEqual([0, 'APPROVED'])
})

test('an agent that gza did not start asks about its claim, which is then released; others cannot ask', () => {
  const repo = anAgentRepo({})
  repo.add('first')
  const agent = repo.withEnv({ GZA_AGENT: 'helper' })
  const early = agent.gza('ask', '1', 'May I?')
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('You do not work on task #1')])
  expect(repo.gza('ask', '1', 'May I?').stderr).toContain('Only agents ask questions')
  agent.gza('note', '1', 'blocked: only a note')
  expect(repo.why('1')).toBe('READY')
  expect(agent.gza('claim', '1').code).toBe(0)
  expect(agent.gza('ask', '1', 'May I?').stdout).toContain('Asked about #1')
  expect([repo.why('1'), repo.task('1').status]).toEqual(['QUESTION', 'pending'])
  expect(agent.gza('answer', '1', 'yes').stderr).toContain('answer is blocked in agent mode')
  expect(agent.gza('claim', '1').code).toBe(1)
  repo.gza('answer', '1', 'yes')
  expect(agent.gza('claim', '1').code).toBe(0)
})

test('after the answer the session of the client is resumed', () => {
  const repo = withClaude({ else: `${ASK_FIRST}; result finished` })
  repo.add('first')
  expect(repo.gza('work').code).toBe(1)
  repo.gza('answer', '1', 'the second')
  expect(repo.gza('work').code).toBe(0)
  const [first, second] = repo.calls().map((call) => call.arguments.join(' '))
  expect([first?.includes('--resume'), second?.includes('--resume s1')]).toEqual([false, true])
})
