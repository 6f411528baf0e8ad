import { expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { outputOf } from '../support/ledger-answers.ts'
import { aRepo } from '../support/repo.ts'
import { type AgentRepo, anAgentRepo } from '../support/scripted-agent.ts'
import { until } from '../support/until.ts'
import { withoutEnd } from '../support/without-end.ts'

/** An agent that works until the test lets it go on. */
const WAITS = 'touch "$beside/began"; while [ ! -e "$beside/go" ]; do sleep 0.02; done; commit a.txt one'

/** What a person does while an agent runs. */
async function during(repo: AgentRepo, act: () => void): Promise<string> {
  const work = repo.start(['gza', 'work', '1'])
  await until(() => existsSync(repo.beside('began')))
  act()
  writeFileSync(repo.beside('go'), '')
  const { code, stdout, stderr } = await work
  expect([code, withoutEnd(stderr)]).toEqual([0, ''])
  return stdout
}

/** Neither the inbox nor verify reports what gza itself has done for a person. */
function expectNoNotes(repo: AgentRepo, printed: string): void {
  expect(printed).not.toMatch(/agent mode|tampered|made a change|person, or somebody/)
  expect(repo.inbox().filter(({ code }) => code !== 'NOT_LANDED')).toEqual([])
  expect(repo.gza('show', '1').stdout).not.toMatch(/agent mode|tampered|made a change/)
  const { code, stdout } = repo.gza('verify')
  expect([code, stdout]).toEqual([0, expect.stringMatching(/witness guard: agrees/)])
}

test('what a person does with gza during a run is not reported', async () => {
  const remote = aRepo({ bare: true })
  const repo = anAgentRepo({ Own: WAITS })
  repo.git('branch', 'later')
  repo.git('remote', 'add', 'origin', remote.dir)
  repo.git('push', '--quiet', 'origin', 'main')
  for (const title of ['Own', 'Other', 'Third', 'Fourth']) repo.add(title)
  outputOf(repo.gza('sync'))
  const elsewhere = remote.clone()
  outputOf(elsewhere.gza('sync'))
  outputOf(elsewhere.gza('edit', '4', '--content', 'Changed elsewhere'))
  outputOf(elsewhere.gza('sync'))
  const printed = await during(repo, () => {
    for (const call of [
      ...[['edit', '2', '--content', 'Another text'], ['edit', '1', '--priority', 'high'], ['delete', '3'], ['undo']],
      ...[['add', 'Fifth'], ['sync'], ['move', '2', '--to', 'later'], ['note', '1', 'by the way']],
    ])
      outputOf(repo.gza(...call))
  })
  expectNoNotes(repo, printed)
})

test('husky that a person installs during a run is put back, and the inbox has the command for it', async () => {
  const repo = anAgentRepo({ Own: WAITS })
  repo.add('Own')
  await during(repo, () => {
    repo.write('.husky/_/pre-commit', 'true\n')
    repo.git('config', 'core.hooksPath', '.husky/_')
  })
  expect(repo.task('1').status).toBe('completed')
  const items = repo.inbox().filter(({ code }) => code === 'SETTINGS_PUT_BACK')
  expect(items.map(({ subject }) => subject)).toEqual(['core.hookspath in .git/config'])
  expect(repo.run(['sh', '-c', items[0]?.commands[0] ?? 'false']).code).toBe(0)
  expect(repo.git('config', 'core.hooksPath')).toBe('.husky/_')
})

test('a ledger that a person archives during a run is not reported', async () => {
  const repo = anAgentRepo({ Own: WAITS })
  repo.add('Own')
  repo.git('branch', 'gone')
  outputOf(repo.gza('add', 'On a branch', '--branch', 'gone', '--create'))
  outputOf(repo.gza('done', '1', '--branch', 'gone'))
  const printed = await during(repo, () => {
    repo.git('branch', '--quiet', '-D', 'gone')
    outputOf(repo.gza('prune'))
  })
  // Of the branch, nobody can say who deleted it.
  expect(repo.inbox().flatMap(({ code, subject }) => (code === 'REF_CHANGED' ? [subject] : []))).toEqual(['gone'])
  outputOf(repo.gza('resolve', 'gone', '--skip'))
  expectNoNotes(repo, printed)
})

test('what gza repairs after an agent is reported with the run, and not again by verify', () => {
  const rewind = 'env -i PATH=/usr/bin:/bin git -c core.hooksPath= update-ref refs/tasks/main refs/tasks/main~1'
  const repo = anAgentRepo({ Own: `commit a.txt one; cd "$beside/repo"; ${rewind}` }, { defaults: { max_attempts: 1 } })
  repo.add('Other')
  repo.add('Own')
  expect(repo.gza('work', '2').code).toBe(1)
  expect(repo.task('2').runs.map(({ reason }) => reason)).toEqual(['tampered'])
  const { code, stdout } = repo.gza('verify')
  expect([code, stdout]).toEqual([0, expect.stringMatching(/witness guard: agrees/)])
})
