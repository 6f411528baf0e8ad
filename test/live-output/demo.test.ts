import { beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { aRepo, type Repo } from '../support/repo.ts'
import { type Result, runProcess } from '../support/run-process.ts'
import { until } from '../support/until.ts'
import { withoutEnd } from '../support/without-end.ts'
import { openServed } from '../web/served-page.ts'
import { settled } from './gated-agent.ts'

interface Caller {
  repo: Repo
  tmp: string
  home: string
  before: string[]
}

/** Somebody inside a repository, with settings of their own, and inside an agent. */
function aCaller(): Caller {
  const repo = aRepo()
  repo.commit('first', { 'gza.yaml': 'nonsense: true\n' })
  const root = dirname(repo.dir)
  const tmp = join(root, 'tmp')
  const home = join(root, 'home')
  mkdirSync(tmp)
  const settings = {
    GIT_DIR: '/nonexistent',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.hooksPath',
    GIT_CONFIG_VALUE_0: '/x',
  }
  const env = {
    ...settings,
    TMPDIR: tmp,
    CLAUDECODE: '1',
    GZA_BRANCH: 'x',
    XDG_STATE_HOME: '/nonexistent',
    XDG_CONFIG_HOME: home,
  }
  return { repo: repo.withEnv(env), tmp, home, before: [...below(home), ...below(repo.dir)] }
}

function below(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map(String).sort()
}

/** What was started by what the caller started: it has the caller's folder for temporary files in its environment. */
function processesOf({ tmp }: Caller): string[] {
  return allProcesses().filter((text) => text.includes(tmp))
}

/** Command line and environment of each process that we may look at. */
function allProcesses(): string[] {
  if (process.platform !== 'linux') return runProcess(['ps', '-AwwE', '-o', 'command='], {}).stdout.split('\n')
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    try {
      return [readFileSync(`/proc/${pid}/cmdline`, 'utf8') + readFileSync(`/proc/${pid}/environ`, 'utf8')]
    } catch {
      return []
    }
  })
}

function leftBehind(caller: Caller) {
  return {
    tmp: below(caller.tmp),
    processes: processesOf(caller),
    files: [...below(caller.home), ...below(caller.repo.dir)],
  }
}

const callers = { shown: aCaller(), json: aCaller(), stopped: aCaller(), page: aCaller() }
let shown: Result
let json: Result
let stopped: Result
let page: { columns: Record<string, string[]>; started: number; end: Result }

// At once, because each takes its time.
beforeAll(async () => {
  ;[shown, json, stopped, page] = await Promise.all([
    callers.shown.repo.start(['gza', 'demo']),
    callers.json.repo.start(['gza', 'demo', '--json']),
    stopWhileAgentsWork(callers.stopped),
    lookAtPage(callers.page),
  ])
})

async function stopWhileAgentsWork(caller: Caller): Promise<Result> {
  const pid = join(caller.tmp, '../pid')
  const demo = caller.repo.start(['sh', '-c', `echo $$ >'${pid}'; exec gza demo`])
  await until(() => processesOf(caller).some((text) => text.includes('__demo-agent')))
  caller.repo.run(['sh', '-c', `kill -TERM "$(cat '${pid}')"`])
  return demo
}

interface SentBoard {
  value: { columns: Record<string, { cards: { title: string }[] }> }
}

/** The titles in each column that is not empty. */
function columnsOf({ value }: SentBoard): Record<string, string[]> {
  const columns = Object.entries(value.columns).filter(([, { cards }]) => cards.length > 0)
  return Object.fromEntries(columns.map(([name, { cards }]) => [name, cards.map(({ title }) => title).sort()]))
}

/** Reads the board, starts work on a task, and ends the demonstration. */
async function lookAtPage(caller: Caller): Promise<typeof page> {
  const served = await openServed(caller.repo, ['demo', '--web', '--no-open'])
  const bearer = await served.signIn()
  const repository = await served.repository(bearer)
  let columns: Record<string, string[]> = {}
  await until(async () => {
    const answer = await served.get(`/api/r/${repository}/board`, bearer)
    columns = columnsOf((await answer.json()) as SentBoard)
    // Its work has begun before the page is open, but an agent needs a moment.
    return columns.running !== undefined
  })
  const start = { command: 'work', refs: ['9'], workers: 1 }
  const { status } = await served.post(`/api/r/${repository}/actions/start`, start, bearer)
  const code = await served.stop()
  return { columns, started: status, end: { code: code ?? -1, stdout: served.printed(), stderr: '' } }
}

