import { utf8 } from '../../core/ledger/byte-text.ts'
import { command, type Sentence, sentence } from '../../core/sentence.ts'
import { firstLine } from '../../core/text/first-line.ts'
import { UserError } from '../../core/user-error.ts'
import { quickStat } from '../files/quick-stat.ts'
import { leaveToRuntime } from '../processes/subreaper.ts'
import { type HeldLock, heldLock, lockWords } from './ref-lock.ts'
import { asSet, type Entry, withNeutralSettings, withPrograms, withSettings } from './settings/neutral-settings.ts'

export type Env = Record<string, string | undefined>

/** Where git runs, and with which environment. */
export interface GitPlace {
  dir: string
  env: Env
  /** They override all other settings. */
  settings?: readonly Entry[]
  /** For a git that only reads, where an agent writes at this moment: then it is ended. */
  limitMs?: number
}

/** How a git process ended, as data. */
export interface GitExit {
  code: number
  stdout: Buffer
  stderr: string
}

/** Runs git and returns its result, whatever it is. Only a missing git throws. */
export function tryGit(place: GitPlace, args: readonly string[], input?: string | Buffer): GitExit {
  for (let tries = 1; ; tries++) {
    const git = spawnGit(place, args, input)
    const exit = describeExit(git, git.stdout, git.stderr.toString())
    if (tries === MOST_TRIES || !hasMetUnfinishedWorktree(exit)) return exit
    Bun.sleepSync(tries * PAUSE_MS)
  }
}

/**
 * Git fails when it lists the worktrees while another git records a new one: the file exists, but is still empty. With
 * two processes that create and remove worktrees side by side, one call in a hundred met this. One that is being removed
 * is there when git looks, and gone when it reads.
 */
function hasMetUnfinishedWorktree({ code, stderr }: GitExit): boolean {
  return code !== 0 && /failed to read \S.*\/commondir: (Success|No such file)/.test(stderr)
}

const MOST_TRIES = 6
const PAUSE_MS = 10

export function describeExit(
  { exitCode, signalCode }: { exitCode: number | null; signalCode?: NodeJS.Signals | number | null },
  stdout: Buffer,
  stderr: string,
): GitExit {
  const killed = signalCode ? `git was ended by ${signalCode}\n` : ''
  return { code: exitCode ?? 128, stdout, stderr: killed + asSet(stderr) }
}

// Not node:child_process: its first call costs 2 ms, as much as git itself.
function spawnGit(place: GitPlace, args: readonly string[], input: string | Buffer | undefined) {
  try {
    const options = spawnOptions(place, input)
    return Bun.spawnSync([programIn(options.env.PATH), ...args], options)
  } catch (error) {
    throw spawnError(error as Error, place)
  }
}

function spawnOptions({ dir, env, settings = [], limitMs }: GitPlace, input: string | Buffer | undefined) {
  return {
    cwd: dir,
    env: gitEnvironment(env, dir, settings),
    stdin: input === undefined ? ('ignore' as const) : typeof input === 'string' ? utf8(input) : input,
    stdout: 'pipe' as const,
    stderr: 'pipe' as const,
    // In its own session: Ctrl-C or a killed process group lets a ref update finish instead of leaving its lock behind.
    detached: true,
    ...(limitMs !== undefined && { timeout: limitMs, killSignal: 'SIGKILL' as const }),
  }
}

/** The git that is started with this PATH, as it was found first. */
export function foundGit({ PATH = '' }: Env): string {
  return programIn(withoutRelative(PATH))
}

/** Found once, and beyond gza's own shim: an agent may write folders that are on PATH, such as `~/.local/bin`. */
function programIn(path = ''): string {
  const known = programs.get(path)
  if (known !== undefined) return known
  // The folders that follow git's are not looked at: a function that is called often starts a compiler thread.
  for (const folder of path.split(':')) {
    const program = Bun.which('git', { PATH: folder })
    if (program === null || quickStat(`${folder}/${SHIM_MARKER}`) !== null) continue
    programs.set(path, program)
    return program
  }
  return 'git'
}

