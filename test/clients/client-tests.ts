import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../support/until.ts'
import { aClientScenario, type ClientScenario, expectOk, type Shown } from './client-repo.ts'
import { CLIENTS, type Client } from './clients.ts'
import type { Script } from './model-script.ts'

/** How one client differs from the others in what gza can see of it. */
export interface Habits {
  /** What it reports as the cost of two answers; most report nothing. */
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
    const scenario = aClientScenario(client, COMMITS)
    const main = scenario.repo.git('rev-parse', 'main')
    scenario.add('Make a file')
    expectOk(await scenario.work('1'))
    const { status, branch, commits, runs } = scenario.show(1)
    const head = scenario.repo.git('rev-parse', String(branch))
    expect({ status, commits, runs: runs.map(told) }).toEqual({
      status: 'completed',
      commits: [head],
      runs: [{ agent: name, outcome: 'completed', head, cost_usd: habits.costUsd, tokens_in: 200, tokens_out: 20 }],
    })
    expect(runs[0]?.session).toMatch(/^\w[\w-]{20,}$/)
    expect(scenario.repo.git('log', '--format=%s', `main..${branch}`)).toBe('Make the file')
    expect(scenario.repo.git('rev-parse', 'main')).toBe(main)
    expectNothingLeft(scenario)
  })

  const { setUp } = habits
  if (setUp !== null)
    test(about('a session begins with what gza setup has put in'), async () => {
      const scenario = aClientScenario(client, COMMITS)
      expectOk(scenario.repo.gza('setup', name, '--yes'))
      scenario.repo.commit('Set up')
      scenario.add('Make a file')
      expectOk(await scenario.work('1'))
      expect(JSON.stringify(scenario.requests())).toContain(setUp)
      expectNothingLeft(scenario)
    })

  test(
    about('a reviewer that tries to write and to commit changes nothing, and its last words are the review'),
    async () => {
      const review = '1. made.txt:1 says nothing.\n\n**Verdict: CHANGES_REQUESTED**'
      const seen = new Set<string>()
      const scenario = aClientScenario(client, COMMITS, HAND)
      scenario.add('Make a file')
      expectOk(await scenario.hand('1'))
      scenario.add('Review it', '--type', 'review', '--based-on', '1')
      const before = objectsOf(scenario)
      scenario.play({
        turns: [
          { write: 'sneaky-tool.txt' },
          { run: `echo x > sneaky-shell.txt; echo x > ${join(scenario.root, 'sneaky-outside.txt')}` },
          { run: 'git commit -q --allow-empty -m sneaky' },
        ],
        closing: review,
        insists: true,
        watch: () => sneaky(scenario.root).forEach((path) => void seen.add(path)),
      })
      expectOk(await scenario.work('2'))
      const { status, runs } = scenario.show(2)
      expect({ status, verdict: runs[0]?.verdict, written: [...seen, ...sneaky(scenario.root)] }).toEqual({
        status: 'completed',
        verdict: 'CHANGES_REQUESTED',
        written: [],
      })
      expect(reviewsOf(scenario)).toEqual([review])
      expect(objectsOf(scenario)).toEqual(before)
      expect(scenario.requests().length).toBeGreaterThan(3)
      expectNothingLeft(scenario)
    },
  )

  test(about('a refused login fails no task and is not repeated'), async () => {
    const scenario = aClientScenario(client, { turns: [], closing: '', refusal: { status: 401 } })
    scenario.add('Make a file')
    scenario.add('Make another')
    const { code, stdout } = await scenario.work('--all', '--workers', '2')
    expect({ code, last: stdout.trim().split('\n').at(-1) }).toEqual({
      code: 1,
      last: `${name} cannot be used until a person has fixed it: gza inbox`,
    })
    expect(scenario.show(1)).toMatchObject({ status: 'pending', runs: [{ outcome: 'failed', reason: 'auth-failed' }] })
    expect(scenario.show(2)).toMatchObject({ status: 'pending', runs: [] })
    expect(scenario.json('inbox')).toMatchObject([{ task: { number: 1 }, code: 'AUTH_FAILED' }])
    expect(scenario.requests().length).toBeLessThan(10)
    expectNothingLeft(scenario)
  })

  for (const status of [429, 500] as const) {
    // Side by side: most of it is waiting for the client to give up.
    test.concurrent(about(`a service that answers ${status} for a while delays the task`), async () => {
      const config = `retry: {backoff_seconds: 1}\ndefaults: {max_attempts: 2, timeout_minutes: ${habits.minutes}}\n`
      const scenario = aClientScenario(client, { turns: [], closing: '', refusal: { status } }, config)
      scenario.add('Make a file')
      const working = scenario.work('1')
      await until(() => scenario.show(1).runs[0]?.ended_at !== undefined)
      scenario.play(COMMITS)
      expectOk(await working)
      const { status: came, runs } = scenario.show(1)
      expect({ came, runs: runs.map(({ outcome, reason }) => reason ?? outcome) }).toEqual({
        came: 'completed',
        runs: [habits.refused[status], 'completed'],
      })
      expectNothingLeft(scenario)
    })
  }

  if (habits.hasTurns) {
    test(about('one that never comes to an end is stopped at the limit of turns'), async () => {
      const endless = { turns: [{ run: 'date >> made.txt' }], closing: '', endless: true }
      const scenario = aClientScenario(client, endless, 'defaults: {max_turns: 1, max_attempts: 1}\n')
      scenario.add('Make a file')
      await scenario.work('1')
      expect(scenario.show(1)).toMatchObject({ status: 'failed', runs: [{ outcome: 'failed', reason: 'over-budget' }] })
      expect(scenario.requests().length).toBeLessThan(8)
      expectNothingLeft(scenario)
    })
  }

  if (habits.costUsd > 0) {
    test(about('one that never comes to an end is stopped at the limit of cost'), async () => {
      const endless = { turns: [{ run: 'date >> made.txt' }], closing: '', endless: true }
      const config = `budgets: {phase_usd: ${habits.costUsd * 2}}\ndefaults: {max_attempts: 1}\n`
      const scenario = aClientScenario(client, endless, config)
      scenario.add('Make a file')
      await scenario.work('1')
      expect(scenario.show(1)).toMatchObject({ status: 'failed', runs: [{ outcome: 'failed', reason: 'over-budget' }] })
      expect(scenario.requests().length).toBeLessThan(12)
      expectNothingLeft(scenario)
    })
  }

  test(about('stopped in the middle of a tool call it leaves no process, and its work is kept'), async () => {
    const nap = `sleep 6${scenarios++}.25`
    const scenario = aClientScenario(client, { turns: [{ run: `echo half > half.txt; ${nap}` }], closing: 'Done.' })
    scenario.add('Make a file')
    const working = scenario.work('1')
    await until(() => scenario.processes().includes(nap))
    expectOk(scenario.repo.gza('kill', '1'))
    await working
    const { status, branch, runs } = scenario.show(1)
    expect({ status, runs: runs.map(({ outcome, reason }) => ({ outcome, reason })) }).toEqual({
      status: 'pending',
      runs: [{ outcome: 'interrupted', reason: 'interrupted' }],
    })
    expect(scenario.repo.git('log', '--format=%s', `main..${branch}`)).toBe('WIP: Make a file (interrupted)')
    expect(scenario.repo.git('show', `${branch}:half.txt`)).toBe('half')
    expectNothingLeft(scenario)
  })

  test(about('a retry continues the session of the attempt that failed'), async () => {
    const scenario = aClientScenario(
      client,
      { turns: [{ run: 'echo one > one.txt' }], closing: 'FIRST-WORDS' },
      WANTS_TWO,
    )
    scenario.add('Make two files')
    await scenario.work('1')
    expect(scenario.show(1)).toMatchObject({ status: 'failed', runs: [{ reason: 'verify-failed' }] })
    const asked = scenario.requests().length
    scenario.play({ turns: [{ run: 'true' }, { run: 'echo two > two.txt' }], closing: 'Now both are there.' })
    expectOk(await scenario.retry('1'))
    const { status, runs } = scenario.show(1)
    expect({ status, outcomes: runs.map(({ outcome }) => outcome) }).toEqual({
      status: 'completed',
      outcomes: ['failed', 'completed'],
    })
    expect(
      scenario
        .requests()
        .slice(asked)
        .some((text) => text.includes('FIRST-WORDS')),
    ).toBe(true)
    expect(runs[1]).toMatchObject({ cost_usd: habits.costUsd, tokens_in: 200, tokens_out: 20 })
    expectNothingLeft(scenario)
  })
}

