import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../support/until.ts'
import { aStage, expectOk, type Shown, type Stage } from './client-repo.ts'
import { CLIENTS, type Client } from './clients.ts'
import type { Script } from './model-script.ts'

/** How one client differs from the others in what gza can see of it. */
export interface Habits {
  /** What it says that two answers cost; most don't say. */
  costUsd: number
  /** How a run ends that the service refuses: some clients give up by themselves, some try again until time is over. */
  refused: Record<429 | 500, string>
  /** Time enough for a run on a slow machine. Codex gives up by itself after half a minute, the others after minutes. */
  minutes: number
  /** What its model reads of `gza setup`; null: its hooks run only in folders that a person trusts. */
  setUp: string | null
  /** Whether its turns can be limited. */
  hasTurns: boolean
}

/** Some clients try again for minutes before they give up. */
export const TIME_LIMIT_MS = 180_000

const COMMITS: Script = {
  turns: [{ run: 'echo made > made.txt && git add made.txt && git commit -qm "Make the file"' }],
  closing: 'The file is made and committed.',
}

/** The ways a run can go, with the real client. Not picked up by `npm test`: see docs/clients.md. */
export function testClient(name: keyof typeof CLIENTS, habits: Habits): void {
  setDefaultTimeout(TIME_LIMIT_MS)
  const client: Client = CLIENTS[name]
  const about = (rule: string) => `${name}: ${rule}`

  test(about('work that it commits completes the task, and the run says what it took'), async () => {
    const stage = aStage(client, COMMITS)
    const main = stage.repo.git('rev-parse', 'main')
    stage.add('Make a file')
    expectOk(await stage.work('1'))
    const { status, branch, commits, runs } = stage.show(1)
    const head = stage.repo.git('rev-parse', String(branch))
    expect({ status, commits, runs: runs.map(told) }).toEqual({
      status: 'completed',
      commits: [head],
      runs: [{ agent: name, outcome: 'completed', head, cost_usd: habits.costUsd, tokens_in: 200, tokens_out: 20 }],
    })
    expect(runs[0]?.session).toMatch(/^\w[\w-]{20,}$/)
    expect(stage.repo.git('log', '--format=%s', `main..${branch}`)).toBe('Make the file')
    expect(stage.repo.git('rev-parse', 'main')).toBe(main)
    expectNothingLeft(stage)
  })

  const { setUp } = habits
  if (setUp !== null)
    test(about('a session begins with what gza setup has put in'), async () => {
      const stage = aStage(client, COMMITS)
      expectOk(stage.repo.gza('setup', name, '--yes'))
      stage.repo.commit('Set up')
      stage.add('Make a file')
      expectOk(await stage.work('1'))
      expect(JSON.stringify(stage.requests())).toContain(setUp)
      expectNothingLeft(stage)
    })

  test(
    about('a reviewer that tries to write and to commit changes nothing, and its last words are the review'),
    async () => {
      const review = '1. made.txt:1 says nothing.\n\n**Verdict: CHANGES_REQUESTED**'
      const seen = new Set<string>()
      const stage = aStage(client, COMMITS, HAND)
      stage.add('Make a file')
      expectOk(await stage.hand('1'))
      stage.add('Review it', '--type', 'review', '--based-on', '1')
      const before = objectsOf(stage)
      stage.play({
        turns: [
          { write: 'sneaky-tool.txt' },
          { run: `echo x > sneaky-shell.txt; echo x > ${join(stage.root, 'sneaky-outside.txt')}` },
          { run: 'git commit -q --allow-empty -m sneaky' },
        ],
        closing: review,
        insists: true,
        watch: () => sneaky(stage.root).forEach((path) => void seen.add(path)),
      })
      expectOk(await stage.work('2'))
      const { status, runs } = stage.show(2)
      expect({ status, verdict: runs[0]?.verdict, written: [...seen, ...sneaky(stage.root)] }).toEqual({
        status: 'completed',
        verdict: 'CHANGES_REQUESTED',
        written: [],
      })
      expect(reviewsOf(stage)).toEqual([review])
      expect(objectsOf(stage)).toEqual(before)
      expect(stage.requests().length).toBeGreaterThan(3)
      expectNothingLeft(stage)
    },
  )

  test(about('a refused login fails no task and is not tried again and again'), async () => {
    const stage = aStage(client, { turns: [], closing: '', status: 401 })
    stage.add('Make a file')
    stage.add('Make another')
    const { code, stdout } = await stage.work('--all', '--workers', '2')
    expect({ code, last: stdout.trim().split('\n').at(-1) }).toEqual({
      code: 1,
      last: `${name} cannot be used until a person has looked after it: gza inbox`,
    })
    expect(stage.show(1)).toMatchObject({ status: 'pending', runs: [{ outcome: 'failed', reason: 'auth-failed' }] })
    expect(stage.show(2)).toMatchObject({ status: 'pending', runs: [] })
    expect(stage.json('inbox')).toMatchObject([{ task: { number: 1 }, code: 'AUTH_FAILED' }])
    expect(stage.requests().length).toBeLessThan(10)
    expectNothingLeft(stage)
  })

  for (const status of [429, 500] as const) {
    // Side by side: most of it is waiting for the client to give up.
    test.concurrent(about(`a service that answers ${status} for a while delays the task`), async () => {
      const config = `retry: {backoff_seconds: 1}\ndefaults: {max_attempts: 2, timeout_minutes: ${habits.minutes}}\n`
      const stage = aStage(client, { turns: [], closing: '', status }, config)
      stage.add('Make a file')
      const working = stage.work('1')
      await until(() => stage.show(1).runs[0]?.ended_at !== undefined)
      stage.play(COMMITS)
      expectOk(await working)
      const { status: came, runs } = stage.show(1)
      expect({ came, runs: runs.map(({ outcome, reason }) => reason ?? outcome) }).toEqual({
        came: 'completed',
        runs: [habits.refused[status], 'completed'],
      })
      expectNothingLeft(stage)
    })
  }

  if (habits.hasTurns) {
    test(about('one that never comes to an end is stopped at the limit of turns'), async () => {
      const endless = { turns: [{ run: 'date >> made.txt' }], closing: '', endless: true }
      const stage = aStage(client, endless, 'defaults: {max_turns: 1, max_attempts: 1}\n')
      stage.add('Make a file')
      await stage.work('1')
      expect(stage.show(1)).toMatchObject({ status: 'failed', runs: [{ outcome: 'failed', reason: 'over-budget' }] })
      expect(stage.requests().length).toBeLessThan(8)
      expectNothingLeft(stage)
    })
  }

  if (habits.costUsd > 0) {
    test(about('one that never comes to an end is stopped at the limit of cost'), async () => {
      const endless = { turns: [{ run: 'date >> made.txt' }], closing: '', endless: true }
      const config = `budgets: {phase_usd: ${habits.costUsd * 2}}\ndefaults: {max_attempts: 1}\n`
      const stage = aStage(client, endless, config)
      stage.add('Make a file')
      await stage.work('1')
      expect(stage.show(1)).toMatchObject({ status: 'failed', runs: [{ outcome: 'failed', reason: 'over-budget' }] })
      expect(stage.requests().length).toBeLessThan(12)
      expectNothingLeft(stage)
    })
  }

  test(about('stopped in the middle of a tool call it leaves no process, and its work is kept'), async () => {
    const nap = `sleep 6${stages++}.25`
    const stage = aStage(client, { turns: [{ run: `echo half > half.txt; ${nap}` }], closing: 'Done.' })
    stage.add('Make a file')
    const working = stage.work('1')
    await until(() => stage.processes().includes(nap))
    expectOk(stage.repo.gza('kill', '1'))
    await working
    const { status, branch, runs } = stage.show(1)
    expect({ status, runs: runs.map(({ outcome, reason }) => ({ outcome, reason })) }).toEqual({
      status: 'pending',
      runs: [{ outcome: 'interrupted', reason: 'interrupted' }],
    })
    expect(stage.repo.git('log', '--format=%s', `main..${branch}`)).toBe('WIP: Make a file (interrupted)')
    expect(stage.repo.git('show', `${branch}:half.txt`)).toBe('half')
    expectNothingLeft(stage)
  })

  test(about('a retry goes on with the session of the attempt that failed'), async () => {
    const stage = aStage(client, { turns: [{ run: 'echo one > one.txt' }], closing: 'FIRST-WORDS' }, WANTS_TWO)
    stage.add('Make two files')
    await stage.work('1')
    expect(stage.show(1)).toMatchObject({ status: 'failed', runs: [{ reason: 'verify-failed' }] })
    const asked = stage.requests().length
    stage.play({ turns: [{ run: 'true' }, { run: 'echo two > two.txt' }], closing: 'Now both are there.' })
    expectOk(await stage.retry('1'))
    const { status, runs } = stage.show(1)
    expect({ status, outcomes: runs.map(({ outcome }) => outcome) }).toEqual({
      status: 'completed',
      outcomes: ['failed', 'completed'],
    })
    expect(
      stage
        .requests()
        .slice(asked)
        .some((text) => text.includes('FIRST-WORDS')),
    ).toBe(true)
    expect(runs[1]).toMatchObject({ cost_usd: habits.costUsd, tokens_in: 200, tokens_out: 20 })
    expectNothingLeft(stage)
  })
}

