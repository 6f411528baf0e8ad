import { expect, test } from 'bun:test'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'
import { withClaude } from '../../support/scripted-claude.ts'

const PROMISE = 'echo "<promise>DONE</promise>"'
/** One more file with each call; `$n` is the number of this one. */
const STEP = 'n=$(($(ls | grep -c "^step-") + 1)); save "step-$n.txt" x'

function subjects(repo: AgentRepo, ref = '1'): string[] {
  return repo.git('log', '--format=%s', `main..${repo.task(ref).branch}`).split('\n')
}

function loopParts(repo: AgentRepo): string[] {
  return repo.calls().map(({ prompt }) => prompt.slice(prompt.indexOf('You are called repeatedly for this task')))
}

test('the agent is called with what is on the branch until it promises, and each iteration is a phase', () => {
  const repo = anAgentRepo({ else: `${STEP}; [ $n -lt 3 ] || ${PROMISE}` }, { config: { verify: { command: 'true' } } })
  repo.add('one')
  const { code, stdout } = repo.gza('work', '--ralph', '--no-base-check')
  expect(stdout.split('\n')).toEqual([
    'Running task #1: one',
    '  #1 Working (iteration 1 of 10)...',
    '  #1 Working (iteration 2 of 10)...',
    '  #1 Working (iteration 3 of 10)...',
    '  #1 Verifying...',
    '✓ Task #1 completed',
    '',
  ])
  expect(code).toBe(0)
  expect(subjects(repo)).toEqual(['one', 'one (iteration 2)', 'one (iteration 1)'])
  expect(repo.task('1').runs).toMatchObject([{ attempt: 1, outcome: 'completed' }])
  const [first, second, third] = loopParts(repo)
  expect(first).toContain('iteration 1 of at most 10')
  expect(first).not.toContain('BEGIN')
  expect(second).toContain('one (iteration 1)\n--- END commits on the branch so far')
  expect(second).toContain('It made no promise.')
  expect(third).toContain('one (iteration 1)\n')
  expect(third).toContain('one (iteration 2)\n')
  expect(repo.gza('logs', '1').stdout).toContain('── task (iteration 3 of 10)')
  expect(repo.worktrees()).toEqual([])
})

test('a promise with a failing check does not complete the task, and only the next iteration is given the failure', () => {
  const repo = anAgentRepo(
    { else: `${STEP}; [ $n -lt 2 ] || ${PROMISE}` },
    {
      files: { 'check.sh': 'test -e step-3.txt || { echo "step three is missing"; exit 1; }\n' },
      config: { verify: { command: 'sh check.sh' } },
    },
  )
  repo.add('one')
  expect(repo.gza('work', '--ralph', '--no-base-check').code).toBe(0)
  expect(repo.statuses()).toEqual({ one: 'completed' })
  const told = loopParts(repo).map((part) => part.includes('step three is missing'))
  expect(told).toEqual([false, false, true])
  expect(loopParts(repo)[2]).toContain('It promised that the work is done, but: verify-failed')
  expect(repo.task('1').runs).toMatchObject([{ attempt: 1, outcome: 'completed' }])
})

test('a promise without a change does not complete the task', () => {
  const repo = anAgentRepo({ else: `[ $(ls "$beside/calls" | wc -l) -lt 2 ] || commit a.txt a; ${PROMISE}` })
  repo.add('one')
  expect(repo.gza('work', '--ralph', '--no-base-check').code).toBe(0)
  expect(repo.calls()).toHaveLength(2)
  expect(loopParts(repo)[1]).toContain('but: no-changes')
})

test('an agent that never promises stops at the bound, is not tried again, and is in the inbox with that reason', () => {
  const repo = anAgentRepo({ else: STEP })
  repo.add('one')
  expect(repo.gza('work', '--all', '--ralph', '--max-iterations', '3').code).toBe(1)
  expect(repo.calls()).toHaveLength(3)
  expect(repo.statuses()).toEqual({ one: 'failed' })
  expect(repo.inbox()).toMatchObject([{ code: 'MAX_ITERATIONS', detail: 'no promise in 3 iterations' }])
  expect(subjects(repo)).toEqual(['WIP: one (max-iterations)', 'one (iteration 2)', 'one (iteration 1)'])
})

test('the bound is configured, counts promises that do not hold, and a retry continues from the work', () => {
  const repo = anAgentRepo(
    { else: `${STEP}; ${PROMISE}` },
    { config: { ralph: { max_iterations: 2 }, verify: { command: 'test -e step-3.txt' } } },
  )
  repo.add('one')
  repo.gza('work', '--ralph', '--no-base-check')
  expect(repo.calls()).toHaveLength(2)
  expect(repo.inbox()).toMatchObject([
    {
      code: 'MAX_ITERATIONS',
      detail: expect.stringContaining('the last one promised that the work is done, but: verify-failed'),
    },
  ])
  expect(repo.gza('retry', '1', '--ralph').code).toBe(0)
  expect(repo.calls()).toHaveLength(3)
  expect(repo.gza('config', 'ralph.max_iterations').stdout).toBe('ralph.max_iterations  2  gza.yaml:4\n')
})

const TASK_WITH_PROMISE = 'Write the loop\n\nIt ends once the agent says\n<promise>DONE</promise>\non its own line.'

