import { delimiter, join } from 'node:path'
import type { Summary } from '../../core/task/summarise.ts'
import { ensureFolder, makeTemporaryFolder, removeFolder, writeText } from '../../platform/files/files.ts'
import { ownExecutable, putLink } from '../../platform/files/scripts.ts'
import { type Env, runGit } from '../../platform/git/git.ts'
import type { ProcessId } from '../../platform/processes/process-entry.ts'
import { findProcess, signalProcess } from '../../platform/processes/process-table.ts'
import { type CommandEnd, runInherited } from '../../platform/processes/run-inherited.ts'
import { openStartedCommands } from '../../platform/web/started-commands.ts'
import { readSummary } from '../../reports/read-summary.ts'
import { useWorkspace } from '../../workspace/workspace.ts'
import { QUEUED_PARTS, WORKED_PARTS } from './demo-queue.ts'
import { SHOP_FILES, SHOP_PARTS } from './demo-shop.ts'

export interface DemoStep {
  text: string
  commands: string[][]
  /** Its commands end with a failure, as a person is needed. */
  needsPerson?: boolean
}

export interface Demo {
  steps: readonly DemoStep[]
  /** Instead of the last steps: fills the queue, so that the page has something to show. */
  pageSteps: readonly DemoStep[]
  dir: string
  env: Env
  /** Runs a command of a step on this process's own terminal; with `quiet` its output goes to stderr. */
  run(command: readonly string[], options?: { quiet?: boolean }): Promise<CommandEnd>
  summary(): Promise<Summary>
  /** Lets an agent work in the background. */
  startLongTask(): Promise<void>
  /** Ends what works in the background, also what a person has started in the page. */
  endWork(): Promise<void>
  /** Removes everything. */
  close(): void
}

/** A temporary repository with its own home folder: no file of the caller is read, and nothing is left behind. */
export function openDemo(callerEnv: Env): Demo {
  const root = makeTemporaryFolder('gza-demo')
  const dir = join(root, 'shop')
  const env = demoEnvironment(callerEnv, root)
  try {
    furnish(root, dir, env)
  } catch (error) {
    removeFolder(root)
    throw error
  }
  const commands = openStartedCommands(env)
  return {
    ...{ steps: STEPS, pageSteps: PAGE_STEPS, dir, env },
    run: (command, { quiet = false } = {}) =>
      runInherited(quiet ? ['sh', '-c', 'exec "$@" >&2', 'sh', ...command] : command, { cwd: dir, env }),
    summary: () => useWorkspace({ cwd: dir, env }, readSummary),
    startLongTask: async () => {
      await commands.start({ id: 'demo', cwd: dir, args: ['work', LONG_TASK], ended: () => {} })
    },
    endWork: () => endAll(commands.running().map(({ pid }) => pid)),
    close: () => removeFolder(root),
  }
}

const STEPS: readonly DemoStep[] = [
  {
    text: 'A small shop with tests but no code yet. gza.yaml defines who works on it, how work is checked, and how it lands.',
    commands: [
      ['cat', 'gza.yaml'],
      ['gza', 'trust'],
    ],
  },
  {
    text: 'Four tasks, each for a separate file, so that agents can work on all of them at once. One will also be reviewed.',
    commands: SHOP_PARTS.map(({ content, file, review }) => [
      ...['gza', 'add', content, '--files-to-create', file],
      ...(review ? ['--auto-review'] : []),
    ]),
  },
  {
    text: 'Four agents, each with its own branch and worktree. Work that passes its checks lands, checked together with the rest.',
    commands: [['gza', 'work', '--all', '--workers', '4']],
  },
  {
    text: 'One was wrong at first. The second attempt got the output of the check:',
    commands: [['gza', 'logs', '2']],
  },
  {
    text: 'One passed its tests, but not its review. The agent got the review, and the next review approved:',
    commands: [['gza', 'logs', '3']],
  },
  {
    text: 'The result:',
    commands: [
      ['gza', 'status'],
      ['git', 'log', '--oneline', 'main'],
      ['git', 'tasks', 'pr'],
    ],
  },
]

/** The numbers that the tasks of the queue get. */
const FIRST_QUEUED = SHOP_PARTS.length + 1
const WORKED = WORKED_PARTS.map((_, at) => String(FIRST_QUEUED + at))
const LONG_TASK = String(FIRST_QUEUED + WORKED_PARTS.length)

const PAGE_STEPS: readonly DemoStep[] = [
  ...STEPS.slice(0, 3),
  {
    text: 'More tasks, some of which wait for others.',
    commands: QUEUED_PARTS.map(({ content, file, flags }) => {
      return ['gza', 'add', content, '--files-to-create', file, ...flags]
    }),
  },
  {
    text: 'One agent has a question, one gives up, and one changes a file that only a person may land.',
    commands: [['gza', 'work', ...WORKED, '--workers', String(WORKED.length)]],
    needsPerson: true,
  },
]

const MOST_MS = 15_000

/** gza records the end of its runs, and ends their processes, after a TERM. */
async function endAll(pids: readonly number[]): Promise<void> {
  const found = pids.map((pid) => findProcess(pid)).filter((entry) => entry !== null)
  for (const entry of found) signalProcess(entry, 'SIGTERM')
  const until = performance.now() + MOST_MS
  while (found.some(isLeft)) {
    if (performance.now() > until) for (const entry of found) signalProcess(entry, 'SIGKILL')
    await Bun.sleep(50)
  }
}

function isLeft({ pid, startedAt }: ProcessId): boolean {
  const now = findProcess(pid)
  return now !== null && now.startedAt === startedAt && !now.isZombie
}

/** Only what a terminal needs, and nothing that leads to the caller's settings, credentials, repository or agent. */
const PASSED_ON = ['TERM', 'COLORTERM', 'NO_COLOR', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ']

function demoEnvironment(env: Env, root: string): Env {
  return {
    ...Object.fromEntries(PASSED_ON.filter((name) => env[name] !== undefined).map((name) => [name, env[name]])),
    PATH: [join(root, 'bin'), env.PATH ?? ''].join(delimiter),
    HOME: join(root, 'home'),
    TMPDIR: join(root, 'tmp'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_PAGER: 'cat',
    GZA_DEMO: '1',
  }
}

const GIT_CONFIG = `[user]
	name = Ada
	email = ada@example.com
[init]
	defaultBranch = main
[gc]
	auto = 0
[maintenance]
	auto = false
`

function furnish(root: string, dir: string, env: Env): void {
  for (const folder of ['tmp', 'shop']) ensureFolder(join(root, folder))
  writeText(join(root, 'home', '.gitconfig'), GIT_CONFIG)
  for (const name of ['gza', 'git-tasks']) putLink(join(root, 'bin', name), ownExecutable())
  for (const [path, text] of Object.entries(SHOP_FILES)) writeText(join(dir, path), text)
  const place = { dir, env }
  runGit(place, ['init', '--quiet'])
  runGit(place, ['add', '--all'])
  runGit(place, ['commit', '--quiet', '--message', 'Test a shop that is still to be built'])
}
