/** Repositories whose agents are isolated, on each level that this machine has. */
import { expect } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isHere, TOOLS } from '../../../scripts/install-tools.ts'
import { bin } from '../../support/built-program.ts'
import type { Result } from '../../support/repo.ts'
import { type AgentRepo, type AgentRepoOptions, anAgentRepo } from '../../support/scripted-agent.ts'

export type RunLevel = 'bubblewrap' | 'unshare' | 'landlock'

/** Where bwrap cannot be started, gza makes its boxes with unshare. */
const WITHOUT_BUBBLEWRAP = [
  ...['unshare', '--mount', '--propagation', 'private', 'sh', '-ec'],
  ...['mount --bind /dev/null "$(command -v bwrap)"; exec "$@"', 'sh'],
]

/** Where neither can be started, gza makes no box. The processes are still those of the person. */
export const WITHOUT_BOXES = [
  ...['unshare', '--mount', '--propagation', 'private', 'sh', '-ec'],
  ...['for each in bwrap setpriv; do mount --bind /dev/null "$(command -v $each)"; done; exec "$@"', 'sh'],
]

/**
 * On a machine without user namespaces, gza has only Landlock. An ordinary user inside: where it may write is decided
 * entry by entry.
 */
const WITHOUT_NAMESPACES = [
  ...['unshare', '--user', '--map-user=1000', '--map-group=1000', '--keep-caps', 'sh', '-ec'],
  'echo 0 >/proc/sys/user/max_user_namespaces; exec setpriv --inh-caps=-all --ambient-caps=-all -- "$@"',
  'sh',
]

const hasBubblewrap = isHere(TOOLS.bubblewrap)
const toUnshare = hasBubblewrap ? WITHOUT_BUBBLEWRAP : []

/** Those that this machine has. */
export const LEVELS: readonly RunLevel[] = [
  ...(hasBubblewrap ? (['bubblewrap'] as const) : []),
  ...(canUnshare() ? (['unshare'] as const) : []),
  ...(hasLandlock() ? (['landlock'] as const) : []),
]

/** What gza is started with, so that it finds this level and no stronger one. */
const STARTERS: Record<RunLevel, readonly string[]> = {
  bubblewrap: [],
  unshare: toUnshare,
  landlock: WITHOUT_NAMESPACES,
}

function canUnshare(): boolean {
  const [program = '', ...args] = [...toUnshare, 'unshare', '--user', '--map-root-user', 'true']
  const isThere = spawnSync(program, args).status === 0
  if (!isThere)
    console.warn('NOT TESTED: runs in a box of unshare, which needs user namespaces, and root to hide bwrap')
  return isThere
}

function hasLandlock(): boolean {
  const nothing = JSON.stringify({ open: ['/'], kept: [], writable: [], network: true, temporary: null })
  const [program = '', ...args] = [...WITHOUT_NAMESPACES, bin('gza'), '__landlock', nothing, 'true']
  const isThere = spawnSync(program, args).status === 0
  if (!isThere)
    console.warn('NOT TESTED: runs held by Landlock, which needs Linux 6.2, and a user namespace to hide others')
  return isThere
}

export interface IsolatedRepo extends AgentRepo {
  /** `gza work`, at the level. */
  work(...args: string[]): Result
  /** The command line that runs gza at the level. */
  commandLine(...args: string[]): string[]
}

/** `off`: without a box, to compare with. */
export function anIsolatedRepo(
  level: RunLevel | 'off',
  acts: Record<string, string>,
  { isolation = 'auto', ...options }: Omit<AgentRepoOptions, 'isolation'> & { isolation?: string } = {},
): IsolatedRepo {
  const repo = anAgentRepo(acts, { ...options, besideIn: 'beside' })
  setIsolation(repo, level === 'off' ? 'off' : isolation)
  const starter = level === 'off' ? [] : STARTERS[level]
  const commandLine = (...args: string[]): string[] => [...starter, bin('gza'), ...args]
  return { ...repo, commandLine, work: (...args) => repo.run(commandLine('work', ...args)) }
}

/** The folder beside the repository stays visible: the agent's program is there, and the files by which tests see it. */
export function setIsolation(repo: AgentRepo, level: string): void {
  const file = join(repo.env.HOME ?? '', '.config/gza/config.yaml')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `isolation: {level: ${level}, allow: [${repo.beside('')}]}\n`)
}

/** Nothing of a box is left: no worktree, private git folder, socket, process, or ref of its own. */
export function expectNothingLeft(repo: IsolatedRepo): void {
  const state = join(repo.env.HOME ?? '', '.local/state/gza')
  const below = (name: string): string[] =>
    existsSync(join(state, name)) ? readdirSync(join(state, name), { recursive: true, encoding: 'utf8' }) : []
  expect(repo.worktrees()).toEqual([])
  expect(below('private').filter((path) => path.includes('/'))).toEqual([])
  expect(below('brokers')).toEqual([])
  expect(repo.survivors()).toEqual([])
  expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/gza/base', 'refs/gza/incoming', 'refs/gza/kept')).toBe(
    '',
  )
}
