/** Whatever ends the loop, no agent outlives it: neither one that would begin then, nor one that takes its time to end. */
import { expect, test } from 'bun:test'
import { chmodSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { Result } from '../support/repo.ts'
import { aStage, type Stage } from '../support/scripted-agent.ts'

const ACCOUNT = '"$HOME/.local/state/gza/account.db"'

/**
 * `breaker`, the first run of its agent, leaves the person's account unusable: its end breaks the loop. By then `held` is
 * through but not judged, for a look at the checkout takes until `slow` was told to stop.
 */
function aBreak({ heldBy, onStop }: { heldBy: string; onStop: string }): Stage {
  const acts = {
    breaker: `until [ -e "$stage/holding" ] && [ -e "$stage/slow" ]; do sleep 0.02; done
      mkdir -p "$(dirname ${ACCOUNT})"; echo garbage garbage garbage >${ACCOUNT}; commit breaker.txt x`,
    held: 'commit held.txt x; touch "$stage/hold"',
    slow: `trap '${onStop}; exit 1' TERM; touch "$stage/slow"; while :; do sleep 0.02; done`,
    next: 'forever',
  }
  const stage = aStage(acts, { files: { 'look.txt': 'x\n', '.gitattributes': 'look.txt filter=look\n' } })
  const agents = ['scripted', 'other', 'third'].map((name) => `${name}: {command: ${stage.beside('agent')}}`)
  const config = `defaults: {agent: scripted}\nagents: {${agents.join(', ')}}\n`
  stage.commit('agents', {
    'gza.yaml': `${config}task_types: {implement: {agent: other}, improve: {agent: ${heldBy}}}\n`,
  })
  holdOnce(stage)
  const first = stage.add('first')
  const breaker = stage.add('breaker', '--type', 'implement', '--after', first)
  stage.add('held', '--type', 'improve', '--based-on', first)
  stage.add('slow')
  stage.add('next')
  // Who is waited for keeps its slot.
  stage.add('last', '--after', breaker)
  return stage
}

/** Git asks a filter about a file whose time it does not know: the first time after `held` it has to wait. */
function holdOnce(stage: Stage): void {
  const root = join(stage.dir, '..')
  const isTheOne = `[ "$PWD" = ${stage.dir} ] && [ -e ${root}/hold ] && mkdir ${root}/holding 2>/dev/null`
  const wait = `until [ -e ${root}/stopped ]; do sleep 0.02; done`
  chmodSync(stage.write('../look', `#!/bin/sh\nif ${isTheOne}; then ${wait}; fi\nexec cat\n`), 0o755)
  stage.git('config', 'filter.look.clean', join(root, 'look'))
  utimesSync(join(stage.dir, 'look.txt'), 1000, 1000)
}

function expectBroken({ code, stderr }: Result): void {
  expect({ code, why: stderr.split(':')[0] }).toEqual({ code: 1, why: 'Error' })
  expect(stderr).toContain('account.db cannot be used')
}

test('a run that is through gives its slot to nobody once the loop is broken', () => {
  const stage = aBreak({ heldBy: 'scripted', onStop: `rm ${ACCOUNT}; touch "$stage/stopped"` })
  expectBroken(stage.gza('work', '--all', '--workers', '3'))
  expect(stage.calls().map(({ title }) => title)).not.toContain('next')
  expect(stage.survivors()).toEqual([])
})

test('a second run that breaks hides none that is still ending', () => {
  const stage = aBreak({ heldBy: 'third', onStop: 'touch "$stage/stopped"; sleep 0.5' })
  expectBroken(stage.gza('work', '--all', '--workers', '3'))
  expect(stage.survivors()).toEqual([])
})
