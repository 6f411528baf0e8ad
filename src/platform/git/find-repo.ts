import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UserError } from '../../core/user-error.ts'
import { type Env, type GitPlace, tryGit } from './git.ts'

export interface Repo extends GitPlace {
  gitDir: string
  commonDir: string
  workTree: string | null
  /** Refs are files that can be read without git (not with reftable or other extensions). */
  hasFileRefs: boolean
  /** 40 zeros, or 64 in a SHA-256 repository. */
  zeroOid: string
  /** `gza.sign` is set: each change of a ledger is signed like a commit with -S. */
  signs: boolean
}

/**
 * The repository around `cwd`. The usual layouts are recognised without a git process, because starting one costs as
 * much as a whole fast command; for anything unusual, git is asked.
 */
export function findRepo(cwd: string, env: Env): Repo {
  return findPlainRepo(cwd, env) ?? askGit(cwd, env)
}

const REDIRECTING = [
  'GIT_DIR',
  'GIT_COMMON_DIR',
  'GIT_WORK_TREE',
  'GIT_CEILING_DIRECTORIES',
  'GIT_NAMESPACE',
  'GIT_OBJECT_DIRECTORY',
]

function findPlainRepo(cwd: string, env: Env): Repo | null {
  if (REDIRECTING.some((name) => env[name] !== undefined)) return null
  for (let dir = cwd; ; dir = dirname(dir)) {
    const dotGit = join(dir, '.git')
    if (existsSync(dotGit)) return plainRepo(dir, dotGit, env)
    // A bare repository has no .git, and its inside must not be taken for a working tree of a repository further up.
    if (existsSync(join(dir, 'HEAD')) && existsSync(join(dir, 'objects'))) return null
    if (dir === dirname(dir)) return null
  }
}

function plainRepo(workTree: string, dotGit: string, env: Env): Repo | null {
  const owner = statSync(dotGit)
  if (process.geteuid && owner.uid !== process.geteuid()) return null
  const gitDir = owner.isDirectory() ? dotGit : linkedGitDir(workTree, dotGit)
  if (gitDir === null || !existsSync(join(gitDir, 'HEAD'))) return null
  const commonDir = readCommonDir(gitDir)
  const config = readIfThere(join(commonDir, 'config'))
  if (config === null || hasOwnWorkTree(config)) return null
  return { dir: workTree, env, gitDir, commonDir, workTree, ...formatOf(config) }
}

function linkedGitDir(workTree: string, dotGit: string): string | null {
  const target = /^gitdir: (.*)$/s.exec(withoutLineEnd(readFileSync(dotGit, 'utf8')))?.[1]
  return target === undefined ? null : resolve(workTree, target)
}

function readCommonDir(gitDir: string): string {
  const file = join(gitDir, 'commondir')
  // Only a linked worktree has it. To look first is faster than to fail: an error takes 0.1 ms.
  const pointer = existsSync(file) ? withoutLineEnd(readIfThere(file) ?? '') : ''
  return pointer === '' ? gitDir : resolve(gitDir, pointer)
}

/** Like git: a path may contain spaces and line breaks, so only those at the very end are not part of it. */
function withoutLineEnd(text: string): string {
  return text.replace(/[\r\n]+$/, '')
}

/** One quick look for what few configurations have: each of the patterns below takes 25 µs to compile. */
function isUnusual(config: string): boolean {
  return /worktree|bare\s*=\s*true|objectformat|refstorage|\[gza\]/i.test(config)
}

function hasOwnWorkTree(config: string): boolean {
  return isUnusual(config) && /^\s*(worktree|bare\s*=\s*true)/im.test(config)
}

function formatOf(config: string): Pick<Repo, 'hasFileRefs' | 'zeroOid' | 'signs'> {
  if (!isUnusual(config)) return { hasFileRefs: true, zeroOid: '0'.repeat(40), signs: false }
  const isSha256 = /^\s*objectformat\s*=\s*sha256/im.test(config)
  return {
    hasFileRefs: !/^\s*refstorage\s*=/im.test(config),
    zeroOid: '0'.repeat(isSha256 ? 64 : 40),
    signs: /^\[gza\]\s*(?:\n(?!\[).*)*\n\s*sign\s*=\s*true\b/im.test(config),
  }
}

function askGit(cwd: string, env: Env): Repo {
  // The path comes last, because a path may contain line breaks.
  const asked = ['rev-parse', '--is-bare-repository', '--show-object-format', '--absolute-git-dir']
  const exit = tryGit({ dir: cwd, env }, asked)
  if (exit.code !== 0) throw notARepo(cwd, exit.stderr)
  const [bare, format, ...rest] = exit.stdout.toString().split('\n')
  const gitDir = rest.slice(0, -1).join('\n')
  const top = bare === 'true' ? '' : topLevel(cwd, env)
  const commonDir = realpathSync(env.GIT_COMMON_DIR ? resolve(cwd, env.GIT_COMMON_DIR) : readCommonDir(gitDir))
  return {
    dir: top || gitDir,
    env: withWholePaths(cwd, env),
    gitDir,
    commonDir,
    workTree: top || null,
    ...formatOf(readIfThere(join(commonDir, 'config')) ?? 'refstorage=unknown'),
    zeroOid: '0'.repeat(format === 'sha256' ? 64 : 40),
  }
}

function topLevel(cwd: string, env: Env): string {
  return tryGit({ dir: cwd, env }, ['rev-parse', '--show-toplevel']).stdout.toString().replace(/\n$/, '')
}

const PATH_VARIABLES = ['GIT_DIR', 'GIT_COMMON_DIR', 'GIT_WORK_TREE', 'GIT_OBJECT_DIRECTORY', 'GIT_INDEX_FILE']

/** Git resolves these against its own folder, and gza runs it at the top of the working tree, wherever gza was called. */
function withWholePaths(cwd: string, env: Env): Env {
  const whole = PATH_VARIABLES.flatMap((name) => (env[name] ? [[name, resolve(cwd, env[name])]] : []))
  return { ...env, ...Object.fromEntries(whole) }
}

function notARepo(cwd: string, stderr: string): Error {
  if (/dubious ownership/.test(stderr)) {
    const hint = 'git config --global --add safe.directory sets which repositories of other users you trust.'
    return new UserError('NOT_YOURS', `The repository around ${cwd} belongs to another user`, { hint })
  }
  return new UserError('NO_REPO', `Not a git repository: ${cwd}`, {
    hint: 'Run git init first, or go to a repository.',
  })
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