const programs = new Map<string, string>()

/** This file marks the folder of a shim, so that nobody takes its git for git itself. */
export const SHIM_MARKER = '.gza-shim'

/** The same without blocking others: parallel runs, or another read of the same worktree. */
export async function tryGitAsync(place: GitPlace, args: readonly string[], input?: string | Buffer): Promise<GitExit> {
  for (let tries = 1; ; tries++) {
    const exit = await awaitGit(startGit(place, args, input))
    if (tries === MOST_TRIES || !hasMetUnfinishedWorktree(exit)) return exit
    await Bun.sleep(tries * PAUSE_MS)
  }
}

/** The same until the signal comes, for a git that reads what an agent has written. Null: it was ended. */
export async function tryGitWithin(
  place: GitPlace,
  args: readonly string[],
  stop: AbortSignal,
): Promise<GitExit | null> {
  const git = startGit(place, args, undefined)
  const end = (): void => endGroup(git.pid)
  stop.addEventListener('abort', end)
  const exit = await awaitGit(git)
  stop.removeEventListener('abort', end)
  return stop.aborted ? null : exit
}

/** Git has started others in its own group, for example to unpack objects. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has just ended by itself.
  }
}

async function awaitGit(git: ReturnType<typeof startGit>): Promise<GitExit> {
  const { forget } = leaveToRuntime(git.pid)
  const [stdout, stderr] = await Promise.all([
    Bun.readableStreamToBytes(git.stdout),
    Bun.readableStreamToText(git.stderr),
    git.exited,
  ])
  forget()
  return describeExit(git, Buffer.from(stdout), stderr)
}

export function startGit(place: GitPlace, args: readonly string[], input: string | Buffer | undefined) {
  try {
    const options = spawnOptions(place, input)
    return Bun.spawn([programIn(options.env.PATH), ...args], options)
  } catch (error) {
    throw spawnError(error as Error, place)
  }
}

/** Runs git where failure is not expected; git's own message becomes the error. */
export function runGit(place: GitPlace, args: readonly string[], input?: string | Buffer): Buffer {
  const exit = tryGit(place, args, input)
  if (exit.code !== 0) throw gitError(args, exit)
  return exit.stdout
}

export async function runGitAsync(place: GitPlace, args: readonly string[], input?: string | Buffer): Promise<Buffer> {
  const exit = await tryGitAsync(place, args, input)
  if (exit.code !== 0) throw gitError(args, exit)
  return exit.stdout
}

/** Git's refusals that a user can act on; all others are defects of gza. */
export function gitError(args: readonly string[], exit: GitExit): Error {
  const words = exit.stderr.trim()
  const code = causes().find(([pattern]) => pattern.test(words))
  const lock = code?.[1] === 'REF_LOCKED' ? heldLock(words) : null
  if (lock) return lockedError(args, lock)
  if (code) return new UserError(code[1], `git ${commandIn(args)}: ${messageLine(words)}`, { hint: code[2] })
  return new Error(`git ${args.join(' ')} exited with ${exit.code}: ${words}`)
}

/** Settings come before the command: `git -c KEY=VALUE worktree`. */
function commandIn(args: readonly string[]): string {
  const at = args.findIndex((arg, index) => !arg.startsWith('-') && args[index - 1] !== '-c')
  return args[at] ?? args.join(' ')
}

function lockedError(args: readonly string[], lock: HeldLock): UserError {
  const { fact, next } = lockWords(lock)
  const hint = sentence`${next} Then run the command again; ${command`doctor`} shows more.`
  return new UserError('REF_LOCKED', `git ${commandIn(args)}: a ref is locked: ${fact}`, { hint })
}

