/** Whatever ends the work session, no agent outlives it: neither one that would begin then, nor one that is slow to end. */
import { expect, test } from 'bun:test'
import { chmodSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { Result } from '../support/repo.ts'
import { type AgentRepo, anAgentRepo } from '../support/scripted-agent.ts'

/** Runs SQL on the person's account, which the session has open. */
function onAccount(sql: string): string {
  const script = `new (require("bun:sqlite").Database)(process.env.HOME + "/.local/state/gza/account.db").run(${JSON.stringify(sql)})`
  return `${process.execPath} -e '${script.replaceAll("'", `'"'"'`)}'`
}

/** From now on, the first run of each agent fails when it forgets earlier pauses of that agent. No task is at fault. */
const BREAK = onAccount(`
  INSERT INTO agent_pauses (agent, account, model, until, guesses) VALUES
    ('other', 'x', '', '2000', 0), ('third', 'x', '', '2000', 0);
  CREATE TRIGGER breaks BEFORE DELETE ON agent_pauses BEGIN SELECT RAISE(ABORT, 'broken by the test'); END`)
const MEND = onAccount('DROP TRIGGER breaks')

/**
 * `breaker`, the first run of its agent, leaves the person's account broken: its end breaks the session. By then `held`
 * is not judged yet.
 */
function aBreak({ heldBy, held, onStop }: { heldBy: string; held: string; onStop: string }): AgentRepo {
  const acts = {
    breaker: `touch "$beside/breaker"; until [ -e "$beside/holding" ] && [ -e "$beside/slow" ]; do sleep 0.02; done
      ${BREAK}; commit breaker.txt x`,
    // Only once the others are called: the look at the checkout before a call must not be the one that has to wait.
    held: `until [ -e "$beside/breaker" ] && [ -e "$beside/slow" ]; do sleep 0.02; done; ${held}`,
    slow: `stop() { ${onStop}; exit 1; }; trap stop TERM; touch "$beside/slow"; while :; do sleep 0.02; done`,
    next: 'forever',
  }
  // The person's account is hidden in a box.
  const repo = anAgentRepo(acts, {
    isolation: 'off',
    files: { 'look.txt': 'x\n', '.gitattributes': 'look.txt filter=look\n' },
  })
  const agents = ['scripted', 'other', 'third'].map((name) => `${name}: {command: ${repo.beside('agent')}}`)
  const config = `defaults: {agent: scripted}\nagents: {${agents.join(', ')}}\n`
  repo.commit('agents', {
    'gza.yaml': `${config}task_types: {implement: {agent: other}, improve: {agent: ${heldBy}}}\n`,
  })
  holdOnce(repo)
  const first = repo.add('first')
  const breaker = repo.add('breaker', '--type', 'implement', '--after', first)
  repo.add('held', '--type', 'improve', '--based-on', first)
  // Ready when the other two are, and behind them: no slot is taken while the first task still ends.
  repo.add('slow', '--after', first)
  repo.add('next', '--after', first)
  // A run that another task waits for keeps its slot.
  repo.add('last', '--after', breaker)
  return repo
}

/** Git asks a filter about a file whose time it does not know: the first time after `held` it has to wait. */
function holdOnce(repo: AgentRepo): void {
  const root = join(repo.dir, '..')
  const isTheOne = `[ "$PWD" = ${repo.dir} ] && [ -e ${root}/hold ] && mkdir ${root}/holding 2>/dev/null`
  const wait = `until [ -e ${root}/stopped ]; do sleep 0.02; done`
  chmodSync(repo.write('../look', `#!/bin/sh\nif ${isTheOne}; then ${wait}; fi\nexec cat\n`), 0o755)
  repo.git('config', 'filter.look.clean', join(root, 'look'))
  utimesSync(join(repo.dir, 'look.txt'), 1000, 1000)
}

function expectBroken({ code, stderr }: Result): void {
  expect({ code, stderr }).toEqual({ code: 70, stderr: expect.stringContaining('broken by the test') })
}

/** It is through, but a look at the checkout takes until `slow` was asked to stop. */
const LOOKED_AT = 'commit held.txt x; touch "$beside/hold"'
/** Its agent is through when `slow` was asked to stop, and takes no notice of being asked itself. */
const LATE = `trap '' TERM; mkdir "$beside/holding"; until [ -e "$beside/stopped" ]; do sleep 0.02; done; commit held.txt x`

test('a run that is through passes its slot to no other once the session is broken', () => {
  const repo = aBreak({ heldBy: 'scripted', held: LATE, onStop: `${MEND}; touch "$beside/stopped"` })
  expectBroken(repo.gza('work', '--all', '--workers', '3'))
  expect(repo.calls().map(({ title }) => title)).not.toContain('next')
  expect(repo.survivors()).toEqual([])
})

test('a second run that breaks hides none that is still ending', () => {
  const repo = aBreak({ heldBy: 'third', held: LOOKED_AT, onStop: 'touch "$beside/stopped"; sleep 0.5' })
  expectBroken(repo.gza('work', '--all', '--workers', '3'))
  expect(repo.survivors()).toEqual([])
})
