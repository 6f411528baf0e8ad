import { expect, test } from 'bun:test'
import { chmodSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { aRepo, type Repo } from '../support/repo.ts'
import { spawnGza } from '../support/spawn-gza.ts'
import { until } from '../support/until.ts'
import { aGatedRepo, settled } from './gated-agent.ts'

const TRANSCRIPT = join(import.meta.dir, '../fixtures/transcripts/claude.jsonl')

/** A `claude` that prints what the recorded one printed, and commits. */
function withRecordedClaude(): Repo {
  const repo = aRepo()
  repo.commit('first')
  const script = `#!/bin/sh\necho hi >out.txt\ngit add .\ngit commit -q -m done\ncat '${TRANSCRIPT}'\necho 'a warning' >&2\n`
  chmodSync(repo.write('../bin/claude', script), 0o755)
  return repo.withEnv({ PATH: [join(repo.dir, '../bin'), repo.env.PATH].join(delimiter) })
}

test('the log of a run reads as what the agent printed and did, and what came of it', () => {
  const repo = withRecordedClaude()
  repo.gza('add', 'Write the parser\nand its tests')
  repo.gza('work')
  const { code, stdout, stderr } = repo.gza('logs', '1')
  // Whether the warning still comes before the client is ended is a race.
  expect({ code, stdout: settled(stdout).replace('HH:MM:SS  a warning\n', ''), stderr }).toEqual({
    code: 0,
    stdout: `#1 Write the parser
attempt 1 by claude, run RUN
── task
HH:MM:SS  Running it.
HH:MM:SS  → Bash: echo hi > out.txt && git add -A && git commit -q -m done && git rev-parse HEAD
HH:MM:SS  All done.
          VERDICT: PASS
HH:MM:SS  finished
✓ completed (Ns, 2.1k tokens, $0.01)
`,
    stderr: '',
  })
})

test('the newest run is shown, and a failed one ends with its reason and what the check printed', () => {
  const repo = aGatedRepo('echo "attempt $attempt"; commit', 'verify: { command: "echo first; echo last; exit 1" }\n')
  repo.gza('add', 'Write the parser', '--max-attempts', '2')
  repo.gza('work', '--no-base-check', '--all')
  expect(settled(repo.gza('logs', '1').stdout)).toBe(`#1 Write the parser
attempt 2 by scripted, run RUN
── task
HH:MM:SS  attempt 2
✗ failed: verify-failed (Ns)
  command-failed: echo first; echo last; exit 1 exited with 1: last
  first
  last
`)
})

test('--raw gives the lines as they were written; neither way does a terminal get to obey them', () => {
  const repo = aGatedRepo(
    `printf '\\033[31mred\\033[0m\\tand \\033]0;title\\007more\\n10%%\\r90%%\\n'; echo oops >&2; commit`,
  )
  repo.gza('add', 'Write the parser')
  repo.gza('work')
  const lines = (text: string) => text.split('\n').filter(Boolean).sort()
  expect(lines(repo.gza('logs', '--raw', '1').stdout)).toEqual(
    ['\\x1b[31mred\\x1b[0m\tand \\x1b]0;title\\x07more', '10%\\r90%', 'oops'].sort(),
  )
  expect(lines(settled(repo.gza('logs', '1').stdout))).toEqual(
    [
      '#1 Write the parser',
      'attempt 1 by scripted, run RUN',
      '── task',
      'HH:MM:SS  red\tand more',
      'HH:MM:SS  90%',
      'HH:MM:SS  oops',
      '✓ completed (Ns)',
    ].sort(),
  )
})

test('--json is one value: every line with its time, its stream and its events', () => {
  const repo = aGatedRepo('echo hello; commit')
  repo.gza('add', 'Write the parser')
  repo.gza('work')
  expect(JSON.parse(repo.gza('logs', '1', '--json').stdout)).toEqual([
    {
      number: 1,
      run: expect.any(String),
      at: expect.any(String),
      phase: 'task',
      stream: 'out',
      line: 'hello',
      events: [{ kind: 'text', text: 'hello' }],
      cut: null,
    },
  ])
})

test('-f continues reading until the run ends; without it the output ends with a note that there may be more', async () => {
  const repo = aGatedRepo('echo before; gate; echo after; commit')
  repo.gza('add', 'Write the parser')
  const work = repo.start(['gza', 'work'])
  await until(() => repo.gza('ps').stdout.includes('before'))
  const now = repo.gza('logs', '1')
  expect({ ...now, stdout: settled(now.stdout) }).toEqual({
    code: 0,
    stdout: '#1 Write the parser\nattempt 1 by scripted, run RUN\n── task\nHH:MM:SS  before\n',
    stderr: 'It is still running: gza logs -f 1 keeps reading.\n',
  })
  const followed = repo.start(['gza', 'logs', '-f', '1'])
  repo.openGate()
  await work
  expect(settled((await followed).stdout)).toBe(
    '#1 Write the parser\nattempt 1 by scripted, run RUN\n── task\nHH:MM:SS  before\nHH:MM:SS  after\n✓ completed (Ns)\n',
  )
})

test('-f ends by itself where the worker was killed', async () => {
  const repo = aGatedRepo('echo before; gate')
  repo.gza('add', 'Write the parser')
  const worker = repo.start(['sh', '-c', 'echo $$ >../pid; exec gza work'])
  await until(() => repo.gza('ps').stdout.includes('before'))
  const followed = repo.start(['gza', 'logs', '-f', '1'])
  repo.run(['sh', '-c', 'kill -9 $(cat ../pid)'])
  await worker
  expect(settled((await followed).stdout)).toBe(
    '#1 Write the parser\nattempt 1 by scripted, run RUN\n── task\nHH:MM:SS  before\n',
  )
  repo.openGate()
  repo.gza('work', '1')
})

test('a task that never ran has no log, and neither has one whose log is gone', () => {
  const repo = aGatedRepo('commit')
  repo.gza('add', 'Write the parser')
  const id = JSON.parse(repo.gza('show', '1', '--json').stdout).id
  expect(repo.gza('logs', '1')).toEqual({ code: 1, stdout: '', stderr: `Error: ${id} has never run\n  gza work 1\n` })
  repo.gza('work')
  rmSync(join(repo.dir, '.gza/logs'), { recursive: true })
  expect(repo.gza('logs', '1')).toEqual({
    code: 1,
    stdout: '',
    stderr: `Error: No log of ${id} is here: gza did not start it, or its log was removed\n  gza show 1\n`,
  })
})

test('a secret that the configuration gives an agent is not in its log', () => {
  const repo = aRepo().withEnv({ GZA_TRUST: '1' })
  const agent = { command: "sh -c 'echo key $OWN_API_KEY'", env: { OWN_API_KEY: 'very-secret-value' } }
  repo.commit('start', { 'gza.yaml': `defaults: { agent: own }\nagents: ${JSON.stringify({ own: agent })}\n` })
  repo.gza('add', 'Write the parser', '--max-attempts', '1')
  repo.gza('work')
  expect(repo.gza('logs', '1', '--raw').stdout).toContain('key [redacted]')
})

test('a secret that a check or a failing agent prints reaches neither the ledger nor the screen', () => {
  const repo = aGatedRepo(
    'case "$branch" in *broken*) echo "Error: 401 invalid key $MY_API_KEY" >&2; exit 1;; esac; commit',
    'verify: { command: "echo key $MY_API_KEY; exit 1" }\n',
  ).withEnv({ MY_API_KEY: 'very-secret-value' })
  repo.gza('add', 'Write the parser', '--max-attempts', '1')
  repo.gza('add', 'broken', '--max-attempts', '1')
  const { stdout, stderr } = repo.gza('work', '--no-base-check', '--all')
  expect(stdout).toContain('key [redacted]')
  for (const text of [stdout, stderr, repo.git('log', '-p', 'refs/tasks/main')])
    expect(text).not.toContain('very-secret-value')
})

test('logs -f follows all running tasks and those that start meanwhile, each line after its number', async () => {
  const repo = aGatedRepo('echo "first line"; echo "on $branch"; gate; commit')
  repo.gza('add', 'Write the parser')
  repo.gza('add', 'Write the lexer')
  const followed = spawnGza(repo, 'logs', '-f')
  const seen = () => settled(followed.printed())
  await until(() => seen() !== '')
  const work = repo.start(['gza', 'work', '1'])
  await until(() => seen().includes('#1  HH:MM:SS  on DATE-write-the-parser'))
  const later = repo.start(['gza', 'work', '2'])
  await until(() => seen().includes('#2  HH:MM:SS  on DATE-write-the-lexer'))
  repo.openGate()
  await Promise.all([work, later])
  await until(() => /#1 {2}✓ completed/.test(seen()) && /#2 {2}✓ completed/.test(seen()))
  followed.process.kill('SIGINT')
  expect((await followed.ended).code).toBe(0)
  const [first, ...lines] = seen().trimEnd().split('\n')
  expect(first).toBe('Nothing is running. What starts is followed, until Ctrl-C.')
  expect(lines.filter((line) => line.startsWith('#1  '))).toEqual([
    '#1  #1 Write the parser',
    '#1  attempt 1 by scripted, run RUN',
    '#1  ── task',
    '#1  HH:MM:SS  first line',
    '#1  HH:MM:SS  on DATE-write-the-parser',
    '#1  ✓ completed (Ns)',
  ])
  expect(lines.filter((line) => !/^#[12] {2}/.test(line))).toEqual([])
})

test('logs without a task says that it needs one, or -f', () => {
  const repo = aRepo()
  repo.commit('first')
  expect(repo.gza('logs')).toMatchObject({
    code: 2,
    stderr: 'Error: ID is missing\n  gza logs ID shows one task; gza logs -f follows all that run.\n',
  })
})
