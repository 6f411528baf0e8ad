import { delimiter, join } from 'node:path'
import type { Summary } from '../../core/task/summarise.ts'
import { ensureFolder, makeTemporaryFolder, removeFolder, writeText } from '../../platform/files/files.ts'
import { ownExecutable, putLink } from '../../platform/files/scripts.ts'
import { type Env, runGit } from '../../platform/git/git.ts'
import { type CommandEnd, runInherited } from '../../platform/processes/run-inherited.ts'
import { readSummary } from '../../reports/read-summary.ts'
import { useWorkspace } from '../../workspace/workspace.ts'
import { SHOP_FILES, SHOP_PARTS } from './demo-shop.ts'

export interface DemoStep {
  text: string
  commands: string[][]
}

export interface Demo {
  steps: readonly DemoStep[]
  /** Runs a command of a step on this process's own terminal; with `quiet` its output goes to stderr. */
  run(command: readonly string[], options?: { quiet?: boolean }): Promise<CommandEnd>
  summary(): Promise<Summary>
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
  return {
    steps: STEPS,
    run: (command, { quiet = false } = {}) =>
      runInherited(quiet ? ['sh', '-c', 'exec "$@" >&2', 'sh', ...command] : command, { cwd: dir, env }),
    summary: () => useWorkspace({ cwd: dir, env }, readSummary),
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