/** A function, because every command would pay for a constant when it starts. */
function causes(): [RegExp, string, Sentence][] {
  return [
    [
      /bad (?:numeric )?config|unable to parse .*config|reading the configuration files/,
      'BAD_GIT_CONFIG',
      'Git cannot read its configuration, and does nothing until it is corrected: git config --list',
    ],
    [
      /No space left on device|out of disk ?space|File too large|disk quota|ended by SIGXFSZ/i,
      'DISK_FULL',
      'Nothing was changed. Free some space, then run the command again.',
    ],
    [/^git was ended by SIG/, 'GIT_ENDED', 'Nothing was changed. Find out what ended it, then run the command again.'],
    [
      /Read-only file system|Permission denied|insufficient permission/i,
      'READ_ONLY',
      'Nothing was changed. The repository cannot be written by this user: work in a clone of your own.',
    ],
    [
      /failed to read \S.*worktrees\/.*: Success/,
      'WORKTREE_UNREADABLE',
      'A git process was killed while it added that worktree. If none is at work, move its folder below worktrees elsewhere.',
    ],
    [
      /dubious ownership/i,
      'NOT_YOURS',
      'The repository belongs to another user; git config safe.directory sets which of those you trust.',
    ],
    [
      /File name too long/i,
      'NAME_TOO_LONG',
      'Nothing was changed. The name is too long for the file system; use another with --branch.',
    ],
    [
      /is corrupt|data stream error|bad object|Not a valid commit|bad tree object|unable to (?:read|unpack|stream)|is empty\b|hash mismatch/,
      'REPO_DAMAGED',
      'Nothing was changed. git fsck shows what is damaged.',
    ],
    [
      /' exists; cannot create '/,
      'REF_IN_THE_WAY',
      'Nothing was changed. Git does not allow a ref below another: the existing one must be archived first.',
    ],
    [
      /aborted by hook/,
      'HOOK_REFUSED',
      'Nothing was changed. A reference-transaction hook of this repository refused it.',
    ],
    [
      /\.lock'?: File exists|cannot lock ref|Unable to create .*\.lock/i,
      'REF_LOCKED',
      sentence`Another git process holds the lock. Wait for it to end, then run the command again; ${command`doctor`} shows more.`,
    ],
  ]
}

function messageLine(text: string): string {
  return firstLine(text).replace(/^(fatal|error): /, '')
}

/** The user's environment without variables that would change git's answers. */
function gitEnvironment(env: Env, dir: string, settings: readonly Entry[]): NodeJS.ProcessEnv {
  const { BUN_OPTIONS: _options, BUN_BE_BUN: _beBun, GIT_EXTERNAL_DIFF: _diff, GIT_TRACE: _trace, ...rest } = env
  // Replaced objects and grafts give commits other contents and other parents than they have. Git warns about any
  // grafts file, even an empty one.
  const asWritten = { GIT_NO_REPLACE_OBJECTS: '1', GIT_GRAFT_FILE: '/dev/null/none' }
  const held = withPrograms(withNeutralSettings(rest), dir)
  const found = env.PATH === undefined ? {} : { PATH: withoutRelative(env.PATH) }
  return { ...withSettings(held, settings), ...found, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', ...asWritten }
}

/** In an agent's tree, `./bin` on PATH is a folder of the agent. */
function withoutRelative(path: string): string {
  return path
    .split(':')
    .filter((folder) => folder.startsWith('/'))
    .join(':')
}

/** A person has moved or removed it while gza was running. */
function repoGone(path: string): UserError {
  return new UserError('REPO_GONE', `${path} does not exist any more`, {
    hint: 'If the repository was moved, run the command again in its new place: nothing is lost.',
  })
}

/** Before something is written below it that would make the folder again. */
export function refuseGoneRepo({ commonDir }: { commonDir: string }): void {
  if (quickStat(`${commonDir}/HEAD`) === null) throw repoGone(commonDir)
}

function spawnError(error: Error, place: GitPlace): Error {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return error
  if (quickStat(place.dir) === null) return repoGone(place.dir)
  return new UserError('NO_GIT', `git could not be started in ${place.dir}`, {
    hint: 'Install git 2.34 or later and make sure that it is on PATH.',
  })
}
