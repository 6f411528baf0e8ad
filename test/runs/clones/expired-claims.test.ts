import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { takeLease } from '../../../src/state/live/leases.ts'
import { openLive } from '../../../src/state/live/open-live.ts'
import { outputOf } from '../../support/ledger-answers.ts'
import type { Repo } from '../../support/repo.ts'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'
import { aSecondClone, aSharedRepo, HOST, show } from './clone-repos.ts'

test('a claim of another clone keeps a task until five minutes after its time, then anyone may take it', () => {
  const repo = anAgentRepo({})
  repo.add('quick')
  claimElsewhere(repo, 'far', minutesFromNow(-4))
  expect(show(repo, '1')).toMatchObject({ status: 'in_progress', running_on: 'far' })
  outputOf(repo.gza('work', '--all'))
  expect(repo.gza('claim', '1').code).toBe(1)
  claimElsewhere(repo, 'far', minutesFromNow(-6), 'claim-2')
  // The earlier one still holds it.
  expect(show(repo, '1').status).toBe('in_progress')

  const other = anAgentRepo({})
  other.add('quick')
  claimElsewhere(other, 'far', minutesFromNow(-6))
  expect(show(other, '1')).toMatchObject({ status: 'pending', running_on: null, assigned_agent: 'helena' })
  outputOf(other.gza('work', '--all'))
  expect(show(other, '1')).toMatchObject({
    status: 'completed',
    assigned_agent: null,
    runs: [{ run: 'claim-1' }, { outcome: 'completed', expired_claims: ['claim-1'] }],
  })
  // Only its own clone ends it.
  expect(show(other, '1').runs[0]?.ended_at).toBeNull()
})

test('an agent takes the next task from an expired claim, although it is assigned to another agent', () => {
  const repo = anAgentRepo({})
  repo.add('quick')
  claimElsewhere(repo, 'far', minutesFromNow(-6))
  const claim = JSON.parse(outputOf(repo.withEnv({ GZA_AGENT: 'bea' }).gza('claim', '--next', '--json')))
  expect(claim.task).toMatchObject({ number: 1, assigned_agent: 'bea' })
  expect(repo.gza('verify').code).toBe(0)
})

test('the ledger has the end of a claim, and a renewal only when less than half of its time is left', () => {
  const repo = anAgentRepo({})
  repo.add('one')
  const { expires_at } = JSON.parse(outputOf(repo.gza('claim', '1', '--minutes', '60', '--json')))
  expect(show(repo, '1').runs.map(({ until }) => until)).toEqual([expires_at])
  const tip = repo.git('rev-parse', 'refs/tasks/main')
  outputOf(repo.gza('release', '1', '--renew', '100'))
  expect(repo.git('rev-parse', 'refs/tasks/main')).toBe(tip)
  outputOf(repo.gza('release', '1', '--renew', '130'))
  const [run] = show(repo, '1').runs
  expect([run?.until && run.until > expires_at, repo.gza('verify').code]).toEqual([true, 0])
})

test('a done that comes after another clone has taken the task is a note, and is in the inbox until a person answers', () => {
  const repo = aSharedRepo()
  repo.add('quick')
  claimHere(repo, minutesFromNow(-6))
  outputOf(repo.gza('sync'))
  const other = aSecondClone(repo)
  outputOf(other.gza('sync'))
  outputOf(other.withEnv({ GZA_AGENT: 'bea' }).gza('claim', '1'))
  outputOf(other.gza('sync'))
  const helena = repo.withEnv({ GZA_AGENT: 'helena', GZA_RUN: 'claim-1' })
  outputOf(helena.gza('done', '1'))
  expect(show(repo, '1').status).toBe('completed')
  outputOf(repo.gza('sync'))
  outputOf(other.gza('sync'))
  for (const clone of [repo, other]) {
    const [task, [item]] = [show(clone, '1'), JSON.parse(outputOf(clone.gza('inbox', '--json')))]
    const note = 'done by helena, after its claim had expired and bea had taken the task'
    expect([task.status, task.assigned_agent, task.notes]).toEqual(['in_progress', 'bea', [note]])
    expect(item).toMatchObject({ code: 'DONE_TOO_LATE', detail: note, commands: ['gza show 1', 'gza note 1 TEXT'] })
    expect(clone.gza('verify').code).toBe(0)
  }
  expect(repo.gza('list').stdout).toContain(`in_progress on ${HOST}`)
  const again = helena.gza('done', '1')
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('now belongs to bea')])
  outputOf(other.withEnv({ GZA_AGENT: 'bea' }).gza('done', '1'))
  expect([show(other, '1').status, JSON.parse(outputOf(other.gza('inbox', '--json'))).length]).toEqual(['completed', 1])
  outputOf(other.gza('note', '1', 'The commits of bea are the better ones'))
  expect(JSON.parse(outputOf(other.gza('inbox', '--json')))).toEqual([])
})

function minutesFromNow(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** The ledger gets a claim of another clone. */
function claimElsewhere(repo: AgentRepo, clone: string, until: string, run = 'claim-1'): void {
  importRun(repo, { run, attempt: 1, machine: 'far', clone, agent: 'helena', claimed: true, until })
}

/** A claim of this clone whose time is over. */
function claimHere(repo: AgentRepo, until: string): void {
  const live = openLive(join(repo.dir, '.git/gza/live.db'))
  const { uid } = JSON.parse(outputOf(repo.gza('show', '1', '--json')))
  const place = { ledger: 'main', machine: HOST, head: null, branch: null, path: null, taken_at: until }
  const claim = { uid, run: 'claim-1', holder: 'helena', pid: null, start_time: null, expires_at: until }
  const clone = takeLease(live, { ...claim, ...place }, { now: until })?.lease.clone as string
  live.close()
  importRun(repo, { run: 'claim-1', attempt: 1, machine: HOST, clone, agent: 'helena', claimed: true, until })
}

function importRun(repo: Repo, run: Record<string, unknown>): void {
  const task = JSON.parse(repo.gza('export').stdout.trim())
  const edit = { field: 'assigned_agent', n: 1, at: '2026-01-29T10:00:00Z', by: 'helena', value: 'helena' }
  const runs = [...(task.runs ?? []), { started_at: '2026-01-29T10:00:00Z', generation: 0, ...run }]
  const line = { ...task, assigned_agent: 'helena', edits: [edit], runs }
  outputOf(repo.gza('import', repo.write('../runs.jsonl', `${JSON.stringify(line)}\n`)))
}
