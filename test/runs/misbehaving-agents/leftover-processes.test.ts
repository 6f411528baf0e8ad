import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { aStage, type Stage } from '../../support/scripted-agent.ts'

const WAYS: [string, string][] = [
  ['in the background', '"$stage/lurk" >/dev/null 2>&1 &'],
  ['with its output held open', '"$stage/lurk" &'],
  ['in a session of its own', 'setsid "$stage/lurk" >/dev/null 2>&1 </dev/null &'],
  ['daemonised, deaf to TERM', '( ( setsid sh -c "trap \\"\\" TERM; $stage/lurk" >/dev/null 2>&1 & ) & )'],
  ['without any environment', 'env -i setsid "$stage/lurk" >/dev/null 2>&1 </dev/null &'],
  [
    'without any environment, orphaned',
    '( env -i setsid sh -c "setsid $stage/lurk & exit" >/dev/null 2>&1 </dev/null & )',
  ],
]
const ONCE_BORN = 'until [ -e "$stage/lurkers" ]; do sleep 0.05; done'

test.each(WAYS)('a process that was left %s is gone when the run is over', (_, fork) => {
  const stage = aStage({ forker: `${fork}\n${ONCE_BORN}\ncommit a.txt a` })
  stage.add('forker')
  stage.add('honest')
  expect(stage.gza('work', '--all', '--workers', '2').code).toBe(0)
  expectGone(stage)
  expect(stage.statuses()).toEqual({ forker: 'completed', honest: 'completed' })
  expect(stage.worktrees()).toEqual([])
})

test('what it starts while it is being ended is ended as well', () => {
  const again = 'sh -c "trap \\"setsid $stage/lurk &\\" TERM; touch $stage/set; while :; do sleep 0.1; done" "$stage" &'
  const stage = aStage({ forker: `${again}\nuntil [ -e "$stage/set" ]; do sleep 0.05; done; commit a.txt a` })
  stage.add('forker')
  stage.gza('work')
  expectGone(stage)
})

test('processes of a check are ended with it', () => {
  const command = 'env -i setsid "$HOME/../lurk" & until [ -e "$HOME/../lurkers" ]; do sleep 0.05; done'
  const stage = aStage({}, { config: { verify: { command } } })
  stage.add('honest')
  expect(stage.gza('work').code).toBe(0)
  expectGone(stage)
})

function expectGone(stage: Stage): void {
  expect(existsSync(stage.beside('lurkers'))).toBe(true)
  expect(stage.survivors()).toEqual([])
}
