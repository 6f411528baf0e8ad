import { expect, setDefaultTimeout, test } from 'bun:test'
import { aClientScenario, type ClientScenario, expectOk } from '../client-repo.ts'
import { TIME_LIMIT_MS } from '../client-test.ts'
import { CLIENTS } from '../clients.ts'
import type { Script } from '../model-script.ts'
import { expectNothingLeft } from '../scenarios/nothing-left.ts'

const BLOCKER = '1. made.txt:1 must say why it was made.'

const IMPLEMENT: Script = {
  turns: [{ run: 'echo made > made.txt && git add made.txt && git commit -qm "Make the file"' }],
  closing: 'IMPLEMENTED-WORDS',
}
const IMPROVE: Script = { turns: [{ run: 'echo why >> made.txt' }], closing: 'It says why now.' }

/** Where it is offered a shell it looks first; its last words are the review. */
function review(words: string): Script {
  return { turns: [{ run: 'cat made.txt' }], closing: words }
}
const FIRST = review(`${BLOCKER}\n\n**Verdict: CHANGES_REQUESTED**`)
const SECOND = review('Nothing to say against it.\n\n**Verdict: APPROVED**')

setDefaultTimeout(TIME_LIMIT_MS)

const PAIRS = [
  ['claude', 'codex'],
  ['codex', 'claude'],
] as const

for (const [implementer, reviewer] of PAIRS) {
  test(`${implementer} implements and improves, ${reviewer} reviews, and what it approves of lands`, async () => {
    const scenario = aClientScenario(
      CLIENTS[implementer],
      (request) => (request.includes('You are improving') ? IMPROVE : IMPLEMENT),
      `defaults: {review_agent: ${reviewer}}\n`,
      { client: CLIENTS[reviewer], script: (request) => (request.includes('-review-2.md') ? SECOND : FIRST) },
    )
    scenario.add('Make a file', '--auto-review', '--max-cycles', '2')
    const { stdout } = expectOk(await scenario.work('1'))
    expect(stdout).toContain('[1/2] Review: CHANGES_REQUESTED - made.txt:1 must say why it was made.')
    expect(stdout).toContain('✓ Task #1 completed (APPROVED after 2 cycles)')
    expect(phasesOf(scenario)).toEqual({
      'implement 0': implementer,
      'review 1': `${reviewer} CHANGES_REQUESTED`,
      'improve 1': implementer,
      'review 2': `${reviewer} APPROVED`,
    })
    expectFindingsPassedOn(scenario)
    expectOk(scenario.repo.gza('merge', '1', '--cherry-pick'))
    expect(scenario.repo.git('show', 'main:made.txt')).toBe('made\nwhy')
    expect(scenario.repo.git('log', '--format=%s', 'main').split('\n').slice(0, -1)).toEqual([
      'Address review feedback (cycle 1)',
      'Make the file',
    ])
    expectNothingLeft(scenario)
  })
}

interface Told {
  phases: { phase: string; cycle: number; agent?: string; verdict: string | null }[]
  runs: { agent: string }[]
}

/** By phase and cycle its agent and the verdict. A phase of the implementer has no agent of its own: the run has it. */
function phasesOf({ json }: ClientScenario): Record<string, string> {
  const { phases, runs } = json('show', '1') as Told
  const implementer = runs.map(({ agent }) => agent).join()
  const told = phases.map(({ phase, cycle, agent = implementer, verdict }) => [
    `${phase} ${cycle}`,
    `${agent} ${verdict ?? ''}`.trim(),
  ])
  return Object.fromEntries(told)
}

/** The diff reaches the reviewer, the review reaches the agent that improves; none of them gets an earlier conversation. */
function expectFindingsPassedOn(scenario: ClientScenario): void {
  const second = scenario.asked().filter((request) => request.includes('-review-2.md'))
  expect(second.some((request) => request.includes('+why'))).toBe(true)
  const improving = scenario.requests().filter((request) => request.includes('You are improving'))
  expect(improving.some((request) => request.includes(BLOCKER))).toBe(true)
  expect([...second, ...improving].filter((request) => request.includes('IMPLEMENTED-WORDS'))).toEqual([])
}