test.each([
  ['the whole prompt', 'printf "%s\\n" "$prompt"'],
  ['the prompt, wrapped', 'fold -s -w 30 <<<"$prompt"'],
  ['each word of it on a line', 'tr " " "\\n" <<<"$prompt"'],
  ['the prompt, indented', 'sed "s/^/  /" <<<"$prompt"'],
  ['the words in a sentence', 'echo "I may not say <promise>DONE</promise> yet."'],
  ['the words in a quote', 'echo "> <promise>DONE</promise>"'],
  ['the words on stderr', `${PROMISE} >&2`],
])('a client that prints %s promises nothing', (_, act) => {
  const repo = anAgentRepo({ else: `${STEP}; ${act}` })
  repo.add(TASK_WITH_PROMISE)
  repo.gza('work', '--ralph', '--max-iterations', '2')
  expect(repo.inbox()).toMatchObject([{ code: 'MAX_ITERATIONS' }])
  expect(repo.calls()).toHaveLength(2)
})

test('a promise after the prompt was repeated is one', () => {
  const repo = anAgentRepo({ else: `${STEP}; printf "%s\\n" "$prompt"; echo "It is built."; ${PROMISE}` })
  repo.add(TASK_WITH_PROMISE)
  expect(repo.gza('work', '--ralph', '--no-base-check').code).toBe(0)
  expect(repo.calls()).toHaveLength(1)
})

test('every iteration is a process of its own without the session of another, and their costs add up', () => {
  const repo = withClaude({
    else: `cut -d" " -f1,22 /proc/$$/stat >>"$beside/processes"; ${STEP}; [ $n -lt 3 ] && result "not yet" || result "Finished.\\\\n\\\\n<promise>DONE</promise>"`,
  })
  repo.add('one')
  expect(repo.gza('work', '--ralph', '--no-base-check').code).toBe(0)
  const calls = repo.calls()
  expect(calls).toHaveLength(3)
  for (const call of calls) expect(call.arguments.join(' ')).not.toContain('--resume')
  // By pid and start: in boxes of their own they all have the same pid.
  const processes = repo
    .run(['sort', '-u', repo.beside('processes')])
    .stdout.trim()
    .split('\n')
  expect(processes).toHaveLength(3)
  expect(repo.task('1').runs).toMatchObject([{ cost_usd: 0.75, tokens_in: 30, tokens_out: 15 }])
})

test('two workers iterate side by side, and one that fails holds up no other', () => {
  const repo = anAgentRepo({ never: STEP, else: `${STEP}; [ $n -lt 2 ] || ${PROMISE}` })
  for (const title of ['a', 'never', 'b', 'c']) repo.add(title)
  repo.gza('work', '--all', '--workers', '2', '--ralph', '--max-iterations', '3')
  expect(repo.statuses()).toEqual({ a: 'completed', never: 'failed', b: 'completed', c: 'completed' })
  const calls = Map.groupBy(repo.calls(), ({ title }) => title)
  expect([...calls].map(([title, own]) => [title, own.length]).toSorted()).toEqual([
    ['a', 2],
    ['b', 2],
    ['c', 2],
    ['never', 3],
  ])
  expect(repo.worktrees()).toEqual([])
  expect(repo.survivors()).toEqual([])
})

test('a project has its own words for the iterations, and a task without commits is called once', () => {
  const repo = anAgentRepo(
    {
      text: `save "$(grep -o '[.]gza/plans/[^ ]*[.]md' <<<"$prompt" | head -1)" text`,
      else: `commit a.txt a; ${PROMISE}`,
    },
    { files: { '.gza/prompts/ralph.md': 'Round {iteration} of {max_iterations}: go on.\n' } },
  )
  repo.add('one')
  repo.add('text', '--type', 'plan')
  expect(repo.gza('work', '--all', '--ralph', '--no-base-check').code).toBe(0)
  const [work, text] = repo.calls().map(({ prompt }) => prompt)
  expect(work).toEndWith('\nRound 1 of 10: go on.\n')
  expect(text).not.toContain('Round')
})

test('with --ralph the review cycle begins with the promise, and improves in one call', () => {
  const review = `save "$(grep -o '[.]gza/reviews/[^ ]*[.]md' <<<"$prompt" | head -1)"`
  const act = `case $prompt in
    *"You are reviewing"*) [ -e improved.txt ] && ${review} "**Verdict: APPROVED**" || ${review} "**Verdict: CHANGES_REQUESTED**" ;;
    *"You are improving"*) commit improved.txt x ;;
    *) ${STEP}; [ $n -lt 2 ] || ${PROMISE} ;;
  esac`
  const repo = anAgentRepo({ else: act })
  repo.add('one', '--auto-review')
  expect(repo.gza('work', '--ralph', '--no-base-check').code).toBe(0)
  const kinds = repo.calls().map(({ prompt }) => /^You are (\w+)/.exec(prompt)?.[1])
  expect(kinds).toEqual(['working', 'working', 'reviewing', 'improving', 'reviewing'])
  expect(repo.task('1').final_verdict).toBe('APPROVED')
})

test('a bound without --ralph is a mistake', () => {
  const repo = anAgentRepo({})
  repo.add('one')
  const { code, stderr } = repo.gza('work', '--max-iterations', '3')
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: 'Error: --max-iterations can only be used with --ralph\n  gza work --ralph --max-iterations 3\n',
  })
  expect(repo.calls()).toEqual([])
})
