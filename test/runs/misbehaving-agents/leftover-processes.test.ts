import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'

const WAYS: [string, string][] = [
  ['in the background', '"$beside/lurk" >/dev/null 2>&1 &'],
  ['with its output held open', '"$beside/lurk" &'],
  ['in a session of its own', 'setsid "$beside/lurk" >/dev/null 2>&1 </dev/null &'],
  ['daemonised, deaf to TERM', '( ( setsid sh -c "trap \\"\\" TERM; $beside/lurk" >/dev/null 2>&1 & ) & )'],
  ['without any environment', 'env -i setsid "$beside/lurk" >/dev/null 2>&1 </dev/null &'],
  [
    'without any environment, orphaned',
    '( env -i setsid sh -c "setsid $beside/lurk & exit" >/dev/null 2>&1 </dev/null & )',
  ],
]
const ONCE_BORN = 'until [ -e "$beside/lurkers" ]; do sleep 0.05; done'

test.each(WAYS)('a process that was left %s is gone when the run is over', (_, fork) => {
  const repo = anAgentRepo({ forker: `${fork}\n${ONCE_BORN}\ncommit a.txt a` })
  repo.add('forker')
  repo.add('honest')
  expect(repo.gza('work', '--all', '--workers', '2').code).toBe(0)
  expectGone(repo)
  expect(repo.statuses()).toEqual({ forker: 'completed', honest: 'completed' })
  expect(repo.worktrees()).toEqual([])
})

test('what it starts while it is being ended is ended as well', () => {
  const again =
    'sh -c "trap \\"setsid $beside/lurk &\\" TERM; touch $beside/set; while :; do sleep 0.1; done" "$beside" &'
  const act = `${again}\nuntil [ -e "$beside/set" ]; do sleep 0.05; done; commit a.txt a`
  // What is left in a box gets no TERM: it is killed with the box.
  const repo = anAgentRepo({ forker: act }, { isolation: 'off' })
  repo.add('forker')
  repo.gza('work')
  expectGone(repo)
})

test('processes of a check are ended with it', () => {
  const command = 'env -i setsid "$HOME/../lurk" & until [ -e "$HOME/../lurkers" ]; do sleep 0.05; done'
  const repo = anAgentRepo({}, { config: { verify: { command } } })
  repo.add('honest')
  expect(repo.gza('work').code).toBe(0)
  expectGone(repo)
})

function expectGone(repo: AgentRepo): void {
  expect(existsSync(repo.beside('lurkers'))).toBe(true)
  expect(repo.survivors()).toEqual([])
}
