/** A whole night in a box, in a repository of any kind: work, checks, a review, and a landing that a person asks for. */
import { expect } from 'bun:test'
import type { TaskView } from '../../../src/workspace/views/views.ts'
import { outputOf } from '../../support/ledger-answers.ts'
import type { Env, Result } from '../../support/repo.ts'
import type { AgentRepoOptions } from '../../support/scripted-agent.ts'
import { anIsolatedRepo, type IsolatedRepo, type RunLevel } from '../runs/isolated-repo.ts'

/** Where a person works. */
export interface Place {
  dir: string
  env?: Env
}

export interface Kind {
  /** What the agent does besides the commit of its own file. */
  act?: string
  /** What its reviewer must find. */
  review?: string
  options?: Omit<AgentRepoOptions, 'isolation'>
  /** Makes the repository; without it, it is an ordinary one. */
  make?(repo: IsolatedRepo): Place
  /** It has submodules, into which no git of gza looks: its worktree stays. */
  keepsWorktree?: true
  /** What must hold after the landing. */
  expect?(at: Person): void
}

/** A person in that place. */
export interface Person {
  dir: string
  repo: IsolatedRepo
  run(argv: string[]): Result
  /** Runs git, and throws if it fails. */
  git(...args: string[]): string
}

const REVIEW = `
test -s One.txt
file=$(grep -o -m1 '[^ \`]*reviews/[^ \`]*\\.md' <<<"$prompt" | head -1)
printf '# Review\\n\\nRead it all, line by line.\\n\\n**Verdict: APPROVED**\\n' >"$file"`

/** Runs the whole night, and compares what a person sees afterwards. */
export function expectReviewedAndLanded(level: RunLevel, kind: Kind): void {
  const { repo, at } = aPerson(level, kind)
  outputOf(at.run(['gza', 'add', 'One', '--auto-review']))
  const worked = at.run(repo.commandLine('work'))
  const printed = worked.stdout + worked.stderr
  expect(worked.code, printed).toBe(0)
  const after = taskOf(at)
  expect(after.runs, printed).toMatchObject([{ outcome: 'completed', isolation: level, review_cycle: 1 }])
  expect(after.final_verdict, printed).toBe('APPROVED')
  expect(after.landings).toEqual([])
  outputOf(at.run(repo.commandLine('merge', '1')))
  expect(taskOf(at).landings).toMatchObject([{ outcome: 'landed' }])
  expect(at.git('show', 'HEAD:One.txt')).toBe('x')
  expect(outputOf(at.run(['cat', 'One.txt']))).toBe('x\n')
  kind.expect?.(at)
  expectSound(at)
  expect(at.git('worktree', 'list', '--porcelain').includes('/state/gza/')).toBe(kind.keepsWorktree ?? false)
}

function aPerson(
  level: RunLevel,
  { act = '', review = '', options = {}, make }: Kind,
): { repo: IsolatedRepo; at: Person } {
  const work = `${act}\ncommit One.txt x`
  const acts = { else: `set -e\ncase $prompt in "You are reviewing"*) ${review}${REVIEW} ;; *) ${work} ;; esac` }
  const config = { verify: { command: 'git status && test -s README.md' }, ...options.config }
  const repo = anIsolatedRepo(level, acts, { ...options, config })
  const { dir, env = {} } = make?.(repo) ?? { dir: repo.dir }
  const run = (argv: string[]) => repo.run(argv, { cwd: dir, env })
  return { repo, at: { dir, repo, run, git: (...args) => outputOf(run(['git', ...args])).trimEnd() } }
}

function taskOf({ run }: Person): TaskView {
  return JSON.parse(outputOf(run(['gza', 'show', '1', '--json'])))
}

function expectSound({ git, run, repo }: Person): void {
  expect(git('status', '--porcelain')).toBe('')
  git('fsck', '--strict', '--no-dangling', '--no-progress')
  expect(JSON.parse(outputOf(run(['gza', 'inbox', '--json'])))).toEqual([])
  expect(git('for-each-ref', 'refs/gza/base', 'refs/gza/incoming', 'refs/gza/kept')).toBe('')
  expect(repo.survivors()).toEqual([])
}
