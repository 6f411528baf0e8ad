/**
 * What a write must know of git's settings: who signs it, and whether git itself must write the objects. Git is asked
 * once for each state of its configuration files, which are named and read here (those that are missing too), and of the
 * variables that git reads.
 */
import { quickStat } from '../../files/quick-stat.ts'
import { readSmallFile } from '../../files/read-small-file.ts'
import { nodeFs, nodePath } from '../../files/slow-modules.ts'
import type { Repo } from '../find-repo.ts'
import { foundGit } from '../git.ts'
import { identityOf } from '../git-identity.ts'
import { settingsNeedGit } from '../objects/loose-rules.ts'
import type { FoundSetting } from './list-settings.ts'
import { neutralSettings } from './neutral-settings.ts'

export interface WriteSettings {
  /** `Name <mail>`; null: the settings do not have all of it, and git guesses. */
  identity: string | null
  /** Git itself must write the objects. */
  needsGit: boolean
  /** What is set about remotes, by key; null: only git knows. */
  remotes: Record<string, string> | null
}

/** An answer that holds while these files are as they were. */
export interface KeptAnswer extends WriteSettings {
  /** Files that git also reads here, beside those that it reads everywhere. */
  files: readonly string[]
  /** The state of these files. */
  state: string
}

/** Changes with whatever may change the answer; null: something cannot be read, and git has to be asked. */
export function settingsState(repo: Repo): string | null {
  const variables: [string, string | undefined][] = []
  // Not a function for each name: one that is called often makes the runtime start a compiler thread.
  for (const name in repo.env)
    if (name.startsWith('GIT_') ? !name.startsWith('GIT_TRACE') : name === 'HOME' || name === 'XDG_CONFIG_HOME')
      variables.push([name, repo.env[name]])
  // Another git may have other settings for the whole system.
  const git = foundGit(repo.env)
  const files = stateOfFiles(usualFiles(repo))
  return files === null ? null : digest([repo.dir, variables, git, neutralSettings(), files])
}

export function isCurrent({ files, state }: KeptAnswer): boolean {
  return stateOfFiles(files) === state
}

/** Null: it holds only now, because included files or the machine's names decide. */
export function askSettings(repo: Repo): { now: WriteSettings; kept: KeptAnswer | null } {
  const { listSettings }: typeof import('./list-settings.ts') = require('./list-settings.ts')
  const settings = listSettings(repo)
  if (settings === null) return { now: { identity: null, needsGit: true, remotes: null }, kept: null }
  const hasIdentity = ['name', 'email'].every((part) => isSet(repo, settings, part))
  const identity = hasIdentity ? identityOf(repo) : null
  const now = { identity, needsGit: settingsNeedGit(settings), remotes: aboutRemotes(settings) }
  const files = otherFiles(repo, settings)
  const state = settings.some(({ key }) => /^include(if)?\./.test(key)) ? null : stateOfFiles(files)
  return { now, kept: state === null ? null : { ...now, files, state } }
}

/** Of several values of a key the last one counts. Those of a single worktree are not for all. */
function aboutRemotes(settings: readonly FoundSetting[]): Record<string, string> | null {
  const found = settings.filter(({ key }) => ABOUT_REMOTES.test(key))
  if (found.some(({ scope }) => scope === 'worktree')) return null
  return Object.fromEntries(found.map(({ key, value }) => [key, value]))
}

const ABOUT_REMOTES = /^(gza\.synctimeout|core\.sshcommand|branch\..+\.remote|remote\..+\.url)$/s

function isSet({ env }: Repo, settings: readonly FoundSetting[], part: string): boolean {
  if (env[`GIT_COMMITTER_${part.toUpperCase()}`]) return true
  const keys = [`user.${part}`, `committer.${part}`]
  return settings.some(({ key, value }) => keys.includes(key) && value !== '')
}

/** The files that git reads for every repository of this person, and those of this one. */
function usualFiles({ env, commonDir, gitDir }: Repo): string[] {
  const { HOME, XDG_CONFIG_HOME, GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM } = env
  const home = [`${XDG_CONFIG_HOME || `${HOME}/.config`}/git/config`, `${HOME}/.gitconfig`]
  return [
    GIT_CONFIG_SYSTEM ?? '/etc/gitconfig',
    ...(GIT_CONFIG_GLOBAL === undefined ? home : [GIT_CONFIG_GLOBAL]),
    `${commonDir}/config`,
    `${gitDir}/config.worktree`,
  ]
}

/** A git that is installed elsewhere has its file for the whole system there. */
function otherFiles(repo: Repo, settings: readonly FoundSetting[]): string[] {
  const found = settings.map(({ origin }) => origin).filter((origin) => origin !== '')
  const git = foundGit(repo.env)
  const real = quickStat(git) === null ? git : nodeFs().realpathSync(git)
  const prefixes = [git, real].filter((path) => path.startsWith('/')).map((path) => nodePath().join(path, '../..'))
  const usual = usualFiles(repo)
  const all = [...found, ...prefixes.map((prefix) => nodePath().join(prefix, 'etc/gitconfig'))]
  return [...new Set(all)].filter((path) => !usual.includes(path))
}

/** Their contents, not their times: a file may change twice within one tick of the clock. */
function stateOfFiles(paths: readonly string[]): string | null {
  try {
    const states: [string, string | null][] = []
    for (const path of paths) states.push([path, readSmallFile(path)])
    return digest(states)
  } catch {
    return null
  }
}

function digest(value: unknown): string {
  return new Bun.CryptoHasher('sha256').update(JSON.stringify(value)).digest('hex')
}