test('with --web the page has something to show in every view, and what runs ends with it', () => {
  expect(page.columns).toEqual({
    ready: ['Describe the cart', 'List the words that the shop uses'],
    blocked: [
      'Describe how to pay by card',
      'Describe refunds',
      'Describe the receipt',
      'Describe the report of a day',
      'Describe the report of a year',
    ],
    running: ['Write the manual of the shop'],
    needs_you: ['Keep the line ends of shell files', 'Print prices with their currency'],
    landed: [
      'Add up the prices in a cart',
      'Compute 19 % tax to the cent',
      'Print a price with two decimals',
      'Take 10 % off from 100.00 on',
    ],
    failed: ['Ask the bank for the rates of the day'],
  })
  expect(page.started).toBe(200)
  expect(page.end).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nThe repository was deleted\./) })
})

test('four tasks are worked on at once, one fails its check, one its review, both get the reason, and all land', () => {
  const [setUp = '', rest = ''] = settledDemo(shown.stdout).split('$ gza work --all --workers 4\n')
  const [work = '', results = ''] = rest.split('\nOne was wrong at first.')
  expect({ code: shown.code, stderr: withoutEnd(shown.stderr) }).toEqual({ code: 0, stderr: '' })
  expect(setUp).toBe(SET_UP)
  // A line names its task only while other tasks run.
  expect(work.replaceAll('  #3 [', '  [').split('\n').sort()).toEqual(WORK.split('\n').sort())
  expect(`One was wrong at first.${results}`).toBe(RESULTS)
})

test('with --json the steps go to stderr, and stdout is the summary of the repository', () => {
  const { total, failed, progress } = JSON.parse(json.stdout)
  expect({ code: json.code, total, failed, progress }).toEqual({ code: 0, total: 4, failed: [], progress: '100%' })
  expect(withoutEnd(json.stderr)).toContain(
    '$ gza work --all --workers 4\nRunning task #1: Add up the prices in a cart\n',
  )
})

test('stopped half way it shows no further step', () => {
  expect(stopped.code).toBe(143)
  expect(stopped.stdout).not.toContain('The result:')
})

test('no folder, no process and no file is left behind, and nothing of the caller’s is touched', () => {
  for (const caller of Object.values(callers))
    expect(leftBehind(caller)).toEqual({ tmp: [], processes: [], files: caller.before })
})

test('its agent works nowhere else', () => {
  const { repo, before, home } = callers.shown
  expect(repo.gza('__demo-agent', 'Files to create:\n- lib/tax.sh')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Error: This agent only runs in gza demo\n  gza demo\n',
  })
  expect([...below(home), ...below(repo.dir)]).toEqual(before)
})

/** Commits and days differ from run to run; so does the order in which they land. */
function settledDemo(text: string): string {
  const plain = settled(text)
    .replace(/\b[0-9a-f]{7}\b/g, 'COMMIT')
    .replace(/\b\d\d\/\d\d\b/g, 'DAY')
    .replace(/\([0-9a-f]{12}\)/, '(HASH)')
  return plain.replace(/(--oneline main\n)([\s\S]*?)(?=\$ git tasks pr)/, (_, head: string, log: string) => {
    return `${head}${log.trimEnd().split('\n').sort().join('\n')}\n`
  })
}

const SET_UP = `
A small shop with tests but no code yet. gza.yaml defines who works on it, how work is checked, and how it lands.
$ cat gza.yaml
defaults:
  agent: demo
agents:
  demo:
    command: gza __demo-agent
verify:
  command: sh tests/run.sh
land: squash
retry:
  backoff_seconds: 1
$ gza trust
gza.yaml: trusted (HASH)

Four tasks, each for a separate file, so that agents can work on all of them at once. One will also be reviewed.
$ gza add "Add up the prices in a cart" --files-to-create lib/total.sh
Created task #1 (task-ID): Add up the prices in a cart
$ gza add "Compute 19 % tax to the cent" --files-to-create lib/tax.sh
Created task #2 (task-ID): Compute 19 % tax to the cent
$ gza add "Take 10 % off from 100.00 on" --files-to-create lib/discount.sh --auto-review
Created task #3 (task-ID): Take 10 % off from 100.00 on
$ gza add "Print a price with two decimals" --files-to-create lib/price.sh
Created task #4 (task-ID): Print a price with two decimals

Four agents, each with its own branch and worktree. Work that passes its checks lands, checked together with the rest.
`

