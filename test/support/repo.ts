import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { bin, binDir } from './built-program.ts'
import { type Env, type Result, type RunOptions, runProcess, startProcess } from './run-process.ts'

export type { Env, Result, RunOptions }

export interface RepoOptions {
  objectFormat?: 'sha1' | 'sha256'
  bare?: boolean
  /** Merged over the clean environment; undefined takes a variable away. */
  env?: Env
  /**
   * Absent: agents run as the built-in setting has it, in a box. `off`, by the person's own file: under the guard alone,
   * for tests of the guard, and for agents that act on what a box hides.
   */
  isolation?: 'off'
  /** Comes before every command line: what becomes another user, or changes the view of the machine. */
  through?: (root: string) => readonly string[]
}

/** A throw-away repository on real git, with a home, an environment and an identity of its own. */
export interface Repo {
  dir: string
  env: Env
  /** Runs git, throws when it fails, and returns its output without the last newline. */
  git(...args: string[]): string
  /** Runs the built executable under its name `gza`. */
  gza(...args: string[]): Result
  /** Runs the built executable under its name `git-tasks`. */
  tasks(...args: string[]): Result
  /** Runs any program; `gza` and `git-tasks` mean the built executable. */
  run(argv: string[], options?: RunOptions): Result
  /** The command line by which `run` starts a program. */
  argvOf(argv: string[]): string[]
  /** The same without waiting, for processes that race each other. */
  start(argv: string[], options?: RunOptions): Promise<Result>
  /** Writes a file below the repository and returns its absolute path. */
  write(path: string, text: string): string
  /** Commits everything (with the files given written first), also when nothing changed, and returns the commit. */
  commit(message: string, files?: Record<string, string>): string
  /** A linked worktree on a new branch; needs a first commit. */
  worktree(branch: string): Repo
  /** A clone with this repository as its `origin`. */
  clone(): Repo
  /** The same repository seen through a changed environment. */
  withEnv(env: Env): Repo
  /** Removes the repository now, with its clones and worktrees; otherwise it goes after the test file. */
  remove(): void
}

const roots = new Set<string>()

export function aRepo(options: RepoOptions = {}): Repo {
  const root = realpathSync(mkdtempSync(join(rootFolder(), 'gza-test-')))
  roots.add(root)
  const through = options.through?.(root) ?? []
  const repo = openRepo({ root, through }, join(root, 'repo'), { ...cleanEnv(root), ...options.env })
  mkdirSync(repo.dir)
  if (options.isolation) repo.write('../home/.config/gza/config.yaml', `isolation: ${options.isolation}\n`)
  const format = options.objectFormat ?? 'sha1'
  repo.git('init', '--quiet', `--object-format=${format}`, ...(options.bare ? ['--bare'] : []))
  return repo
}

/** The box of a run has a /tmp of its own, so that agents of tests would not be found there. */
function rootFolder(): string {
  const folder = realpathSync(tmpdir())
  return folder === '/tmp' || folder.startsWith('/tmp/') ? '/var/tmp' : folder
}

/** Called after the last test of a file (preload.ts). */
export function removeRepos(): void {
  for (const root of roots) removeRoot(root)
}

/** Leaves the repository and everything beside it on the disk, for a person who looks into a failure. */
export function keepRepo({ dir }: Repo): void {
  roots.delete(dirname(dir))
}

/** What a repository shares with its clones and worktrees. */
interface Origin {
  root: string
  through: readonly string[]
}

function openRepo(origin: Origin, dir: string, env: Env): Repo {
  const { root, through } = origin
  const argvOf = (argv: string[]): string[] => [...through, ...resolveProgram(argv)]

  const run = (argv: string[], options: RunOptions = {}): Result =>
    runProcess(argvOf(argv), { cwd: dir, ...options, env: { ...env, ...options.env } })

  const git = (...args: string[]): string => {
    const result = run(['git', ...args])
    if (result.code !== 0) throw new Error(`git ${args.join(' ')} exited with ${result.code}: ${result.stderr}`)
    return result.stdout.replace(/\n$/, '')
  }

  const write = (path: string, text: string): string => {
    const target = join(dir, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
    return target
  }

  const besides = (name: string): string => mkdtempSync(join(root, `${name}-`))

  return {
    dir,
    env,
    git,
    run,
    argvOf,
    write,
    gza: (...args) => run(['gza', ...args]),
    tasks: (...args) => run(['git-tasks', ...args]),
    start: (argv, options = {}) =>
      startProcess(argvOf(argv), { cwd: dir, ...options, env: { ...env, ...options.env } }),
    commit: (message, files = {}) => {
      for (const [path, text] of Object.entries(files)) write(path, text)
      git('add', '--all')
      git('commit', '--quiet', '--allow-empty', '--message', message)
      return looseHead(dir) ?? git('rev-parse', 'HEAD')
    },
    worktree: (branch) => {
      const target = besides('worktree')
      git('worktree', 'add', '--quiet', '-b', branch, target)
      return openRepo(origin, target, env)
    },
    clone: () => {
      const target = besides('clone')
      git('clone', '--quiet', dir, target)
      return openRepo(origin, target, env)
    },
    withEnv: (more) => openRepo(origin, dir, { ...env, ...more }),
    remove: () => removeRoot(root),
  }
}

/** The commit of HEAD, where one file says it: most repositories of tests, and each further process costs them time. */
function looseHead(dir: string): string | null {
  try {
    const [, ref = ''] = /^ref: (refs\/heads\/\S+)\n$/.exec(readFileSync(join(dir, '.git/HEAD'), 'utf8')) ?? []
    return /^([0-9a-f]{40,64})\n$/.exec(readFileSync(join(dir, '.git', ref), 'utf8'))?.[1] ?? null
  } catch {
    return null
  }
}

function resolveProgram(argv: string[]): string[] {
  const [program, ...args] = argv
  if (program === 'gza' || program === 'git-tasks') return [bin(program), ...args]
  return argv
}

/** Nothing of the machine's own git set-up, and no agent's marker, reaches a test. */
function cleanEnv(root: string): Env {
  const home = join(root, 'home')
  mkdirSync(home)
  writeFileSync(join(home, '.gitconfig'), GIT_CONFIG)
  return {
    PATH: [binDir(), process.env.PATH].join(delimiter),
    HOME: home,
    TMPDIR: tmpdir(),
    TZ: 'UTC',
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    ...LATE_COMPILER,
  }
}

/**
 * Each start of gza in a test is short, and with the runtime's own limits a seventh of its time goes into compiling
 * functions that hardly run again. What does run often is compiled all the same.
 */
const LATE_COMPILER = { BUN_JSC_thresholdForJITAfterWarmUp: '4000', BUN_JSC_thresholdForJITSoon: '1000' }

// A detached gc would still be writing while the directory is removed.
const GIT_CONFIG = `[user]
	name = Test
	email = test@example.com
[init]
	defaultBranch = main
[gc]
	autoDetach = false
[maintenance]
	autoDetach = false
`

function removeRoot(root: string): void {
  rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  roots.delete(root)
}