/** A command that does the work in place of a client, where the client is wanted for what follows. */
const HAND = 'agents: {hand: {command: "sh -c \'echo made > made.txt; echo done\'"}}\n'

const WANTS_TWO = 'verify: {command: test -f two.txt}\ndefaults: {max_attempts: 1}\n'

let scenarios = 0

function told({ agent, outcome, head, cost_usd, tokens_in, tokens_out }: Shown['runs'][number]) {
  return { agent, outcome, head, cost_usd, tokens_in, tokens_out }
}

/** Processes, worktrees and uncommitted changes. */
export function expectNothingLeft(scenario: ClientScenario): void {
  const worktrees = scenario.repo.git('worktree', 'list').split('\n').length - 1
  const changes = scenario.repo.git('status', '--porcelain')
  expect({ processes: scenario.processes(), worktrees, changes }).toEqual({ processes: [], worktrees: 0, changes: '' })
}

function sneaky(root: string): string[] {
  return (readdirSync(root, { recursive: true }) as string[]).filter((path) => /sneaky-\w+\.txt$/.test(path))
}

/** Every commit that gza did not make: those of a reviewer would be among them, also where no branch has them. */
function objectsOf({ repo }: ClientScenario): string[] {
  const all = repo.git('cat-file', '--batch-all-objects', '--batch-check').split('\n')
  const commits = all.flatMap((line) => (line.includes(' commit ') ? [line.split(' ', 1)[0] ?? ''] : []))
  return commits.filter((oid) => /sneaky|Make/.test(repo.git('log', '-1', '--format=%s', oid)))
}

function reviewsOf({ repo }: ClientScenario): string[] {
  const folder = join(repo.dir, '.gza/reviews')
  return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8').trim()) : []
}
