import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { peakMemory } from '../../../bench/peak-memory.ts'
import { bin } from '../../support/built-program.ts'
import { type AgentRepo, anAgentRepo } from '../../support/scripted-agent.ts'
import { withClaude } from '../../support/scripted-claude.ts'

const SECRET = 'very-secret-value'
const ENV = { SOME_API_KEY: SECRET }

/** So many MB of short lines, each with a secret in it. */
const flood = (megabytes: number): string => `yes "a line of the flood, ${SECRET}" | head -n ${megabytes * 25_641}`
/** One line of so many MB, with a secret wherever it is cut. */
const longLine = (megabytes: number): string => `yes ',${SECRET}' | head -n ${megabytes * 55_555} | tr -d '\\n'`

/** What is left of the secret in a text, with a few characters around it. */
function leakIn(text: string): string | null {
  return /.{0,40}(secret|very-|-value).{0,40}/.exec(text)?.[0] ?? null
}

/** The log of the only run. */
function logOf(repo: AgentRepo): string {
  const logs = join(repo.dir, '.gza/logs')
  return readdirSync(logs)
    .map((name) => readFileSync(join(logs, name), 'utf8'))
    .join('')
}

/** The most memory that `gza work` had, in MB. It fails if the work does. */
function workMeasured({ dir, env }: AgentRepo): number {
  return peakMemory({ argv: [bin('gza'), 'work'], cwd: dir, env: env as Record<string, string> }) / 1e6
}

test('a flood of lines passes in little memory, its log stays short, and what matters in it is found', () => {
  const act = [
    flood(30),
    'say "half way"',
    `${flood(30)} >&2`,
    `${longLine(3)}; echo`,
    'commit a.txt a',
    'result done',
    `{ ${flood(10)}; } 2>/dev/null`,
  ]
  const repo = withClaude({ babbler: act.join('\n') }, { env: ENV })
  repo.add('babbler')
  expect(workMeasured(repo)).toBeLessThan(150)
  expect(repo.task('1').runs).toMatchObject([
    { outcome: 'completed', session: 's1', cost_usd: 0.25, tokens_in: 10, tokens_out: 5, turns: 1 },
  ])
  const log = logOf(repo)
  expect(log.length).toBeLessThan(17_000_000)
  expect(leakIn(log)).toBeNull()
  const { stdout, code } = repo.gza('logs', '1', '--follow')
  expect(code).toBe(0)
  expect(stdout).toMatch(/\d MB were left out here: they were printed too fast/)
  expect(stdout).toContain('half way')
  expect(stdout).toContain('finished')
})

test('of one endless line the log keeps the head and the tail, and an event in it is still read', () => {
  const act = [
    'printf \'{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"BEGIN\'',
    longLine(100),
    'printf \'END"}],"usage":{"input_tokens":10,"output_tokens":5}},"session_id":"s1"}\\n\'',
    'commit a.txt a',
    'result ""',
  ]
  const repo = withClaude({ babbler: act.join('\n') }, { env: ENV })
  repo.add('babbler')
  expect(workMeasured(repo)).toBeLessThan(200)
  const log = logOf(repo)
  expect(log.length).toBeLessThan(1_000_000)
  const kept = log.replaceAll(/(,\[redacted\])+/g, ',…')
  expect(kept).toMatch(/BEGIN,….{0,20}… \((9\d|100),\d{3},\d{3} bytes cut\) ….{0,20},…END/)
  expect(leakIn(log)).toBeNull()
})

test('a 10 MB answer makes a short log', () => {
  const act = [`text=$(${longLine(10)})`, 'say "$text"', 'commit a.txt a', 'result "$text"']
  const repo = withClaude({ babbler: act.join('\n') }, { env: ENV })
  repo.add('babbler')
  expect(repo.gza('work').code).toBe(0)
  expect(repo.task('1').runs).toMatchObject([{ outcome: 'completed', cost_usd: 0.25, tokens_in: 10 }])
  const log = logOf(repo)
  expect(log.length).toBeLessThan(1_000_000)
  expect(leakIn(log)).toBeNull()
})

test('a promise in the middle of a flood counts, and the answer of a plain command is its last part', () => {
  const promise = [flood(5), 'echo "It is done."', 'echo', 'echo "<promise>DONE</promise>"', flood(5)]
  const repo = anAgentRepo({ ralph: ['commit a.txt a', ...promise].join('\n') }, { env: ENV })
  repo.add('ralph')
  expect(repo.gza('work', '--ralph').code).toBe(0)
  expect(repo.task('1').runs).toMatchObject([{ outcome: 'completed' }])
  expect(repo.calls().length).toBe(1)
  const log = logOf(repo)
  expect(log.length).toBeLessThan(17_000_000)
  expect(leakIn(log)).toBeNull()
})

test('the counts and the last lines of a check that floods are found', () => {
  const check = [
    flood(5),
    'echo "Tests:       1 failed, 2 passed, 3 total"',
    `{ ${flood(5)}; } >&2`,
    `${longLine(3)}; echo`,
    'echo "the end"',
    'exit 3',
  ]
  const config = { verify: { command: 'bash ./check.sh' } }
  const files = { 'check.sh': check.join('\n') }
  const repo = anAgentRepo({}, { env: ENV, defaults: { max_attempts: 1 }, config, files })
  repo.add('checked')
  expect(repo.gza('work', '--no-base-check').code).toBe(1)
  const [run] = repo.task('1').runs
  expect(run).toMatchObject({ reason: 'verify-failed', checks: { passed: 2, failed: 1, skipped: 0 } })
  expect(run?.detail).toEndWith('\nthe end')
  expect(leakIn(String(run?.detail))).toBeNull()
  expect(String(run?.detail).length).toBeLessThan(7000)
})

test('halves of characters and lines that are not events do no harm', () => {
  const act = [
    "printf '\\xc3'; sleep 0.1; printf '\\xa9 \\xff\\n{\"type\":\\n[]\\nnull\\n{}\\n'",
    'commit a.txt a',
    'result done',
  ]
  const repo = withClaude({ babbler: act.join('\n') })
  repo.add('babbler')
  expect(repo.gza('work').code).toBe(0)
  expect(repo.task('1').runs).toMatchObject([{ outcome: 'completed', cost_usd: 0.25, tokens_in: 10, tokens_out: 5 }])
})

test('one that talks without end is ended at its time limit', () => {
  const repo = anAgentRepo(
    { babbler: 'yes "$beside" 2>/dev/null' },
    { defaults: { max_attempts: 1, timeout_minutes: 0.02 } },
  )
  repo.add('babbler')
  repo.gza('work')
  expect(repo.task('1').runs).toMatchObject([{ reason: 'timed-out' }])
  expect(repo.survivors()).toEqual([])
})
