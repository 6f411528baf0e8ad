import { delimiter, join } from 'node:path'
import type { Repo } from '../../platform/git/find-repo.ts'
import { type Env, tryGit } from '../../platform/git/git.ts'
import { withoutSecrets } from '../../platform/git/settings/secret-variables.ts'
import { type Entry, readSettings, type Setting, settingsEnvironment } from './git-settings.ts'
import { type GuardFiles, installGuard, shellQuote } from './install-guard.ts'
import { refusePushes } from './refuse-pushes.ts'

export interface GuardOptions {
  repo: Repo
  /** gza's own executable, absolute. */
  binary: string
  /** Set in GZA_RUN, by which a supervisor finds every process of the run. */
  run: string
  /** The created_by of the agent's tasks. */
  agent: string
  /** Secrets that a person lets through. */
  keep?: readonly string[]
}

/**
 * The environment in which an agent runs: gza is in agent mode, git refuses pushes and ledger moves, and a person's
 * credentials are removed. The guard exists only in the environment: the user's configuration does not change, and the
 * hooks of other repositories still run there.
 */
export function guardEnvironment(base: Env, options: GuardOptions): Env {
  const { repo, binary, run, agent, keep } = options
  const files = installGuard(repo, binary)
  const settings = readSettings(repo)
  const all = withOurs(settings, ours(settings, files))
  return defined({
    ...withoutSecrets(base, keep),
    ...identity(repo, base, settings),
    ...settingsEnvironment(all),
    GZA_AGENT: agent,
    GZA_RUN: run,
    GZA_GUARD: '1',
    GZA_GUARD_CHAIN: chainedHooks(settings) ?? base.GZA_GUARD_CHAIN,
    GZA_GUARD_HOOKS: ownHooks(repo, settings),
    GZA_GUARD_COUNT: String(all.length),
    GZA_LEAN_HOOKS: files.leanHooks,
    GZA_LEAN_AT: String(all.findIndex(({ key }) => key === 'core.hookspath')),
    GIT_SSH_COMMAND: shellQuote(files.refuseSsh),
    // Otherwise git would first call the refusing command to find out what kind of SSH it is.
    GIT_SSH_VARIANT: 'ssh',
    GIT_TERMINAL_PROMPT: '0',
    PATH: [files.bin, ...(base.PATH ?? '').split(delimiter).filter((folder) => folder !== files.bin)].join(delimiter),
  })
}

function defined(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))
}

/** Keys are in lower case, as git prints them. */
function ours(settings: readonly Setting[], files: GuardFiles): Entry[] {
  return [
    { key: 'core.hookspath', value: files.hooks },
    { key: 'core.sshcommand', value: shellQuote(files.refuseSsh) },
    { key: 'alias.tasks', value: tasksAlias(files.bin) },
    // An empty value makes git ignore the helpers configured before it, including those for single hosts.
    { key: 'credential.helper', value: '' },
    { key: 'core.askpass', value: '' },
    // A gc started by an agent's commit would be killed with the agent. gza runs it instead.
    { key: 'gc.auto', value: '0' },
    { key: 'maintenance.auto', value: 'false' },
    ...forgetHeaders(settings),
    ...refusePushes(settings),
  ]
}

/** CI checkouts store their token as an HTTP header for each host. Only the same key can clear it. */
function forgetHeaders(settings: readonly Setting[]): Entry[] {
  const keys = settings.map(({ key }) => key).filter((key) => /^http\..*extraheader$/.test(key))
  return [...new Set(['http.extraheader', ...keys])].map((key) => ({ key, value: '' }))
}

/**
 * Makes `git tasks` work if a login shell has reset PATH. Git runs an alias at the top of the worktree. In a linked
 * worktree it also sets GIT_DIR, and after a change of folder git would take the current folder for the worktree.
 */
function tasksAlias(bin: string): string {
  const found = '$(unset GIT_DIR; git rev-parse --absolute-git-dir 2>/dev/null)'
  const forget = `test "${found}" != "\${GIT_DIR-}" || unset GIT_DIR`
  return `!${forget}; cd -- "\${GIT_PREFIX:-.}" && exec ${shellQuote(join(bin, 'git-tasks'))}`
}

/** Settings that contradict ours or that ours repeat. */
const OVERRULED = new Set(['core.hookspath', 'core.sshcommand', 'alias.tasks', 'credential.helper', 'core.askpass'])

/**
 * Our settings after those of the environment, in one list: git reads `-c` settings last, so one could undo the guard.
 */
function withOurs(settings: readonly Setting[], added: readonly Entry[]): Entry[] {
  const isAdded = ({ key, value }: Entry) => added.some((entry) => entry.key === key && entry.value === value)
  const kept = settings.filter(
    (setting) => setting.scope === 'command' && !OVERRULED.has(setting.key) && !isAdded(setting),
  )
  return [...kept, ...added]
}

/** A hooks folder set in the environment. The hook itself finds the one that is set in configuration files. */
function chainedHooks(settings: readonly Setting[]): string | undefined {
  const paths = settings
    .filter(({ scope, key }) => scope === 'command' && key === 'core.hookspath')
    .map(({ value }) => value)
  return paths.findLast((path) => path !== '' && !/\/gza\/guard\/hooks(\/lean)?$/.test(path))
}

/**
 * The folder of the repository's own hooks; undefined if only git can find it. An included file may apply to some
 * branches or worktrees only, and gza cannot see when it changes.
 */
function ownHooks({ commonDir }: Repo, settings: readonly Setting[]): string | undefined {
  if (settings.some(({ key }) => /^include(if\..*)?\.path$/s.test(key))) return
  // A setting of this worktree does not apply to the run's own worktree.
  const set = settings.findLast(({ scope, key }) => /^(system|global|local)$/.test(scope) && key === 'core.hookspath')
  if (set === undefined) return join(commonDir, 'hooks')
  return /^[~%]|^$/.test(set.value) ? undefined : set.value
}

/** Set as variables, because some clients hide the user's configuration from their shells and commits would fail. */
function identity(repo: Repo, env: Env, settings: readonly Setting[]): Env {
  const roles = ['AUTHOR', 'COMMITTER'] as const
  return Object.assign({}, ...roles.map((role) => whoIsSet(role, env, settings) ?? askWho(role, repo, env)))
}

type Role = 'AUTHOR' | 'COMMITTER'

/** The identity from variables or settings; null if neither sets it, because only git knows what it would guess. */
function whoIsSet(role: Role, env: Env, settings: readonly Setting[]): Env | null {
  const lastOf = (key: string) => settings.findLast((setting) => setting.key === key)?.value
  const set = (part: string) => lastOf(`${role.toLowerCase()}.${part}`) || lastOf(`user.${part}`)
  const name = env[`GIT_${role}_NAME`] || set('name')
  const mail = env[`GIT_${role}_EMAIL`] || set('email')
  return name && mail ? { [`GIT_${role}_NAME`]: name, [`GIT_${role}_EMAIL`]: mail } : null
}

function askWho(role: Role, repo: Repo, env: Env): Env {
  const exit = tryGit({ dir: repo.dir, env }, ['var', `GIT_${role}_IDENT`])
  const ident = /^(.*) <(.*)> \d+ [+-]\d+$/.exec(exit.stdout.toString().trim())
  if (exit.code !== 0 || !ident) return {}
  return { [`GIT_${role}_NAME`]: ident[1], [`GIT_${role}_EMAIL`]: ident[2] }
}