/** A command that does the work in place of a client, where the client is wanted for what follows. */
const HAND = 'agents: {hand: {command: "sh -c \'echo made > made.txt; echo done\'"}}\n'

const WANTS_TWO = 'verify: {command: test -f two.txt}\ndefaults: {max_attempts: 1}\n'

let stages = 0

function told({ agent, outcome, head, cost_usd, tokens_in, tokens_out }: Shown['runs'][number]) {
  return { agent, outcome, head, cost_usd, tokens_in, tokens_out }
}

/** Processes, work trees and uncommitted changes. */
export function expectNothingLeft(stage: Stage): void {
  const worktrees = stage.repo.git('worktree', 'list').split('\n').length - 1
  const changes = stage.repo.git('status', '--porcelain')
  expect({ processes: stage.processes(), worktrees, changes }).toEqual({ processes: [], worktrees: 0, changes: '' })
}

function sneaky(root: string): string[] {
  return (readdirSync(root, { recursive: true }) as string[]).filter((path) => /sneaky-\w+\.txt$/.test(path))
}

/** Every commit that is no gza's own: those a reviewer made would be among them, wherever no branch shows them. */
function objectsOf({ repo }: Stage): string[] {
  const all = repo.git('cat-file', '--batch-all-objects', '--batch-check').split('\n')
  const commits = all.flatMap((line) => (line.includes(' commit ') ? [line.split(' ', 1)[0] ?? ''] : []))
  return commits.filter((oid) => /sneaky|Make/.test(repo.git('log', '-1', '--format=%s', oid)))
}

function reviewsOf({ repo }: Stage): string[] {
  const folder = join(repo.dir, '.gza/reviews')
  return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8').trim()) : []
}
