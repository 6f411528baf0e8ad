import { expect } from 'bun:test'
import { aClientScenario, expectOk } from '../client-repo.ts'
import { testRows } from '../client-test.ts'
import type { Client } from '../clients.ts'
import type { Script } from '../model-script.ts'
import { strongestPair } from '../pairs.ts'
import { expectNothingLeft } from './nothing-left.ts'
import { COMMITS } from './scripts.ts'

/** Not `gza`: where a login shell has reset PATH, git still knows it by an alias. */
const CALLS = [
  'git tasks note 1 "It is made."',
  'git tasks add "Filed while working"',
  'git tasks done 2 --note "It was there already."',
  'git tasks done 1',
]

const IMPLEMENT: Script = { ...COMMITS, turns: [...COMMITS.turns, { run: CALLS.join(' && ') }] }
const IMPROVE: Script = { turns: [{ run: 'echo why >> made.txt' }], closing: 'It says why now.' }
const REFUSES = '1. made.txt:1 must say why it was made.\n\n**Verdict: CHANGES_REQUESTED**'
const APPROVES = 'Nothing to say against it.\n\n**Verdict: APPROVED**'

/** A task that one client implements, reviews, improves and reviews again, and that it talks about meanwhile. */
export function testCycle(client: Client): void {
  testRows(client, ['broker', 'improve'], async () => {
    const { pair = strongestPair() } = client
    const scenario = aClientScenario(client, scriptFor)
    const { repo, json } = scenario
    scenario.add('Make a file', '--auto-review', '--max-cycles', '2')
    const { stdout } = expectOk(await scenario.work('1'))
    expect(stdout).toContain('✓ Task #1 completed (APPROVED after 2 cycles)')
    const { branch, notes, runs } = scenario.show(1)
    expect({ notes, runs: runs.map(({ outcome, isolation = 'none' }) => ({ outcome, isolation })) }).toEqual({
      notes: ['It is made.'],
      runs: [{ outcome: 'completed', isolation: pair.level }],
    })
    expect(scenario.show(2)).toMatchObject({ status: 'completed', notes: ['It was there already.'] })
    expect(repo.git('show', `${branch}:made.txt`)).toBe('made\nwhy')
    expect(repo.git('log', '--format=%s', `main..${branch}`).split('\n')).toEqual([
      'Address review feedback (cycle 1)',
      'Make the file',
    ])
    expect(json('inbox')).toEqual([])
    expectOk(repo.gza('verify'))
    expectNothingLeft(scenario)
  })
}

/** Each phase begins a conversation, and every request has all of it. */
function scriptFor(request: string): Script {
  if (request.includes('You are improving')) return IMPROVE
  if (!request.includes('You are reviewing')) return IMPLEMENT
  const closing = request.includes('-review-2.md') ? APPROVES : REFUSES
  return { turns: [{ run: 'cat made.txt' }], closing }
}