const WORK = `Running task #1: Add up the prices in a cart
Running task #2: Compute 19 % tax to the cent
Running task #2: Compute 19 % tax to the cent (attempt 2)
Running task #3: Take 10 % off from 100.00 on
Running task #4: Print a price with two decimals
  #1 Working...
  #2 Working...
  #2 Working...
  #4 Working...
  #1 Verifying...
  #2 Verifying...
  #2 Verifying...
  #4 Verifying...
  [1/3] Implementing...
  [1/3] Implementation complete
  [1/3] Running review...
  [1/3] Review: CHANGES_REQUESTED - lib/discount.sh:2 cuts half a cent off, and the shop rounds
  [2/3] Improving...
  [2/3] Running review...
  [2/3] Review: APPROVED
✗ Task #2 failed: verify-failed (attempt 1)
  command-failed: sh tests/run.sh exited with 1: tax 199: expected 38, got 37
✓ Task #1 completed
✓ Task #2 completed
✓ Task #3 completed (APPROVED after 2 cycles)
✓ Task #4 completed
✓ Task #1 landed on main (1 commit)
✓ Task #2 landed on main (1 commit)
✓ Task #3 landed on main (1 commit)
✓ Task #4 landed on main (1 commit)
✓ Build verification passed on main (COMMIT)
4 tasks, 100% completed
  completed       4  task-ID, task-ID, task-ID, task-ID
`

const RESULTS = `One was wrong at first. The second attempt got the output of the check:
$ gza logs 2
#2 Compute 19 % tax to the cent
attempt 2 by demo, run RUN
── task
HH:MM:SS  I read the task: Compute 19 % tax to the cent
HH:MM:SS  The test is tests/tax.sh
HH:MM:SS  My last attempt failed: tax 199: expected 38, got 37
HH:MM:SS  It cut the cents off; they must be rounded
HH:MM:SS  I write lib/tax.sh
HH:MM:SS  I committed COMMIT
✓ completed (Ns)

One passed its tests, but not its review. The agent got the review, and the next review approved:
$ gza logs 3
#3 Take 10 % off from 100.00 on
attempt 1 by demo, run RUN
── task
HH:MM:SS  I read the task: Take 10 % off from 100.00 on
HH:MM:SS  The test is tests/discount.sh
HH:MM:SS  I write lib/discount.sh
HH:MM:SS  I committed COMMIT
── review
HH:MM:SS  I review lib/discount.sh
HH:MM:SS  1. lib/discount.sh:2 cuts half a cent off, and the shop rounds
HH:MM:SS  **Verdict: CHANGES_REQUESTED**
── improve
HH:MM:SS  I read the task: Take 10 % off from 100.00 on
HH:MM:SS  The test is tests/discount.sh
HH:MM:SS  The review says: lib/discount.sh:2 cuts half a cent off, and the shop rounds
HH:MM:SS  I write lib/discount.sh
HH:MM:SS  I committed COMMIT
── review
HH:MM:SS  I review lib/discount.sh
HH:MM:SS  Nothing blocks it.
HH:MM:SS  **Verdict: APPROVED**
✓ completed (Ns)

The result:
$ gza status
  ✓ 1. Add up the prices in a cart        completed  DAY
  ✓ 2. Compute 19 % tax to the cent       completed  DAY
  ✓ 3. Take 10 % off from 100.00 on       completed  APPROVED (2 cycles)
  ✓ 4. Print a price with two decimals    completed  DAY
$ git log --oneline main
COMMIT Add up the prices in a cart
COMMIT Compute 19 % tax to the cent
COMMIT Print a price with two decimals
COMMIT Take 10 % off from 100.00 on
COMMIT Test a shop that is still to be built
$ git tasks pr
## Tasks

- [x] task-ID: Add up the prices in a cart (COMMIT)
- [x] task-ID: Compute 19 % tax to the cent (COMMIT)
- [x] task-ID: Take 10 % off from 100.00 on (COMMIT)
- [x] task-ID: Print a price with two decimals (COMMIT)

The repository was deleted. In one of yours: gza init, gza add "…", then gza work
`
