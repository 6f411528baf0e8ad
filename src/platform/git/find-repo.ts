import { UserError } from '../../core/user-error.ts'
import { type QuickStat, quickStat } from '../files/quick-stat.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import { nodeFs, nodePath } from '../files/slow-modules.ts'
import type { Env, GitPlace } from './git.ts'

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
  const own = env.GIT_INDEX_FILE === undefined ? env : withoutIndex(env)
  return findPlainRepo(cwd, own) ?? askGit(cwd, own)
}

/** Git sets this for its hooks. It names the index of the person's checkout, also for git in another worktree. */
function withoutIndex({ GIT_INDEX_FILE: _, ...env }: Env): Env {
  return env
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
  for (const name of REDIRECTING) if (env[name] !== undefined) return null
  for (let dir = cwd; ; dir = parentOf(dir)) {
    const dotGit = quickStat(`${dir}/.git`)
    if (dotGit !== null) return dir === '/' ? null : plainRepo(dir, dotGit, env)
    // A bare repository has no .git, and its inside must not be taken for a working tree of a repository further up.
    if (quickStat(`${dir}/HEAD`) !== null && quickStat(`${dir}/objects`) !== null) return null
    if (dir === '/') return null
  }
}

function parentOf(folder: string): string {
  return folder.slice(0, folder.lastIndexOf('/')) || '/'
}

function plainRepo(workTree: string, dotGit: QuickStat, env: Env): Repo | null {
  if (process.geteuid && dotGit.owner !== process.geteuid()) return null
  const gitDir = dotGit.kind === 'folder' ? `${workTree}/.git` : linkedGitDir(workTree)
  if (gitDir === null || quickStat(`${gitDir}/HEAD`) === null) return null
  const commonDir = readCommonDir(gitDir)
  const config = readIfThere(`${commonDir}/config`)
  if (config === null || (isUnusual(config) && hasOwnWorkTree(config))) return null
  return { dir: workTree, env, gitDir, commonDir, workTree, ...formatOf(config) }
}

function linkedGitDir(workTree: string): string | null {
  const target = /^gitdir: (.*)$/s.exec(withoutLineEnd(readIfThere(`${workTree}/.git`) ?? ''))?.[1]
  if (target?.includes('/gza/private/')) throw agentAtWork(workTree)
  return target === undefined ? null : nodePath().resolve(workTree, target)
}

/** Its `.git` leads to the private git folder of the agent, which has no ledger and settings of the agent's. */
function agentAtWork(workTree: string): Error {
  return new UserError('AGENT_AT_WORK', `An agent that Landlock holds works in ${workTree} now`, {
    hint: 'Call it in another checkout of the repository, or later. If gza was killed, its next run puts this right.',
  })
}

function readCommonDir(gitDir: string): string {
  // Only a linked worktree has this file.
  const pointer = readIfThere(`${gitDir}/commondir`)
  return pointer === null ? gitDir : nodePath().resolve(gitDir, withoutLineEnd(pointer))
}

/** Like git: a path may contain spaces and line breaks, so only those at the very end are not part of it. */
function withoutLineEnd(text: string): string {
  return text.replace(/[\r\n]+$/, '')
}

/** One quick look for what few configurations have: each of the patterns below takes 25 µs to compile. */
function isUnusual(config: string): boolean {
  const text = config.toLowerCase()
  for (const word of UNUSUAL) if (text.includes(word)) return true
  const bare = text.indexOf('bare')
  return bare >= 0 && !(text.startsWith('bare = false', bare) && text.indexOf('bare', bare + 1) < 0)
}

const UNUSUAL = ['worktree', 'objectformat', 'refstorage', '[gza]']

/** Whether a repository's configuration names its checkout, or says that there is none. */
export function hasOwnWorkTree(config: string): boolean {
  return /^\s*(worktree|bare\s*=\s*true)/im.test(config)
}

type Format = Pick<Repo, 'hasFileRefs' | 'zeroOid' | 'signs'>

function formatOf(config: string): Format {
  return isUnusual(config) ? unusualFormat(config) : { hasFileRefs: true, zeroOid: '0'.repeat(40), signs: false }
}

function unusualFormat(config: string): Format {
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
  const exit = git().tryGit({ dir: cwd, env }, asked)
  if (exit.code !== 0) throw notARepo(cwd, exit.stderr)
  const [bare, format, ...rest] = exit.stdout.toString().split('\n')
  const gitDir = rest.slice(0, -1).join('\n')
  const top = bare === 'true' ? '' : topLevel(cwd, env)
  const commonDir = nodeFs().realpathSync(
    env.GIT_COMMON_DIR ? nodePath().resolve(cwd, env.GIT_COMMON_DIR) : readCommonDir(gitDir),
  )
  return {
    dir: top || gitDir,
    env: withWholePaths(cwd, env),
    gitDir,
    commonDir,
    workTree: top || null,
    ...formatOf(readIfThere(`${commonDir}/config`) ?? 'refstorage=unknown'),
    zeroOid: '0'.repeat(format === 'sha256' ? 64 : 40),
  }
}

function topLevel(cwd: string, env: Env): string {
  return git().tryGit({ dir: cwd, env }, ['rev-parse', '--show-toplevel']).stdout.toString().replace(/\n$/, '')
}

const PATH_VARIABLES = ['GIT_DIR', 'GIT_COMMON_DIR', 'GIT_WORK_TREE', 'GIT_OBJECT_DIRECTORY']

/** Git resolves these against its own folder, and gza runs it at the top of the working tree, wherever gza was called. */
function withWholePaths(cwd: string, env: Env): Env {
  const whole = PATH_VARIABLES.flatMap((name) => (env[name] ? [[name, nodePath().resolve(cwd, env[name])]] : []))
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
    return readSmallFile(path)
  } catch {
    return null
  }
}

/** Loaded only where the files do not answer: commands that only read mostly do without git. */
function git(): typeof import('./git.ts') {
  return require('./git.ts')
}
