/** A whole `gza work` in a box: an agent commits, the checks run, and the work lands. */
import { expect } from 'bun:test'
import type { TaskView } from '../../../src/workspace/views/views.ts'
import { outputOf } from '../../support/ledger-answers.ts'
import type { Result } from '../../support/repo.ts'
import type { AgentRepoOptions } from '../../support/scripted-agent.ts'
import { anIsolatedRepo, type IsolatedRepo, LEVELS, type RunLevel } from '../runs/isolated-repo.ts'

/** Where something is mounted over `.git`. Landlock has tests of its own (`test/isolation/runs/led-away.test.ts`). */
export const BOXES = LEVELS.filter((level) => level !== 'landlock')
/** For what does not depend on how a box is made. */
export const STRONGEST = BOXES.slice(0, 1)

/** A checkout in which a person calls gza. */
export interface Checkout {
  dir: string
  run(argv: string[]): Result
  /** Runs git, and throws if it fails. */
  git(...args: string[]): string
  task(): TaskView
}

export interface Project extends IsolatedRepo {
  at(dir: string): Checkout
}

type Options = Omit<AgentRepoOptions, 'isolation'>

/** `act`: what the agent does for each task, in the private git folder of its box. */
export function aProject(level: RunLevel, act: string, { config, ...options }: Options = {}): Project {
  const all = { land: 'merge', verify: { command: 'git status && test -s README.md' }, ...config }
  const repo = anIsolatedRepo(level, { else: `set -e\n${act}` }, { ...options, config: all })
  return { ...repo, at: (dir) => checkoutAt(repo, dir) }
}

function checkoutAt(repo: IsolatedRepo, dir: string): Checkout {
  const run = (argv: string[]) => repo.run(argv, { cwd: dir })
  return {
    ...{ dir, run },
    git: (...args) => outputOf(run(['git', ...args])).trimEnd(),
    task: () => JSON.parse(outputOf(run(['gza', 'show', '1', '--json']))),
  }
}

/** Adds a task and works on it. Returns what gza printed. */
export function workIn({ run }: Checkout, repo: IsolatedRepo): string {
  outputOf(run(['gza', 'add', 'One']))
  const { stdout, stderr } = run(repo.commandLine('work'))
  return stdout + stderr
}

/** The work has landed on the base, the person's checkout has it, and both repository and checkout are sound. */
export function expectLanded(at: Checkout, repo: IsolatedRepo, level: RunLevel): void {
  const printed = workIn(at, repo)
  expect(at.task().runs, printed).toMatchObject([{ outcome: 'completed', isolation: level }])
  expect(at.task().landings, printed).toMatchObject([{ outcome: 'landed' }])
  expectSound(at, repo)
}

export function expectSound(at: Checkout, repo: IsolatedRepo): void {
  expect(at.git('status', '--porcelain')).toBe('')
  at.git('fsck', '--strict', '--no-dangling', '--no-progress')
  expect(JSON.parse(outputOf(at.run(['gza', 'inbox', '--json'])))).toEqual([])
  expect(at.git('for-each-ref', 'refs/gza/base', 'refs/gza/incoming', 'refs/gza/kept')).toBe('')
  expect(repo.survivors()).toEqual([])
}
