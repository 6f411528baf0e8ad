import { delimiter, join } from 'node:path'
import type { Repo } from '../../platform/git/find-repo.ts'
import { type Env, tryGit } from '../../platform/git/git.ts'
import { type Entry, readSettings, type Setting, settingsEnvironment } from './git-settings.ts'
import { type GuardFiles, installGuard, shellQuote } from './install-guard.ts'
import { refusePushes } from './refuse-pushes.ts'
import { withoutSecrets } from './secrets.ts'

export interface GuardOptions {
  repo: Repo
  /** gza's own executable, absolute. */
  binary: string
  /** By this, in GZA_RUN, a supervisor finds every process of the run. */
  run: string
  /** What the agent's tasks carry as created_by. */
  agent: string
  /** Secrets that a person lets through. */
  keep?: readonly string[]
}

/**
 * The environment in which an agent runs: it acts in agent mode, git refuses it pushes and ledger moves, and a person's
 * credentials are not in it. The guard lives in the environment alone: nothing in the user's configuration changes, and
 * what another repository has as hooks still runs there.
 */
export async function guardEnvironment(base: Env, options: GuardOptions): Promise<Env> {
  const { repo, binary, run, agent, keep } = options
  const files = installGuard(repo, binary)
  const settings = await readSettings(repo, base)
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
    GZA_LEAN_HOOKS: files.leanHooks,
    GZA_LEAN_AT: String(all.findIndex(({ key }) => key === 'core.hookspath')),
    GIT_SSH_COMMAND: shellQuote(files.refuseSsh),
    // Else git would first call the refusing command to find out what kind of SSH it is.
    GIT_SSH_VARIANT: 'ssh',
    GIT_TERMINAL_PROMPT: '0',
    PATH: [files.bin, ...(base.PATH ?? '').split(delimiter).filter((folder) => folder !== files.bin)].join(delimiter),
  })
}

function defined(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))
}

/** Keys in the lower case that git prints them in. */
function ours(settings: readonly Setting[], files: GuardFiles): Entry[] {
  return [
    { key: 'core.hookspath', value: files.hooks },
    { key: 'core.sshcommand', value: shellQuote(files.refuseSsh) },
    { key: 'alias.tasks', value: tasksAlias(files.bin) },
    // An empty value makes git forget the helpers configured before it, those of single hosts included.
    { key: 'credential.helper', value: '' },
    { key: 'core.askpass', value: '' },
    // Begun behind an agent's commit it would end with the agent; gza sees to it.
    { key: 'gc.auto', value: '0' },
    { key: 'maintenance.auto', value: 'false' },
    ...forgetHeaders(settings),
    ...refusePushes(settings),
  ]
}

/** CI checkouts keep their token as an HTTP header, one a host; only the same key takes it back. */
function forgetHeaders(settings: readonly Setting[]): Entry[] {
  const keys = settings.map(({ key }) => key).filter((key) => /^http\..*extraheader$/.test(key))
  return [...new Set(['http.extraheader', ...keys])].map((key) => ({ key, value: '' }))
}

/**
 * `git tasks` where a login shell has reset PATH. An alias runs at the top of the work tree, and in a linked one with a
 * GIT_DIR that git would take for "the work tree is here" after the way back.
 */
function tasksAlias(bin: string): string {
  const found = '$(unset GIT_DIR; git rev-parse --absolute-git-dir 2>/dev/null)'
  const forget = `test "${found}" != "\${GIT_DIR-}" || unset GIT_DIR`
  return `!${forget}; cd -- "\${GIT_PREFIX:-.}" && exec ${shellQuote(join(bin, 'git-tasks'))}`
}

/** These say the opposite of ours, or what ours say again. */
const OVERRULED = new Set(['core.hookspath', 'core.sshcommand', 'alias.tasks', 'credential.helper', 'core.askpass'])

/** Ours after what the environment set before, as one list: git reads `-c` settings last, and one could undo the guard. */
function withOurs(settings: readonly Setting[], added: readonly Entry[]): Entry[] {
  const isAdded = ({ key, value }: Entry) => added.some((entry) => entry.key === key && entry.value === value)
  const kept = settings.filter(
    (setting) => setting.scope === 'command' && !OVERRULED.has(setting.key) && !isAdded(setting),
  )
  return [...kept, ...added]
}

/** Hooks that were set through the environment itself; those of configuration files the hook finds where it runs. */
function chainedHooks(settings: readonly Setting[]): string | undefined {
  const paths = settings
    .filter(({ scope, key }) => scope === 'command' && key === 'core.hookspath')
    .map(({ value }) => value)
  return paths.findLast((path) => path !== '' && !/\/gza\/guard\/hooks(\/lean)?$/.test(path))
}

/**
 * The folder of the repository's own hooks; undefined where only git can tell. An included file may hold for some
 * branches or work trees alone, and nobody sees when it changes.
 */
function ownHooks({ commonDir }: Repo, settings: readonly Setting[]): string | undefined {
  if (settings.some(({ key }) => /^include(if\..*)?\.path$/s.test(key))) return
  // What is set for the one work tree that was asked does not hold for the run's own.
  const set = settings.findLast(({ scope, key }) => /^(system|global|local)$/.test(scope) && key === 'core.hookspath')
  if (set === undefined) return join(commonDir, 'hooks')
  return /^[~%]|^$/.test(set.value) ? undefined : set.value
}

/** As variables, because some clients' shells hide the user's configuration; without them such commits would fail. */
function identity(repo: Repo, env: Env, settings: readonly Setting[]): Env {
  const roles = ['AUTHOR', 'COMMITTER'] as const
  return Object.assign({}, ...roles.map((role) => whoIsSet(role, env, settings) ?? askWho(role, repo, env)))
}

type Role = 'AUTHOR' | 'COMMITTER'

/** As variables or settings name them; what git would guess where they do not only git knows. */
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
